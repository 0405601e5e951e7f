import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../../src/platform/db/database.ts'
import { tenantState } from '../../../src/platform/db/schema.ts'
import { removeExpiredEndpoints } from '../../../src/webhooks/maintain-webhooks.ts'
import { changeEndpoint, createEndpoint, putConfig } from '../../../src/webhooks/endpoints/change-endpoint.ts'
import { endpointRequest } from '../../../src/webhooks/webhook-fields.ts'
import { getConfig, listEndpoints } from '../../../src/webhooks/endpoints/endpoint.ts'
import { continueEndings } from '../../../src/events/end-deliveries.ts'
import { call, databaseOf, newTenant, someone } from '../../service.ts'
import { countDatabase } from '../../support/count-database.ts'
import { removalMs } from '../../operations/removal-time.ts'
import { keys, localPolicy } from '../webhook-scene.ts'
import { newEndpointScene } from './scene.ts'

const path = '/garment-tagging/webhook/endpoints'
const url = 'https://example.com/hooks'

/** Far from now, so that no sweep of another test deletes what these tests make. */
const nowMs = Date.UTC(2100, 0, 1)
const second = 1000

async function newTenantWith(...endpoints: object[]) {
  const { tenantId, auth } = await newTenant()
  const deps = { db: databaseOf(tenantId), keys, policy: localPolicy }
  const ids: string[] = []
  for (const endpoint of endpoints)
    ids.push(await createEndpoint(deps, tenantId, endpointRequest.parse({ url, ...endpoint }), nowMs, someone))
  return {
    tenantId,
    auth,
    deps,
    ids,
    change: async (id: string, changes: object, atMs: number) =>
      await changeEndpoint(deps, tenantId, id, changes, atMs, someone),
    left: async () => (await listEndpoints(deps.db, tenantId, keys)).map(({ id }) => id),
    sweep: async (atMs: number) => await removeExpiredEndpoints(deps.db, atMs, 8),
  }
}

describe('an endpoint with an end', () => {
  it('says when that is, and has none unless it was asked for', async () => {
    const { auth } = await newTenant()
    const lasting = await call('POST', path, auth, { url })
    expect(lasting.body.data).not.toHaveProperty('expires_at')
    const startedAt = Date.now()
    const temporary = await call('POST', path, auth, { url, expires_in: 900 })
    const expiresAt = Date.parse(temporary.body.data.expires_at as string)
    expect(expiresAt).toBeGreaterThanOrEqual(startedAt + 900 * second)
    const later = await call('PATCH', `${path}/${temporary.body.data.id}`, auth, { expires_in: 86_400 })
    expect(Date.parse(later.body.data.expires_at as string)).toBeGreaterThan(expiresAt)
    const stays = await call('PATCH', `${path}/${temporary.body.data.id}`, auth, { expires_in: null })
    expect(stays.body.data).not.toHaveProperty('expires_at')
    const refused = await call('POST', path, auth, { url, expires_in: 5 })
    expect(refused).toMatchObject({ status: 400, body: { error: ['expires_in: must be at least 60'] } })
  })

  it('is deleted by the sweep then, and not before; another one stays', async () => {
    const { ids, left, sweep, change } = await newTenantWith({}, { expires_in: 60 }, { expires_in: 60 })
    await change(ids[2] ?? '', { expires_in: 120 }, nowMs + 30 * second)
    await sweep(nowMs + 59 * second)
    expect((await left()).sort()).toEqual([...ids].sort())
    await sweep(nowMs + 60 * second)
    expect(await left()).toEqual([ids[0], ids[2]])
    await sweep(nowMs + 150 * second)
    expect(await left()).toEqual([ids[0]])
  })

  it('stays if its address is changed without a new end, and with any other change keeps its end', async () => {
    const { ids, left, sweep, change } = await newTenantWith({ expires_in: 60 }, { expires_in: 60 })
    await change(ids[0] ?? '', { url: `${url}/own` }, nowMs)
    await change(ids[1] ?? '', { description: 'Search' }, nowMs)
    await sweep(nowMs + 60 * second)
    expect(await left()).toEqual([ids[0]])
  })

  it('stays if it is configured by PUT /garment-tagging/webhook/config', async () => {
    const { tenantId, deps, left, sweep } = await newTenantWith({ expires_in: 60 })
    const config = { enabled: true, url, secret: 'own', headers: {} }
    await putConfig(deps, tenantId, config, nowMs, { by: someone })
    await sweep(nowMs + 60 * second)
    expect(await left()).toEqual(['first'])
    expect(await getConfig(deps.db, tenantId, keys)).toEqual(config)
  })

  it('that was the first one leaves an empty configuration', async () => {
    const { tenantId, deps, left, sweep } = await newTenantWith({ expires_in: 60, secret: 'temporary' })
    await sweep(nowMs + 60 * second)
    expect(await left()).toEqual([])
    expect(await getConfig(deps.db, tenantId, keys)).toEqual({ enabled: false, url: '', secret: '', headers: {} })
  })

  it('ends what is pending for it', async () => {
    const scene = await newEndpointScene()
    const id = await scene.add('gone', '', { expires_in: 60 })
    await scene.start()
    const db = databaseOf(scene.tenantId)
    await removeExpiredEndpoints(db, nowMs, 8)
    await scene.attemptAll()
    expect(await scene.receivedBy('gone')).toEqual([])
    expect((await scene.delivery(id))?.status).toBe('permanently_failed')
    await continueEndings(db, nowMs)
    expect(await scene.endpoint(id)).toBeUndefined()
  })

  it('is deleted before those that ended later, where a sweep deletes fewer than have ended', async () => {
    const [oldest = '', ...others] = Array.from({ length: 9 }, () => crypto.randomUUID())
    const deps = { db: databaseOf(oldest), keys, policy: localPolicy }
    const hosted = { domain: 'shop.example', createdAt: nowMs }
    await deps.db.insert(tenantState).values([oldest, ...others].map((tenantId) => ({ tenantId, ...hosted })))
    const create = async (tenantId: string, endpoint: object) =>
      await createEndpoint(deps, tenantId, endpointRequest.parse({ url, ...endpoint }), removalMs, someone)
    for (const tenantId of others) await create(tenantId, { expires_in: 120 })
    for (const endpoint of [{}, { expires_in: 60 }]) await create(oldest, endpoint)
    const sweep = async () => await removeExpiredEndpoints(deps.db, removalMs + 120 * second, 8)
    expect(await sweep()).toBe(8)
    expect((await listEndpoints(deps.db, oldest, keys)).map(({ id }) => id)).toEqual(['first'])
    expect(await sweep()).toBe(1)
  })

  it('is looked for by one statement that reads no other endpoint', async () => {
    const { tenantId } = await newTenantWith({}, {}, {}, {})
    const { DB, counts } = countDatabase(databaseOf(tenantId).$client)
    await removeExpiredEndpoints(openDatabase(DB), 0, 8)
    expect(counts.statements).toBe(1)
    // The first entry of each table's index.
    expect(counts.rowsRead).toBeLessThanOrEqual(2)
  })
})
