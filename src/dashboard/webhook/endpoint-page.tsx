import { z } from 'zod'
import { configRequest, endpointRequest, type NewEndpoint } from '../../webhooks/fields.ts'
import { areOfAccount, type EventName, eventNames, sampleEvents } from '../../events/catalogue.ts'
import type { ConfigRow, Endpoint } from '../../webhooks/endpoints/endpoint.ts'
import { invalidConfig } from '../../webhooks/errors.ts'
import { maxEndpoints } from '../../events/delivery.ts'
import { type FormValues, parseFields, parseLines, readDecimal, toLines } from '../form.ts'
import { eventSummary } from '../../webhooks/describe-events.ts'
import { useContext } from 'hono/jsx'
import {
  Check,
  Choice,
  CurrentForm,
  Field,
  Form,
  type FormState,
  idOf,
  PostForm,
  Summary,
  TextArea,
} from '../parts/fields.tsx'
import { withQuery } from '../parts/list.tsx'
import { deliveriesPath, webhookPath } from '../paths.ts'
import type { Answer } from '../../events/transitions.ts'
import { deliveryError } from '../../events/delivery-error.ts'
import { duration } from '../clock.ts'
import { Breadcrumb, Card, Heading, Notice, ResponseBody } from '../parts/text.tsx'
import type { EndpointWithHealth } from '../../webhooks/endpoints/endpoint-health.ts'
import { Confirm } from '../parts/actions.tsx'
import { endpointName, Health, SwitchedOff } from './endpoints-page.tsx'

/** The fields at which problems are shown. */
export const endpointFields = ['url', 'description', 'events', 'secret', 'headers', 'enabled', 'max_per_second']

const eventField = (event: EventName) => `event.${event}`

type Options = Pick<NewEndpoint, 'description' | 'events' | 'max_per_second'>

const { description, events, max_per_second: maxPerSecond } = endpointRequest.shape
const optionsSchema = z.object({ description, events, max_per_second: maxPerSecond })

/** Shorter ones can be guessed. The API takes any, since receivers exist that have one. */
const minSecretLength = 24

/** One in base64 has bounds of its own. */
const isGuessable = (secret: string) => secret !== '' && secret.length < minSecretLength && !secret.startsWith('whsec_')

const secretNotKept =
  'secret: what you had entered was not kept while you signed in; check the one shown here before you save'

/**
 * Reads the form. Throws 400 with the problems of the API, and without a secret field, which is dropped when the user
 * has to sign in again: an empty one would remove the stored secret.
 */
export function readConfigForm(values: FormValues) {
  if (values['secret'] === undefined) throw invalidConfig([secretNotKept])
  const [url, secret] = [values['url']?.trim() ?? '', values['secret'].trim()]
  const headers = parseLines(values['headers'] ?? '', 'headers')
  const problems = isGuessable(secret)
    ? [`secret: must have at least ${minSecretLength} characters`, ...headers.problems]
    : headers.problems
  if (problems.length > 0) throw invalidConfig(problems)
  return parseFields(configRequest, {
    enabled: values['enabled'] === 'on',
    url,
    secret,
    headers: headers.values,
  })
}

/** Undefined for the short form of the overview, which leaves them as they are. */
export function readOptionsForm(values: FormValues): Options | undefined {
  if (values['has_options'] === undefined) return undefined
  const most = values['max_per_second']?.trim() ?? ''
  return parseFields(optionsSchema, {
    description: values['description']?.trim(),
    events: eventNames.filter((event) => values[eventField(event)] === 'on'),
    max_per_second: most === '' ? null : readDecimal(most),
  })
}

/** The form's values of an endpoint. */
export const toFormValues = (endpoint: Omit<Endpoint, 'id'>): FormValues => ({
  url: endpoint.url,
  description: endpoint.description,
  secret: endpoint.secret,
  headers: toLines(endpoint.headers),
  max_per_second: endpoint.max_per_second === null ? '' : String(endpoint.max_per_second),
  ...(endpoint.enabled ? { enabled: 'on' } : {}),
  ...Object.fromEntries(endpoint.events.map((event) => [eventField(event), 'on'])),
})

/** The form's values of an endpoint that is to be added. */
export const newEndpointValues = (): FormValues => ({ ...toFormValues(endpointRequest.parse({ url: '-' })), url: '' })

interface EndpointFormProps {
  readonly form: FormState
  readonly action: string
  /** The first endpoint has no events of the account. */
  readonly isFirst: boolean
}

/** The form of an endpoint. It is sent to `action`. */
const EndpointForm = ({ form, action, isFirst }: EndpointFormProps) => (
  <Form class="card" action={action} form={form} fields={{ has_options: 'yes' }}>
    {/* Enter activates the first button of a form, so Save comes first. */}
    <button class="visually-hidden" name="intent" value="save" tabindex={-1} aria-hidden="true">
      Save
    </button>
    <Summary />
    <Check name="enabled" label="Send results to this URL" value="on" />
    <Field
      name="url"
      type="url"
      label="URL"
      placeholder="https://shop.example.com/webhooks/garments"
      hint="An https address on the public internet. Answer with any 2xx status within 15 seconds."
    />
    <Field name="description" label="Description" hint="For you, such as “Search index”." optional />
    <Events isFirst={isFirst} />
    <Field
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
      name="headers"
      label="Headers"
      hint="One “Name: value” per line, for example Authorization."
      rows={3}
      mono
      optional
    />
    <Field
      name="max_per_second"
      type="number"
      label="Requests a second at most"
      hint="1 to 100. Empty for as many as your system answers quickly."
      optional
    />
    <button name="intent" value="save">
      Save
    </button>
  </Form>
)

const Events = ({ isFirst }: { isFirst: boolean }) => {
  const problems = useContext(CurrentForm).problems?.byField['events']
  return (
    <fieldset id={idOf('events')}>
      <legend>Events</legend>
      {problems !== undefined && <p class="problem">{problems.join(' ')}</p>}
      {eventNames
        .filter((event) => !(isFirst && areOfAccount([event])))
        .map((event) => (
          <Check name={eventField(event)} value="on" label={`${eventSummary(event)} (${event})`} />
        ))}
    </fieldset>
  )
}

export const payloadPath = (event: string) => `${webhookPath}/payload?event=${encodeURIComponent(event)}`

/** Sends an event to the stored URL. */
const TestCard = ({ row }: { row: ConfigRow }) => (
  <Card id="test" title="Test event">
    <p>
      Sends a signed event with a sample garment to the saved URL now.{' '}
      <a href={payloadPath('tagging.completed')}>See what each event contains</a>
    </p>
    <PostForm
      action={`${webhookPath}/test`}
      form={{ values: { type: 'webhook.test' } }}
      fields={{ endpoint: row.endpoint }}
      button="Send a test event"
      kind="plain"
    >
      <Choice
        name="type"
        label="Event"
        values={sampleEvents}
        names={Object.fromEntries(sampleEvents.map((event) => [event, `${event}: ${eventSummary(event)}`]))}
      />
    </PostForm>
  </Card>
)

const TestResult = ({ test }: { test: Answer }) => {
  const isAccepted = test.ok
  const title = isAccepted
    ? 'Your system accepted the test event.'
    : `Your system did not accept the test event: ${deliveryError(test.error)}`
  return (
    <Notice tone={isAccepted ? 'good' : 'bad'} title={title}>
      <p>
        {test.status === 0 ? 'No response' : `It responded with HTTP ${test.status}`} after {duration(test.durationMs)}.
      </p>
      <ResponseBody body={test.body} />
    </Notice>
  )
}

export interface EndpointPageProps {
  readonly form: FormState
  /** Where the form is sent. */
  readonly action: string
  /** Undefined for one that is not stored yet. */
  readonly row: EndpointWithHealth | undefined
  /** How many endpoints the tenant has. */
  readonly count: number
  readonly test?: Answer
  readonly now: number
}

/** One endpoint; of a tenant that has no other, its webhook. */
export const EndpointPage = ({ form, action, row, count, test, now }: EndpointPageProps) => {
  const isOnly = row === undefined ? count === 0 : count === 1
  const title = row === undefined ? 'New endpoint' : endpointName(row)
  return (
    <div class="narrow">
      {!isOnly && <Breadcrumb name="Webhook" path={webhookPath} />}
      <Heading
        title={isOnly ? 'Webhook' : <span class="break">{title}</span>}
        lead={
          <>
            When a garment is tagged, its result is sent to your system by POST, with up to nine attempts.{' '}
            <a href="/docs/guides/polling-or-webhooks">How to receive it</a>,{' '}
            <a href="/docs/guides/receivers">how to verify its signature</a>
          </>
        }
      >
        {row !== undefined && (
          <a class="button plain" href={withQuery(deliveriesPath, { endpoint: row.endpoint })}>
            Deliveries
          </a>
        )}
        {isOnly && row !== undefined && count < maxEndpoints && (
          <a class="button plain" href={`${webhookPath}/new`}>
            Add an endpoint
          </a>
        )}
      </Heading>
      {row !== undefined && <SwitchedOff row={row} />}
      {test !== undefined && <TestResult test={test} />}
      {row !== undefined && <Health row={row} now={now} />}
      <EndpointForm form={form} action={action} isFirst={action === webhookPath} />
      {row !== undefined && <TestCard row={row} />}
      {row !== undefined && (
        <Card id="delete" title="Delete the endpoint" kind="danger">
          <p>
            Its address, secret and headers are removed at once, and what is pending for it ends. Ended deliveries stay
            in the list.
          </p>
          <Confirm
            summary="Delete the endpoint"
            action={`${webhookPath}/delete?id=${encodeURIComponent(row.endpoint)}`}
          >
            <p>This cannot be undone.</p>
            <button class="bad">Delete it now</button>
          </Confirm>
        </Card>
      )}
    </div>
  )
}
