import type { sendTestEvent } from '../../webhook/request/send-test-event.ts'
import { Field, idOf, Summary, TextArea, type FormState } from '../parts/fields.tsx'
import { Heading, Notice } from '../parts/text.tsx'
import { TestResult } from './test-result.tsx'

export interface WebhookPageProps {
  readonly form: FormState
  /** An address is stored, so that a test event has somewhere to go. */
  readonly canTest?: boolean
  readonly disabledReason?: string | undefined
  readonly isSaved?: boolean
  readonly test?: Awaited<ReturnType<typeof sendTestEvent>>
}

export const WebhookPage = ({ form, canTest, disabledReason, isSaved, test }: WebhookPageProps) => (
  <div class="narrow">
    <Heading
      title="Webhook"
      lead="As soon as a garment is tagged, its result is sent to your system by POST, up to nine times until it is taken."
    >
      <a class="button plain" href="/dashboard/deliveries">
        Deliveries
      </a>
    </Heading>
    {disabledReason ? <Notice tone="bad" title={`Switched off by us: ${disabledReason}`} /> : null}
    {isSaved && (
      <Notice tone="good" title="Saved.">
        <p>A replaced secret goes on signing beside the new one for a day.</p>
      </Notice>
    )}
    {test !== undefined && <TestResult test={test} />}
    <ConfigForm form={form} />
    {canTest && (
      <section class="card" aria-labelledby="test">
        <h2 id="test">Test event</h2>
        <p>
          Sends a <code>webhook.test</code> now, signed like any other, to the address as it was last saved.
        </p>
        <form method="post" action="/dashboard/webhook/test">
          <button class="plain">Send a test event</button>
        </form>
      </section>
    )}
  </div>
)

const ConfigForm = ({ form }: { form: FormState }) => (
  <form class="card" method="post" action="/dashboard/webhook" novalidate>
    {/* What Enter presses is the first button of a form. */}
    <button class="unseen" name="intent" value="save" tabindex={-1} aria-hidden="true">
      Save
    </button>
    <Summary form={form} />
    <div class="check">
      <input type="checkbox" id="field-enabled" name="enabled" checked={form.values['enabled'] === 'on'} />
      <label for="field-enabled">Send results to this address</label>
    </div>
    <Field
      form={form}
      name="url"
      type="url"
      label="Address"
      placeholder="https://shop.example.com/webhooks/garments"
      hint="https, on the public internet. Answer with any 2xx within 15 seconds."
    />
    <Field
      form={form}
      name="secret"
      label="Secret"
      hint="Signs every delivery (Standard Webhooks), so that your system can tell ours from others."
      mono
      optional
    />
    <div class="actions beside">
      <button class="plain" name="intent" value="secret">
        Make a secret
      </button>
      <button type="button" class="quiet" data-copy-from={idOf('secret')} hidden>
        Copy<span class="unseen"> the secret</span>
      </button>
    </div>
    <TextArea
      form={form}
      name="headers"
      label="Headers"
      hint="One “Name: value” a line, such as an Authorization that your system asks for."
      rows={3}
      mono
      optional
    />
    <button name="intent" value="save">
      Save
    </button>
  </form>
)
