import { z } from 'zod'
import { ApiError } from '../../platform/http/errors.ts'
import { configRequest, endpointRequest, type NewEndpoint, endpointPatch } from '../../webhooks/webhook-fields.ts'
import { areOfAccount, type EventName, eventNames, sampleEvents } from '../../events/catalogue.ts'
import { type Endpoint, toEndpointResponse, toOptions } from '../../webhooks/endpoints/endpoint.ts'
import { invalidConfig } from '../../webhooks/webhook-errors.ts'
import { type EndpointRow, maxEndpoints } from '../../events/delivery.ts'
import {
  type FormValues,
  parseFields,
  parseLines,
  readDecimal,
  toLines,
  formBody,
  readForm,
  submitForm,
} from '../form.ts'
import { eventSummary, samplePayload } from '../../webhooks/describe-events.ts'
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
} from '../parts/form-fields.tsx'
import { withQuery, Filter, oneOf } from '../parts/list-parts.tsx'
import { deliveriesPath, webhookPath, endpointPath } from '../paths.ts'
import type { Answer } from '../../events/delivery-transitions.ts'
import { deliveryError } from '../../events/delivery-error.ts'
import { duration } from '../clock.ts'
import { PlainLink, Breadcrumb, Card, Heading, Notice, ResponseBody, Copyable } from '../parts/elements.tsx'
import { type EndpointWithHealth, listEndpointHealth } from '../../webhooks/endpoints/endpoint-health.ts'
import { Confirm } from '../parts/actions.tsx'
import { endpointName, Health, SwitchedOff, EndpointsPage } from './endpoints-page.tsx'
import { type Context, Hono } from 'hono'
import { configEndpointId } from '../../platform/db/schema.ts'
import { settingsOf } from '../../settings.ts'
import { encryptionKeysOf } from '../../webhooks/endpoints/encrypt.ts'
import { callDeps, targetPolicy } from '../../webhooks/deliveries/call-receiver.ts'
import { render } from '../parts/layout.tsx'
import { type DashboardEnv, forTenant } from '../viewer.ts'
import { newSecret } from '../../webhooks/endpoints/secret.ts'
import { changeEndpoint, createEndpoint, deleteEndpoint, putConfig } from '../../webhooks/endpoints/change-endpoint.ts'
import { sendTestEvent } from '../../webhooks/deliveries/send-test-event.ts'
import { limitWrites } from '../limit-writes.ts'

const endpointFields = ['url', 'description', 'events', 'secret', 'headers', 'enabled', 'max_per_second']

const eventField = (event: EventName) => `event.${event}`

type Options = Pick<NewEndpoint, 'description' | 'events' | 'max_per_second'>

const { description, events, max_per_second: maxPerSecond } = endpointRequest.shape
const optionsSchema = z.object({ description, events, max_per_second: maxPerSecond })

/** Shorter secrets can be guessed. The API accepts them, because some receivers have one. */
const minSecretLength = 24

const isGuessable = (secret: string) => secret !== '' && secret.length < minSecretLength && !secret.startsWith('whsec_')

const secretNotKept =
  'secret: what you had entered was not kept while you signed in; check the one shown here before you save'

/**
 * Reads the form. Throws 400 with the API's problems. Also throws if the secret field is missing, as after signing in
 * again, because an empty secret would remove the stored one.
 */
function readConfigForm(values: FormValues) {
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

/** Returns undefined for the overview's short form, which leaves the options unchanged. */
function readOptionsForm(values: FormValues): Options | undefined {
  if (values['has_options'] === undefined) return undefined
  const most = values['max_per_second']?.trim() ?? ''
  return parseFields(optionsSchema, {
    description: values['description']?.trim(),
    events: eventNames.filter((event) => values[eventField(event)] === 'on'),
    max_per_second: most === '' ? null : readDecimal(most),
  })
}

const toFormValues = (endpoint: Omit<Endpoint, 'id'>): FormValues => ({
  url: endpoint.url,
  description: endpoint.description,
  secret: endpoint.secret,
  headers: toLines(endpoint.headers),
  max_per_second: endpoint.max_per_second === null ? '' : String(endpoint.max_per_second),
  ...(endpoint.enabled ? { enabled: 'on' } : {}),
  ...Object.fromEntries(endpoint.events.map((event) => [eventField(event), 'on'])),
})

const newEndpointValues = (): FormValues => ({ ...toFormValues(endpointRequest.parse({ url: '-' })), url: '' })

interface EndpointFormProps {
  readonly form: FormState
  readonly action: string
  /** The first endpoint cannot receive account events. */
  readonly isFirst: boolean
}

const EndpointForm = ({ form, action, isFirst }: EndpointFormProps) => (
  <Form class="card" action={action} form={form} fields={{ has_options: 'yes' }}>
    {/* Enter activates a form's first button, so Save comes first. */}
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

const payloadPath = (event: string) => `${webhookPath}/payload?event=${encodeURIComponent(event)}`

const TestCard = ({ row }: { row: EndpointRow }) => (
  <Card id="test" title="Test event">
    <p>
      Sends a signed event with a sample garment to the saved URL now.{' '}
      <a href={payloadPath('tagging.completed')}>See what each event contains</a>
    </p>
    <PostForm
      action={`${webhookPath}/test`}
      form={{ values: { type: 'webhook.test' } }}
      fields={{ endpoint: row.id }}
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

type SampleEvent = (typeof sampleEvents)[number]

const bodyOf = (event: SampleEvent, now: number) =>
  JSON.stringify(JSON.parse(new TextDecoder().decode(samplePayload(event, now).body)), null, 2)

type PageContext = Context<DashboardEnv>

function endpointDeps(c: PageContext) {
  const settings = settingsOf(c.env)
  const policy = targetPolicy(settings, new URL(c.req.url).origin)
  return { db: c.get('db'), keys: encryptionKeysOf(settings), policy }
}

const listEndpoints = async (c: PageContext) => await listEndpointHealth(c.get('db'), c.get('tenant').id, Date.now())

interface Shown {
  readonly form?: FormState
  readonly test?: Answer
}

async function renderWebhook(c: PageContext, shown: Shown = {}) {
  const endpoints = await listEndpoints(c)
  if (endpoints.length < 2) return await renderEndpoint(c, endpoints, endpoints[0], shown)
  return await render(
    c,
    { title: 'Webhook', section: webhookPath },
    <EndpointsPage endpoints={endpoints} now={Date.now()} />,
  )
}

/** The first endpoint always has a page, because its form creates it. */
async function renderStored(c: PageContext, id: string, shown?: Shown) {
  const endpoints = await listEndpoints(c)
  const row = endpoints.find((each) => each.id === id)
  if (row === undefined && id !== configEndpointId) throw new ApiError('endpoint_not_found')
  return await renderEndpoint(c, endpoints, row, shown)
}

const renderNew = async (c: PageContext, shown?: Shown) =>
  await renderEndpoint(c, await listEndpoints(c), undefined, shown)

async function renderEndpoint(
  c: PageContext,
  endpoints: readonly EndpointWithHealth[],
  row: EndpointWithHealth | undefined,
  { form, test }: Shown = {},
) {
  const stored =
    row === undefined ? newEndpointValues() : toFormValues(await toEndpointResponse(row, endpointDeps(c).keys))
  const isFirst = row === undefined ? endpoints.length === 0 : row.id === configEndpointId
  const shown = { values: shownValues(stored, form?.values), problems: form?.problems }
  const action = isFirst ? webhookPath : row === undefined ? `${webhookPath}/new` : endpointPath(row.id)
  const count = endpoints.length
  const isOnly = row === undefined ? count === 0 : count === 1
  const title = row === undefined ? 'New endpoint' : endpointName(row)
  return await render(
    c,
    { title: 'Webhook', section: webhookPath },
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
        {row !== undefined && <PlainLink to={withQuery(deliveriesPath, { endpoint: row.id })}>Deliveries</PlainLink>}
        {isOnly && row !== undefined && count < maxEndpoints && (
          <PlainLink to={`${webhookPath}/new`}>Add an endpoint</PlainLink>
        )}
      </Heading>
      {row !== undefined && <SwitchedOff row={row} />}
      {test !== undefined && <TestResult test={test} />}
      {row !== undefined && <Health row={row} now={Date.now()} />}
      <EndpointForm form={shown} action={action} isFirst={isFirst} />
      {row !== undefined && <TestCard row={row} />}
      {row !== undefined && (
        <Card id="delete" title="Delete the endpoint" kind="danger">
          <p>
            Its URL, secret and headers are removed at once, and its pending deliveries end. Ended deliveries stay in
            the list.
          </p>
          <Confirm summary="Delete the endpoint" action={`${webhookPath}/delete?id=${encodeURIComponent(row.id)}`}>
            <p>This cannot be undone.</p>
            <button class="bad">Delete it now</button>
          </Confirm>
        </Card>
      )}
    </div>,
  )
}

/** Submitted values win, including cleared checkboxes. Fields that were not submitted keep the stored value. */
const shownValues = (stored: FormValues, sent: FormValues = {}): FormValues =>
  sent['has_options'] === undefined ? { ...stored, ...sent } : { secret: stored['secret'] ?? '', ...sent }

/** The API's specified wording of this problem names no field. */
const aliases = { 'URL is required': 'url' }
type Render = (shown: Shown) => Promise<Response>

export const webhookPages = new Hono<DashboardEnv>()

webhookPages.get(webhookPath, forTenant, async (c) => await renderWebhook(c))
webhookPages.get(`${webhookPath}/new`, forTenant, async (c) => await renderNew(c))
webhookPages.get(`${webhookPath}/endpoint`, forTenant, async (c) => await renderStored(c, c.req.query('id') ?? ''))

webhookPages.get(`${webhookPath}/payload`, forTenant, async (c) => {
  const event = oneOf(sampleEvents, c.req.query(), 'event') ?? 'tagging.completed'
  return await render(
    c,
    { title: 'Events', section: webhookPath },
    <div class="narrow">
      <Breadcrumb name="Webhook" path={webhookPath} />
      <Heading
        title="Events"
        lead={
          <>
            The body of each event, with a sample garment. It is sent without line breaks; verify its signature over the
            bytes as they arrive. <a href="/docs/api/webhook-events">All fields and headers</a>
          </>
        }
      />
      <Filter label="Event" options={sampleEvents.map((each) => [each, each])} current={event} href={payloadPath} />
      <Card id="event" title={eventSummary(event)}>
        <Copyable text={bodyOf(event, Date.now())} label={`body of ${event}`} />
      </Card>
    </div>,
  )
})

/** Calls `store`, which returns the next path. After a failure, shows the form again with its problems. */
async function save(c: PageContext, renderForm: Render, store: (values: FormValues) => Promise<string>) {
  const values = await readForm(c)
  // A second submit button, so that it works without scripts and keeps the input.
  if (values['intent'] === 'secret') return await renderForm({ form: { values: { ...values, secret: newSecret() } } })
  const result = await submitForm(c, endpointFields, store, aliases)
  return result.ok ? c.redirect(result.value, 303) : await renderForm({ form: result.form })
}

webhookPages.post(
  webhookPath,
  formBody,
  forTenant,
  async (c) =>
    await save(
      c,
      async (shown) => await renderStored(c, configEndpointId, shown),
      async (values) => {
        const [config, options] = [readConfigForm(values), readOptionsForm(values)]
        const more = { options: options && toOptions(options), by: c.get('viewer').actor }
        await putConfig(endpointDeps(c), c.get('tenant').id, config, Date.now(), more)
        return `${webhookPath}?done=saved`
      },
    ),
)

webhookPages.post(
  `${webhookPath}/new`,
  formBody,
  forTenant,
  async (c) =>
    await save(
      c,
      async (shown) => await renderNew(c, shown),
      async (values) => {
        const endpoint = parseFields(endpointRequest, { ...readConfigForm(values), ...readOptionsForm(values) })
        const id = await createEndpoint(
          endpointDeps(c),
          c.get('tenant').id,
          endpoint,
          Date.now(),
          c.get('viewer').actor,
        )
        return `${endpointPath(id)}&done=saved`
      },
    ),
)

webhookPages.post(`${webhookPath}/endpoint`, formBody, forTenant, async (c) => {
  const { id = '' } = c.req.query()
  return await save(
    c,
    async (shown) => await renderStored(c, id, shown),
    async (values) => {
      const changes = parseFields(endpointPatch, { ...readConfigForm(values), ...readOptionsForm(values) })
      await changeEndpoint(endpointDeps(c), c.get('tenant').id, id, changes, Date.now(), c.get('viewer').actor)
      return `${endpointPath(id)}&done=saved`
    },
  )
})

webhookPages.post(`${webhookPath}/enable`, formBody, forTenant, async (c) => {
  const { endpoint = '' } = await readForm(c)
  const { actor } = c.get('viewer')
  await changeEndpoint(endpointDeps(c), c.get('tenant').id, endpoint, { enabled: true }, Date.now(), actor)
  return c.redirect(`${endpointPath(endpoint)}&done=enabled`, 303)
})

webhookPages.post(`${webhookPath}/delete`, formBody, forTenant, async (c) => {
  const { id = '' } = c.req.query()
  await deleteEndpoint(endpointDeps(c), c.get('tenant').id, id, Date.now(), c.get('viewer').actor)
  return c.redirect(`${webhookPath}?done=deleted`, 303)
})

webhookPages.post(`${webhookPath}/test`, formBody, forTenant, async (c) => {
  const values = await readForm(c)
  const { endpoint = configEndpointId } = values
  const settings = settingsOf(c.env)
  const deps = { ...callDeps(settings, new URL(c.req.url).origin), ...endpointDeps(c) }
  const payload = samplePayload(oneOf(sampleEvents, values, 'type') ?? 'webhook.test', Date.now())
  const result = await submitForm(c, [], async () => {
    await limitWrites(c.env, c.get('tenant').id)
    return await sendTestEvent(deps, c.get('tenant').id, { endpointId: endpoint, payload })
  })
  if (result.ok) return await renderStored(c, endpoint, { test: result.value })
  return await renderStored(c, endpoint, { form: { values: {}, problems: result.form.problems } })
})
