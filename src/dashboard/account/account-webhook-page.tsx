import { deliveryError } from '../../events/delivery-error.ts'
import type { AccountDelivery } from '../../webhooks/list-account-deliveries.ts'
import type { ConfigRow } from '../../webhooks/endpoints/endpoint.ts'
import type { Answer } from '../../events/transitions.ts'
import type { Clock } from '../clock.ts'
import { Breadcrumb, Copyable, DeliveryStatus, Empty, Heading, Notice, WhenCell } from '../parts/text.tsx'
import { ConfirmDelete } from '../parts/actions.tsx'
import { Check, Field, Summary, type FormState } from '../parts/fields.tsx'
import { Columns } from '../parts/list.tsx'
import { EndpointState } from '../webhook/endpoints-page.tsx'
import { TestResult } from '../webhook/endpoint-page.tsx'
import { accountWebhookPath } from '../paths.ts'

export interface AccountWebhookPageProps {
  readonly form: FormState
  /** Null if none is configured. */
  readonly row: ConfigRow | null
  readonly deliveries: readonly AccountDelivery[]
  readonly notice?: string | undefined
  /** A new one, in this response only. */
  readonly secret?: string | undefined
  readonly test?: Answer | undefined
  readonly clock: Clock
}

export const AccountWebhookPage = ({ form, row, deliveries, notice, secret, test, clock }: AccountWebhookPageProps) => (
  <>
    <Breadcrumb name="Account" path="/dashboard/account" />
    <Heading
      title="Account webhook"
      lead={
        <>
          Tells your system when a webhook endpoint has been failing for an hour or was switched off, when nine tenths
          of a quota are used, and when an API key is created or revoked.{' '}
          <a href="/docs/guides/account-webhook">How to receive it</a>
        </>
      }
    />
    {notice !== undefined && <Notice tone="good" title={notice} />}
    {secret !== undefined && <NewSecret secret={secret} />}
    {test !== undefined && <TestResult test={test} />}
    {row !== null && row.disabledReason !== '' && (
      <Notice tone="bad" title={`We switched it off: ${deliveryError(row.disabledReason)}`}>
        <p>When your system answers again, tick “Send events to this URL” and save.</p>
      </Notice>
    )}
    <form class="card" method="post" action={accountWebhookPath} novalidate aria-label="Account webhook">
      {row !== null && (
        <p>
          <EndpointState row={row} />
        </p>
      )}
      <Summary form={form} />
      <Check form={form} name="enabled" label="Send events to this URL" value="on" />
      <Field
        form={form}
        name="url"
        type="url"
        label="URL"
        placeholder="https://ops.example.com/webhooks/account"
        hint="An https address on the public internet. Answer with any 2xx status within 15 seconds."
      />
      <button>Save</button>
    </form>
    {row !== null && <Actions />}
    {row !== null && <Deliveries deliveries={deliveries} clock={clock} />}
    {row !== null && (
      <ConfirmDelete what="account webhook" action={`${accountWebhookPath}/delete`}>
        Its address and secret are removed at once, and what is pending for it ends.
      </ConfirmDelete>
    )}
  </>
)

const NewSecret = ({ secret }: { secret: string }) => (
  <>
    <Notice tone="busy" title="Copy the secret now. It is shown only once.">
      <p>
        It signs every event (Standard Webhooks): <a href="/docs/guides/verify-signatures">how to verify it</a>. If you
        lose it, renew it.
      </p>
    </Notice>
    <section class="card" aria-label="Secret">
      <Copyable text={secret} label="secret" wrap />
    </section>
  </>
)

const Actions = () => (
  <section class="card" aria-labelledby="actions">
    <h2 id="actions">Test and secret</h2>
    <p>The test event is sent to the saved URL now. After a renewal the old secret also signs for 24 hours.</p>
    <div class="actions">
      <form method="post" action={`${accountWebhookPath}/test`}>
        <button class="plain">Send a test event</button>
      </form>
      <form method="post" action={`${accountWebhookPath}/secret`}>
        <button class="plain">Renew the secret</button>
      </form>
    </div>
  </section>
)

const Deliveries = ({ deliveries, clock }: Pick<AccountWebhookPageProps, 'deliveries' | 'clock'>) => (
  <section class="card flush" aria-labelledby="deliveries">
    <h2 id="deliveries">Latest deliveries</h2>
    {deliveries.length === 0 ? (
      <Empty title="No events yet">
        <p>Each is sent within a minute after it happened, with up to nine attempts.</p>
      </Empty>
    ) : (
      <table class="stack">
        <Columns names={['Time', 'Event', 'Status', 'Attempts', 'Problem']} />
        <tbody>
          {deliveries.map(({ event, delivery }) => (
            <tr>
              <WhenCell label="Time" at={delivery.createdAt} clock={clock} />
              <th scope="row">{event}</th>
              <td data-label="Status">
                <DeliveryStatus status={delivery.status} />
              </td>
              <td data-label="Attempts">{delivery.attemptCount}</td>
              <td data-label="Problem">
                <span class="break">{deliveryError(delivery.lastError) || '–'}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </section>
)
