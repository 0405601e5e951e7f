import { type Context, Hono } from 'hono'
import { eventSummary, samplePayload } from '../../webhooks/describe-events.ts'
import { sampleEvents } from '../../events/catalogue.ts'
import { Breadcrumb, Card, Copyable, Heading } from '../parts/text.tsx'
import { endpointPath, webhookPath, webhookPath as section } from '../paths.ts'
import {
  endpointFields,
  EndpointPage,
  type EndpointPageProps,
  newEndpointValues,
  payloadPath,
  readConfigForm,
  readOptionsForm,
  toFormValues,
} from './endpoint-page.tsx'
import { firstEndpoint } from '../../platform/db/schema.ts'
import { settingsOf } from '../../settings.ts'
import { encryptionKeysOf } from '../../webhooks/endpoints/encrypt.ts'
import { type EndpointWithHealth, listEndpointHealth } from '../../webhooks/endpoints/endpoint-health.ts'
import { toEndpointResponse, toOptions } from '../../webhooks/endpoints/endpoint.ts'
import { endpointNotFound } from '../../webhooks/errors.ts'
import { callDeps, targetPolicy } from '../../webhooks/deliveries/call-receiver.ts'
import { formBody, type FormValues, parseFields, readForm, submitForm } from '../form.ts'
import { render } from '../parts/layout.tsx'
import type { DashboardEnv } from '../viewer.ts'
import { EndpointsPage } from './endpoints-page.tsx'
import { newSecret } from '../../webhooks/endpoints/secret.ts'
import { changeEndpoint, createEndpoint, deleteEndpoint, putConfig } from '../../webhooks/endpoints/change-endpoint.ts'
import { endpointPatch, endpointRequest } from '../../webhooks/fields.ts'
import { sendTestEvent } from '../../webhooks/deliveries/send-test-event.ts'
import { limitWrites } from '../limit-writes.ts'
import { Filter, oneOf } from '../parts/list.tsx'
import { forTenant } from '../with-tenant.ts'

type SampleEvent = (typeof sampleEvents)[number]

const bodyOf = (event: SampleEvent, now: number) =>
  JSON.stringify(JSON.parse(new TextDecoder().decode(samplePayload(event, now).body)), null, 2)

/** What an event contains, as a receiver gets it. */
const PayloadPage = ({ event, now }: { event: SampleEvent; now: number }) => (
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
      <Copyable text={bodyOf(event, now)} label={`body of ${event}`} />
    </Card>
  </div>
)

type PageContext = Context<DashboardEnv>

function endpointDeps(c: PageContext) {
  const settings = settingsOf(c.env)
  const policy = targetPolicy(settings, new URL(c.req.url).origin)
  return { db: c.get('db'), keys: encryptionKeysOf(settings), policy }
}

const listEndpoints = async (c: PageContext) => await listEndpointHealth(c.get('db'), c.get('tenant').id, Date.now())

type Shown = Partial<Pick<EndpointPageProps, 'form' | 'test'>>

/** The webhook of a tenant: its endpoints, or the only one. */
async function renderWebhook(c: PageContext, shown: Shown = {}) {
  const endpoints = await listEndpoints(c)
  if (endpoints.length < 2) return await renderEndpoint(c, endpoints, endpoints[0], shown)
  return await render(c, { title: 'Webhook', section }, <EndpointsPage endpoints={endpoints} now={Date.now()} />)
}

/** The page of an endpoint. Throws 404 for one that does not exist, unless it is the first one, which can be stored. */
async function renderStored(c: PageContext, id: string, shown?: Shown) {
  const endpoints = await listEndpoints(c)
  const row = endpoints.find(({ endpoint }) => endpoint === id)
  if (row === undefined && id !== firstEndpoint) throw endpointNotFound()
  return await renderEndpoint(c, endpoints, row, shown)
}

/** The page of an endpoint that is to be added. */
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
  const isFirst = row === undefined ? endpoints.length === 0 : row.endpoint === firstEndpoint
  const page = (
    <EndpointPage
      form={{ values: shownValues(stored, form?.values), problems: form?.problems }}
      action={isFirst ? section : row === undefined ? `${section}/new` : endpointPath(row.endpoint)}
      row={row}
      count={endpoints.length}
      {...(test === undefined ? {} : { test })}
      now={Date.now()}
    />
  )
  return await render(c, { title: 'Webhook', section }, page)
}

/**
 * Input that was sent is kept, including a checkbox that was cleared. The overview's form sends only some of the
 * fields, and a form that was sent before signing in again lost its secret.
 */
const shownValues = (stored: FormValues, sent: FormValues = {}): FormValues =>
  sent['has_options'] === undefined ? { ...stored, ...sent } : { secret: stored['secret'] ?? '', ...sent }

/** The one API problem whose specified wording names no field. */
const aliases = { 'URL is required': 'url' }
type Render = (shown: Shown) => Promise<Response>

export const webhookPages = new Hono<DashboardEnv>()

webhookPages.get(section, forTenant, async (c) => await renderWebhook(c))
webhookPages.get(`${section}/new`, forTenant, async (c) => await renderNew(c))
webhookPages.get(`${section}/endpoint`, forTenant, async (c) => await renderStored(c, c.req.query('id') ?? ''))

webhookPages.get(`${section}/payload`, forTenant, async (c) => {
  const event = oneOf(sampleEvents, c.req.query(), 'event') ?? 'tagging.completed'
  return await render(c, { title: 'Events', section }, <PayloadPage event={event} now={Date.now()} />)
})

/** Stores a form by `store`, which returns the next path. Shows the form again with its problems. */
async function save(c: PageContext, renderForm: Render, store: (values: FormValues) => Promise<string>) {
  const values = await readForm(c)
  // A second submit button of the form: works without scripts and keeps the entered values.
  if (values['intent'] === 'secret') return await renderForm({ form: { values: { ...values, secret: newSecret() } } })
  const result = await submitForm(c, endpointFields, store, aliases)
  return result.ok ? c.redirect(result.value, 303) : await renderForm({ form: result.form })
}

webhookPages.post(
  section,
  formBody,
  forTenant,
  async (c) =>
    await save(
      c,
      async (shown) => await renderStored(c, firstEndpoint, shown),
      async (values) => {
        const [config, options] = [readConfigForm(values), readOptionsForm(values)]
        const more = { options: options && toOptions(options), by: c.get('viewer').actor }
        await putConfig(endpointDeps(c), c.get('tenant').id, config, Date.now(), more)
        return `${section}?done=saved`
      },
    ),
)

webhookPages.post(
  `${section}/new`,
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

webhookPages.post(`${section}/endpoint`, formBody, forTenant, async (c) => {
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

webhookPages.post(`${section}/enable`, formBody, forTenant, async (c) => {
  const { endpoint = '' } = await readForm(c)
  const { actor } = c.get('viewer')
  await changeEndpoint(endpointDeps(c), c.get('tenant').id, endpoint, { enabled: true }, Date.now(), actor)
  return c.redirect(`${endpointPath(endpoint)}&done=enabled`, 303)
})

webhookPages.post(`${section}/delete`, formBody, forTenant, async (c) => {
  const { id = '' } = c.req.query()
  await deleteEndpoint(endpointDeps(c), c.get('tenant').id, id, Date.now(), c.get('viewer').actor)
  return c.redirect(`${section}?done=deleted`, 303)
})

webhookPages.post(`${section}/test`, formBody, forTenant, async (c) => {
  const values = await readForm(c)
  const { endpoint = firstEndpoint } = values
  const settings = settingsOf(c.env)
  const deps = { ...callDeps(settings, new URL(c.req.url).origin), ...endpointDeps(c) }
  const payload = samplePayload(oneOf(sampleEvents, values, 'type') ?? 'webhook.test', Date.now())
  const result = await submitForm(c, [], async () => {
    await limitWrites(c.env, c.get('tenant').id)
    return await sendTestEvent(deps, c.get('tenant').id, { endpoint, payload })
  })
  if (result.ok) return await renderStored(c, endpoint, { test: result.value })
  return await renderStored(c, endpoint, { form: { values: {}, problems: result.form.problems } })
})
