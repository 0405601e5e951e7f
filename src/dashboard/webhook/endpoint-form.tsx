import { eventNames } from '../../events/catalogue.ts'
import { eventSummary } from '../../webhook/events.ts'
import { Check, Field, idOf, Summary, TextArea, type FormState } from '../parts/fields.tsx'
import { eventField } from './endpoint-values.ts'

/** The form of an endpoint. It is sent to `action`. */
export const EndpointForm = ({ form, action }: { form: FormState; action: string }) => (
  <form class="card" method="post" action={action} novalidate>
    {/* Enter activates the first button of a form, so Save comes first. */}
    <button class="visually-hidden" name="intent" value="save" tabindex={-1} aria-hidden="true">
      Save
    </button>
    <input type="hidden" name="has_options" value="yes" />
    <Summary form={form} />
    <Check form={form} name="enabled" label="Send results to this URL" value="on" />
    <Field
      form={form}
      name="url"
      type="url"
      label="URL"
      placeholder="https://shop.example.com/webhooks/garments"
      hint="An https address on the public internet. Answer with any 2xx status within 15 seconds."
    />
    <Field form={form} name="description" label="Description" hint="For you, such as “Search index”." optional />
    <Events form={form} />
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
    <Field
      form={form}
      name="max_per_second"
      type="number"
      label="Requests a second at most"
      hint="1 to 100. Empty for as many as your system answers quickly."
      optional
    />
    <button name="intent" value="save">
      Save
    </button>
  </form>
)

const Events = ({ form }: { form: FormState }) => {
  const problems = form.problems?.byField['events']
  return (
    <fieldset id={idOf('events')}>
      <legend>Events</legend>
      {problems !== undefined && <p class="problem">{problems.join(' ')}</p>}
      {eventNames.map((event) => (
        <Check form={form} name={eventField(event)} value="on" label={`${eventSummary(event)} (${event})`} />
      ))}
    </fieldset>
  )
}
