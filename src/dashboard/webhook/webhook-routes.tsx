import { Hono, type Context } from 'hono'
import { firstEndpoint } from '../../db/schema.ts'
import { settingsOf } from '../../settings.ts'
import { newSecret } from '../../webhook/config/new-secret.ts'
import { changeEndpoint } from '../../webhook/endpoint/change-endpoint.ts'
import { createEndpoint } from '../../webhook/endpoint/create-endpoint.ts'
import { deleteEndpoint } from '../../webhook/endpoint/delete-endpoint.ts'
import { endpointPatch, endpointRequest } from '../../webhook/endpoint/endpoint-request.ts'
import { toOptions } from '../../webhook/endpoint/to-endpoint-response.ts'
import { sampleEvents, samplePayload } from '../../webhook/events.ts'
import { putConfig } from '../../webhook/put-config.ts'
import { callDeps } from '../../webhook/request/deps.ts'
import { sendTestEvent } from '../../webhook/request/send-test-event.ts'
import { submit, formBody, parseFields, readForm, type FormValues } from '../form.ts'
import { limitWrites } from '../limit-writes.ts'
import { oneOf } from '../parts/list.tsx'
import { render } from '../parts/render.tsx'
import { problemsOf } from '../problems.ts'
import type { DashboardEnv } from '../viewer.ts'
import { withTenant } from '../with-tenant.tsx'
import { endpointPath, webhookPath as section } from '../paths.ts'
import { endpointFields, readConfigForm, readOptionsForm } from './endpoint-values.ts'
import { PayloadPage } from './payload-page.tsx'
import { endpointDeps, renderNew, renderStored, renderWebhook } from './render-endpoint.tsx'

const needsTenant = withTenant(section, 'Webhook', 'Create a tenant to send results to your system.')

/** The one API problem whose specified wording names no field. */
const aliases = { 'URL is required': 'url' }

type PageContext = Context<DashboardEnv>
type Render = (c: PageContext, shown?: Parameters<typeof renderNew>[1]) => Promise<Response>

export const webhookPages = new Hono<DashboardEnv>()

webhookPages.get(section, needsTenant, async (c) => await renderWebhook(c))
webhookPages.get(`${section}/new`, needsTenant, async (c) => await renderNew(c))
webhookPages.get(`${section}/endpoint`, needsTenant, async (c) => await renderStored(c, c.req.query('id') ?? ''))

webhookPages.get(`${section}/payload`, needsTenant, async (c) => {
  const event = oneOf(sampleEvents, c.req.query(), 'event') ?? 'tagging.completed'
  return await render(c, { title: 'Events', section }, <PayloadPage event={event} now={Date.now()} />)
})

/** Stores a form by `store`, which returns the next path. Shows the form again with its problems. */
async function save(c: PageContext, renderForm: Render, store: (values: FormValues) => Promise<string>) {
  const values = await readForm(c)
  // A second submit button of the form: works without scripts and keeps the entered values.
  if (values['intent'] === 'secret')
    return await renderForm(c, { form: { values: { ...values, secret: newSecret() } } })
  const result = await submit(c, async () => await store(values))
  if (result.ok) return c.redirect(result.value, 303)
  const problems = problemsOf(result.failure, endpointFields, aliases)
  return await renderForm(c, { form: { values, problems }, status: result.failure.status })
}

webhookPages.post(
  section,
  formBody,
  needsTenant,
  async (c) =>
    await save(
      c,
      async (_, shown) => await renderStored(c, firstEndpoint, shown),
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
  needsTenant,
  async (c) =>
    await save(c, renderNew, async (values) => {
      const endpoint = parseFields(endpointRequest, { ...readConfigForm(values), ...readOptionsForm(values) })
      const id = await createEndpoint(endpointDeps(c), c.get('tenant').id, endpoint, Date.now(), c.get('viewer').actor)
      return `${endpointPath(id)}&done=saved`
    }),
)

webhookPages.post(`${section}/endpoint`, formBody, needsTenant, async (c) => {
  const { id = '' } = c.req.query()
  return await save(
    c,
    async (_, shown) => await renderStored(c, id, shown),
    async (values) => {
      const changes = parseFields(endpointPatch, { ...readConfigForm(values), ...readOptionsForm(values) })
      await changeEndpoint(endpointDeps(c), c.get('tenant').id, id, changes, Date.now(), c.get('viewer').actor)
      return `${endpointPath(id)}&done=saved`
    },
  )
})

webhookPages.post(`${section}/enable`, formBody, needsTenant, async (c) => {
  const { endpoint = '' } = await readForm(c)
  const { actor } = c.get('viewer')
  await changeEndpoint(endpointDeps(c), c.get('tenant').id, endpoint, { enabled: true }, Date.now(), actor)
  return c.redirect(`${endpointPath(endpoint)}&done=enabled`, 303)
})

webhookPages.post(`${section}/delete`, formBody, needsTenant, async (c) => {
  const { id = '' } = c.req.query()
  await deleteEndpoint(endpointDeps(c), c.get('tenant').id, id, Date.now(), c.get('viewer').actor)
  return c.redirect(`${section}?done=deleted`, 303)
})

webhookPages.post(`${section}/test`, formBody, needsTenant, async (c) => {
  const values = await readForm(c)
  const { endpoint = firstEndpoint } = values
  const settings = settingsOf(c.env)
  const deps = { ...callDeps(settings, new URL(c.req.url).origin), ...endpointDeps(c) }
  const payload = samplePayload(oneOf(sampleEvents, values, 'type') ?? 'webhook.test', Date.now())
  const result = await submit(c, async () => {
    await limitWrites(c.env, c.get('tenant').id)
    return await sendTestEvent(deps, c.get('tenant').id, { endpoint, payload })
  })
  if (result.ok) return await renderStored(c, endpoint, { test: result.value })
  const form = { values: {}, problems: problemsOf(result.failure, []) }
  return await renderStored(c, endpoint, { form, status: result.failure.status })
})
