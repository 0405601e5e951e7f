import { taggingDelivery } from '../../support/tagging-delivery.ts'
import { inject } from 'vitest'
import { deliveries } from '../../../src/platform/db/schema.ts'
import { settingsOf } from '../../../src/settings.ts'
import { encryptionKeysOf } from '../../../src/webhooks/endpoints/encrypt.ts'
import { createEndpoint } from '../../../src/webhooks/endpoints/change-endpoint.ts'
import { endpointRequest } from '../../../src/webhooks/webhook-fields.ts'
import { bindings, call, databaseOf, newTenant, someone } from '../../service.ts'
import { scenario, type RequestParts, type Scenario } from '../exchange.ts'

const base = '/garment-tagging/webhook'
const policy = { allowLocal: true, ownHosts: [], protocols: 'https' as const }
const range = { from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' }

const config = (name: string) => ({
  enabled: true,
  url: `${inject('httpHost')}/to/${name}`,
  secret: 'a secret',
  headers: { Authorization: 'Bearer x' },
})

/** Creates a tenant with a webhook and an ended delivery of the garment `mine`. */
async function receiverOwner(changes: Partial<typeof deliveries.$inferInsert> = {}) {
  const tenant = await newTenant()
  await call('PUT', `${base}/config`, tenant.auth, config(tenant.tenantId))
  const at = { createdAt: 1000, updatedAt: 2000, lastAttemptAt: 2000 }
  await databaseOf(tenant.tenantId)
    .insert(deliveries)
    .values({
      id: crypto.randomUUID(),
      tenantId: tenant.tenantId,
      garmentUuid: 'mine',
      ...taggingDelivery,
      status: 'delivered',
      attemptCount: 1,
      responseStatus: 200,
      ...at,
      ...changes,
    })
  return tenant
}

const by =
  (who: () => Promise<{ auth: Record<string, string> }>, rest: RequestParts = {}) =>
  async (): Promise<RequestParts> => ({ headers: (await who()).auth, ...rest })

const configs: Scenario[] = [
  scenario(`PUT ${base}/config`, 200, async () => ({ headers: (await newTenant()).auth, body: config('described') })),
  scenario(`PUT ${base}/config`, 400, by(newTenant, { body: { enabled: true } })),
  scenario(`GET ${base}/config`, 200, by(newTenant)),
  scenario(`GET ${base}/config`, 200, by(receiverOwner)),
  scenario(`GET ${base}/config`, 409, by(receiverOwner, { env: { ENCRYPTION_KEY: btoa('k'.repeat(32)) } })),
  scenario(`POST ${base}/test`, 200, by(receiverOwner)),
  scenario(`POST ${base}/test`, 409, by(newTenant)),
]

const lostKey = { ENCRYPTION_KEY: btoa('k'.repeat(32)) }
const first = `${base}/endpoints/first`
const unknown = `${base}/endpoints/unknown`

/** Creates a tenant with five endpoints. */
async function endpointsOwner() {
  const { tenantId, auth } = await newTenant()
  const deps = { db: databaseOf(tenantId), keys: encryptionKeysOf(settingsOf(bindings)), policy }
  for (let i = 0; i < 5; i++)
    await createEndpoint(deps, tenantId, endpointRequest.parse({ url: config(tenantId).url }), 1, someone)
  return { auth }
}

/** Creates a tenant with an endpoint that has account events. */
async function protectedOwner() {
  const tenant = await receiverOwner()
  const deps = { db: databaseOf(tenant.tenantId), keys: encryptionKeysOf(settingsOf(bindings)), policy }
  const endpoint = endpointRequest.parse({ url: config('owner').url, events: ['api_key.created'] })
  const id = await createEndpoint(deps, tenant.tenantId, endpoint, 1, someone)
  return { headers: tenant.auth, path: `${base}/endpoints/${id}` }
}

const endpoints: Scenario[] = [
  scenario(`GET ${base}/endpoints`, 200, by(receiverOwner)),
  scenario(`GET ${base}/endpoints`, 409, by(receiverOwner, { env: lostKey })),
  scenario(`POST ${base}/endpoints`, 200, async () => ({
    headers: (await newTenant()).auth,
    body: { url: config('described').url, events: ['tagging.failed'], max_per_second: 5 },
  })),
  scenario(`POST ${base}/endpoints`, 400, by(newTenant, { body: { url: 'ftp://x' } })),
  scenario(`POST ${base}/endpoints`, 409, by(endpointsOwner, { body: { url: 'https://a.example/' } })),
  scenario(`POST ${base}/endpoints`, 403, async () => ({
    headers: (await receiverOwner()).auth,
    body: { url: 'https://a.example/', events: ['api_key.created'] },
  })),
  scenario(`GET ${base}/endpoints/{id}`, 200, by(receiverOwner, { path: first })),
  scenario(`GET ${base}/endpoints/{id}`, 404, by(newTenant, { path: unknown })),
  scenario(`GET ${base}/endpoints/{id}`, 409, by(receiverOwner, { path: first, env: lostKey })),
  scenario(`PATCH ${base}/endpoints/{id}`, 200, by(receiverOwner, { path: first, body: { max_per_second: null } })),
  scenario(`PATCH ${base}/endpoints/{id}`, 400, by(receiverOwner, { path: first, body: { events: [] } })),
  scenario(`PATCH ${base}/endpoints/{id}`, 404, by(newTenant, { path: unknown, body: {} })),
  scenario(`PATCH ${base}/endpoints/{id}`, 409, by(receiverOwner, { path: first, body: {}, env: lostKey })),
  scenario(`DELETE ${base}/endpoints/{id}`, 200, by(receiverOwner, { path: first })),
  scenario(`PATCH ${base}/endpoints/{id}`, 403, async () => ({
    ...(await protectedOwner()),
    body: { enabled: false },
  })),
  scenario(`DELETE ${base}/endpoints/{id}`, 403, protectedOwner),
  scenario(`DELETE ${base}/endpoints/{id}`, 404, by(newTenant, { path: unknown })),
  scenario(`POST ${base}/test`, 400, by(newTenant, { body: { type: 'unknown' } })),
  scenario(`POST ${base}/test`, 404, by(receiverOwner, { body: { endpoint: 'unknown' } })),
]

const ofDelivery = (name: string): Scenario[] => [
  scenario(`GET ${base}/${name}`, 200, by(receiverOwner, { path: `${base}/${name}?uuid=mine` })),
  scenario(`GET ${base}/${name}`, 400, by(newTenant, { path: `${base}/${name}?uuid=` })),
  scenario(`GET ${base}/${name}`, 404, by(newTenant, { path: `${base}/${name}?uuid=mine` })),
]

const redeliveries: Scenario[] = [
  scenario(`POST ${base}/redeliver`, 200, by(receiverOwner, { body: { uuid: 'mine' } })),
  scenario(`POST ${base}/redeliver`, 200, by(receiverOwner, { body: range })),
  scenario(`POST ${base}/redeliver`, 400, by(newTenant, { body: {} })),
  scenario(`GET ${base}/redeliver`, 200, async () => {
    const { auth } = await receiverOwner()
    await call('POST', `${base}/redeliver`, auth, range)
    return { headers: auth }
  }),
  scenario(`GET ${base}/redeliver`, 404, by(newTenant)),
  scenario(`POST ${base}/redeliver`, 404, by(receiverOwner, { body: { uuid: 'unknown' } })),
  scenario(`POST ${base}/redeliver`, 404, by(receiverOwner, { body: { ...range, endpoint: 'unknown' } })),
  scenario(`POST ${base}/redeliver`, 409, by(newTenant, { body: range })),
  scenario(`POST ${base}/redeliver`, 409, async () => {
    const { auth } = await receiverOwner()
    await call('POST', `${base}/redeliver`, auth, range)
    return { headers: auth, body: range }
  }),
  scenario(
    `POST ${base}/redeliver`,
    409,
    by(() => receiverOwner({ leaseUntil: Date.now() + 60_000, claimId: 'c' }), { body: { uuid: 'mine' } }),
  ),
]

export const webhookScenarios = [
  ...configs,
  ...endpoints,
  ...ofDelivery('delivery-status'),
  ...ofDelivery('attempts'),
  ...redeliveries,
]
