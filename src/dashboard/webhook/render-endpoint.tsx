import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { firstEndpoint } from '../../db/schema.ts'
import { settingsOf } from '../../settings.ts'
import { encryptionKeysOf } from '../../webhook/config/encrypt.ts'
import { listEndpointHealth, type EndpointWithHealth } from '../../webhook/endpoint/list-endpoint-health.ts'
import { toEndpointResponse } from '../../webhook/endpoint/to-endpoint-response.ts'
import { endpointNotFound } from '../../webhook/errors.ts'
import { targetPolicy } from '../../webhook/request/deps.ts'
import type { FormValues } from '../form.ts'
import { render } from '../parts/render.tsx'
import type { DashboardEnv } from '../viewer.ts'
import { endpointPath, webhookPath as section } from '../paths.ts'
import { EndpointPage, type EndpointPageProps } from './endpoint-page.tsx'
import { newEndpointValues, toFormValues } from './endpoint-values.ts'
import { EndpointsPage } from './endpoints-page.tsx'

type PageContext = Context<DashboardEnv>

const notices: Readonly<Record<string, string>> = {
  saved: 'Saved.',
  enabled: 'Switched on.',
  deleted: 'The endpoint was deleted.',
}

export function endpointDeps(c: PageContext) {
  const settings = settingsOf(c.env)
  const policy = targetPolicy(settings, new URL(c.req.url).origin)
  return { db: c.get('db'), keys: encryptionKeysOf(settings), policy }
}

const listEndpoints = async (c: PageContext) => await listEndpointHealth(c.get('db'), c.get('tenant').id, Date.now())

type Shown = Partial<Pick<EndpointPageProps, 'form' | 'test'>> & { readonly status?: ContentfulStatusCode }

/** The webhook of a tenant: its endpoints, or the only one. */
export async function renderWebhook(c: PageContext, shown: Shown = {}) {
  const endpoints = await listEndpoints(c)
  if (endpoints.length < 2) return await renderEndpoint(c, endpoints, endpoints[0], shown)
  const notice = notices[c.req.query('done') ?? '']
  const page = <EndpointsPage endpoints={endpoints} notice={notice} now={Date.now()} />
  return await render(c, { title: 'Webhook', section }, page)
}

/** The page of an endpoint. Throws 404 for one that does not exist, unless it is the first one, which can be stored. */
export async function renderStored(c: PageContext, id: string, shown?: Shown) {
  const endpoints = await listEndpoints(c)
  const row = endpoints.find(({ endpoint }) => endpoint === id)
  if (row === undefined && id !== firstEndpoint) throw endpointNotFound()
  return await renderEndpoint(c, endpoints, row, shown)
}

/** The page of an endpoint that is to be added. */
export const renderNew = async (c: PageContext, shown?: Shown) =>
  await renderEndpoint(c, await listEndpoints(c), undefined, shown)

async function renderEndpoint(
  c: PageContext,
  endpoints: readonly EndpointWithHealth[],
  row: EndpointWithHealth | undefined,
  { form, test, status = 200 }: Shown = {},
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
      notice={notices[c.req.query('done') ?? '']}
      {...(test === undefined ? {} : { test })}
      now={Date.now()}
    />
  )
  return await render(c, { title: 'Webhook', section, status }, page)
}

/**
 * Input that was sent is kept, including a checkbox that was cleared. The overview's form sends only some of the
 * fields, and a form that was sent before signing in again lost its secret.
 */
const shownValues = (stored: FormValues, sent: FormValues = {}): FormValues =>
  sent['has_options'] === undefined ? { ...stored, ...sent } : { secret: stored['secret'] ?? '', ...sent }
