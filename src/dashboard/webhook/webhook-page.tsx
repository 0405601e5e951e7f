import type { sendTestEvent } from '../../webhook/request/send-test-event.ts'
import { Field, idOf, Summary, TextArea, type FormState } from '../parts/fields.tsx'
import { Heading, Notice } from '../parts/text.tsx'
import { TestResult } from './test-result.tsx'

export interface WebhookPageProps {
  readonly form: FormState
  /** A URL is stored, so a test event can be sent. */
  readonly canTest?: boolean
  /** Whether the tenant asked for `tagging.corrected`; undefined where the form is shown with unsaved values. */
  readonly sendsCorrections?: boolean
  readonly disabledReason?: string | undefined
  readonly isSaved?: boolean
  readonly test?: Awaited<ReturnType<typeof sendTestEvent>>
}

export const WebhookPage = ({ form, canTest, sendsCorrections, disabledReason, isSaved, test }: WebhookPageProps) => (
  <div class="narrow">
    <Heading
      title="Webhook"
      lead={
        <>
          When a garment is tagged, its result is sent to your system by POST, with up to nine attempts.{' '}
          <a href="/docs/guides/polling-or-webhooks">How to receive it</a>,{' '}
          <a href="/docs/guides/verify-signatures">how to verify its signature</a>
        </>
      }
    >
      <a class="button plain" href="/dashboard/deliveries">
        Deliveries
      </a>
    </Heading>
    {disabledReason ? <Notice tone="bad" title={`We switched it off: ${disabledReason}`} /> : null}
    {isSaved && (
      <Notice tone="good" title="Saved.">
        <p>If you replaced the secret, the old one also signs for 24 hours.</p>
      </Notice>
    )}
    {test !== undefined && <TestResult test={test} />}
    <ConfigForm form={form} />
    {sendsCorrections !== undefined && <EventsForm sendsCorrections={sendsCorrections} />}
    {canTest && (
      <section class="card" aria-labelledby="test">
        <h2 id="test">Test event</h2>
        <p>
          Sends a signed <code>webhook.test</code> event to the saved URL now.
        </p>
        <form method="post" action="/dashboard/webhook/test">
          <button class="plain">Send a test event</button>
        </form>
      </section>
    )}
  </div>
)

const EventsForm = ({ sendsCorrections }: { sendsCorrections: boolean }) => (
  <form class="card" method="post" action="/dashboard/webhook/events" aria-labelledby="events">
    <h2 id="events">Corrections</h2>
    <div class="check">
      <input type="checkbox" id="field-corrected" name="corrected" checked={sendsCorrections} />
      <label for="field-corrected">
        Also send <code>tagging.corrected</code> when a garment’s values are corrected or confirmed
      </label>
    </div>
    <button class="plain">Save choice</button>
  </form>
)

const ConfigForm = ({ form }: { form: FormState }) => (
  <form class="card" method="post" action="/dashboard/webhook" novalidate>
    {/* Enter activates the first button of a form, so Save comes first. */}
    <button class="visually-hidden" name="intent" value="save" tabindex={-1} aria-hidden="true">
      Save
    </button>
    <Summary form={form} />
    <div class="check">
      <input type="checkbox" id="field-enabled" name="enabled" checked={form.values['enabled'] === 'on'} />
      <label for="field-enabled">Send results to this URL</label>
    </div>
    <Field
      form={form}
      name="url"
      type="url"
      label="URL"
      placeholder="https://shop.example.com/webhooks/garments"
      hint="An https address on the public internet. Answer with any 2xx status within 15 seconds."
    />
    <Field
      form={form}
      name="secret"
      label="Secret"
      hint="Signs every delivery (Standard Webhooks), so your system can verify that it came from us."
      mono
      optional
    />
    <div class="actions beside">
      <button class="plain" name="intent" value="secret">
        Generate a secret
      </button>
      <button type="button" class="quiet" data-copy-from={idOf('secret')} hidden>
        Copy<span class="visually-hidden"> the secret</span>
      </button>
    </div>
    <TextArea
      form={form}
      name="headers"
      label="Headers"
      hint="One “Name: value” per line, for example Authorization."
      rows={3}
      mono
      optional
    />
    <button name="intent" value="save">
      Save
    </button>
  </form>
)
