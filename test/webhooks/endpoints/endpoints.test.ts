import { switchedOff } from '../../../src/events/delivery-error.ts'
import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { isEndpoint } from '../../../src/events/delivery.ts'
import { openDatabase } from '../../../src/platform/db/database.ts'
import { webhookEndpoints } from '../../../src/platform/db/schema.ts'
import { getConfig, getEndpointRow, listEndpoints } from '../../../src/webhooks/endpoints/endpoint.ts'
import { changeEndpoint, createEndpoint, deleteEndpoint } from '../../../src/webhooks/endpoints/change-endpoint.ts'
import { endpointRequest } from '../../../src/webhooks/webhook-fields.ts'
import { call, databaseOf, newTenant, someone } from '../../service.ts'
import { replaceMethods } from '../../support/wrap-database.ts'
import { keys, startMs } from '../webhook-scene.ts'
import { deps } from './scene.ts'

const path = '/garment-tagging/webhook/endpoints'
const url = 'https://example.com/hooks'

const depsOf = (tenantId: string) => ({ ...deps, db: databaseOf(tenantId) })

const add = async (tenantId: string, changes: object = {}) =>
  await createEndpoint(depsOf(tenantId), tenantId, endpointRequest.parse({ url, ...changes }), startMs, someone)

describe('the endpoints of a tenant', () => {
  it('are created, changed and deleted by the API', async () => {
    const { auth } = await newTenant()
    const created = await call('POST', path, auth, { url, secret: 'the first secret' })
    expect(created.body.data).toEqual({
      id: 'first',
      url,
      description: '',
      events: ['tagging.completed', 'tagging.failed'],
      secret: '…cret',
      headers: {},
      enabled: true,
      max_per_second: null,
    })
    const other = await call('POST', path, auth, { url, description: 'Search', events: ['tagging.corrected'] })
    const id = other.body.data.id as string
    const changed = await call('PATCH', `${path}/${id}`, auth, { max_per_second: 5 })
    expect(changed.body.data).toMatchObject({ description: 'Search', max_per_second: 5, url })
    const listed = await call('GET', path, auth)
    expect(listed.body.data.endpoints).toEqual([created.body.data, changed.body.data])
    expect((await call('DELETE', `${path}/${id}`, auth)).status).toBe(200)
    expect(await call('GET', `${path}/${id}`, auth)).toMatchObject({
      status: 404,
      body: { code: 'endpoint_not_found' },
    })
  })

  it('have the webhook configuration as their first one, in both directions', async () => {
    const { tenantId, auth } = await newTenant()
    const config = { enabled: true, url, secret: 'old', headers: { 'X-A': 'b' } }
    await call('PUT', '/garment-tagging/webhook/config', auth, config)
    const id = await add(tenantId)
    expect(id).not.toBe('first')
    expect(await listEndpoints(databaseOf(tenantId), tenantId, keys)).toMatchObject([
      { id: 'first', ...config },
      { id },
    ])
    await changeEndpoint(
      depsOf(tenantId),
      tenantId,
      'first',
      { secret: 'new', events: ['tagging.completed'] },
      startMs,
      someone,
    )
    expect(await getConfig(databaseOf(tenantId), tenantId, keys)).toEqual({ ...config, secret: 'new' })
    expect((await getEndpointRow(databaseOf(tenantId), tenantId, 'first')).formerSecretUntil).toBe(startMs + 86_400_000)
    await call('PUT', '/garment-tagging/webhook/config', auth, config)
    expect((await listEndpoints(databaseOf(tenantId), tenantId, keys))[0]?.events).toEqual(['tagging.completed'])
  })

  it('start with the default events after the first one was deleted and configured again', async () => {
    const { tenantId, auth } = await newTenant()
    expect(await add(tenantId, { events: ['garment.deleted'] })).toBe('first')
    await deleteEndpoint(depsOf(tenantId), tenantId, 'first', startMs, someone)
    await call('PUT', '/garment-tagging/webhook/config', auth, { enabled: true, url, secret: '', headers: {} })
    const [first] = await listEndpoints(databaseOf(tenantId), tenantId, keys)
    expect(first?.events).toEqual(['tagging.completed', 'tagging.failed'])
  })

  it('are at most five, also if they are created at the same time, and a deleted one makes room', async () => {
    const { tenantId } = await newTenant()
    const results = await Promise.allSettled(Array.from({ length: 8 }, async () => await add(tenantId)))
    const ids = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    expect(new Set(ids).size).toBe(5)
    expect(ids.filter((id) => id === 'first')).toHaveLength(1)
    await expect(add(tenantId)).rejects.toMatchObject({ status: 409, code: 'too_many_endpoints' })
    await deleteEndpoint(depsOf(tenantId), tenantId, 'first', startMs, someone)
    expect(await listEndpoints(databaseOf(tenantId), tenantId, keys)).toHaveLength(4)
    expect(await add(tenantId)).toBe('first')
  })

  it('are not added while many that were deleted have deliveries to be ended', async () => {
    const { tenantId } = await newTenant()
    await add(tenantId)
    const id = await add(tenantId)
    const row = await getEndpointRow(databaseOf(tenantId), tenantId, id)
    for (let i = 1; i < 20; i++)
      await databaseOf(tenantId)
        .insert(webhookEndpoints)
        .values({ ...row, id: `${i}`, url: null })
    await expect(add(tenantId)).rejects.toMatchObject({ code: 'too_many_endpoints' })
    await databaseOf(tenantId).delete(webhookEndpoints).where(isEndpoint(tenantId, '1'))
    expect(await add(tenantId)).not.toBe(id)
  })

  it('are not found by a change that began before they were deleted, and do not come back', async () => {
    const { tenantId } = await newTenant()
    await add(tenantId)
    const id = await add(tenantId)
    const batch = async (statements: D1PreparedStatement[]) => {
      await deleteEndpoint(depsOf(tenantId), tenantId, id, startMs, someone)
      return await databaseOf(tenantId).$client.batch(statements)
    }
    const change = async () =>
      await changeEndpoint(
        { ...deps, db: openDatabase(replaceMethods(databaseOf(tenantId).$client, { batch })) },
        tenantId,
        id,
        { enabled: true },
        startMs,
        someone,
      )
    await expect(change()).rejects.toMatchObject({ status: 404, code: 'endpoint_not_found' })
    expect(await databaseOf(tenantId).$count(webhookEndpoints, eq(webhookEndpoints.id, id))).toBe(0)
  })

  it('keep why the service has disabled them until their address or `enabled` is changed', async () => {
    const { tenantId } = await newTenant()
    await add(tenantId)
    const id = await add(tenantId)
    const isThis = and(eq(webhookEndpoints.tenantId, tenantId), eq(webhookEndpoints.id, id))
    const disabled = { enabled: false, disabledReason: switchedOff, failingSince: startMs }
    await databaseOf(tenantId).update(webhookEndpoints).set(disabled).where(isThis)
    await changeEndpoint(depsOf(tenantId), tenantId, id, { description: 'The shop' }, startMs, someone)
    expect(await getEndpointRow(databaseOf(tenantId), tenantId, id)).toMatchObject({
      ...disabled,
      description: 'The shop',
    })
    await changeEndpoint(depsOf(tenantId), tenantId, id, { enabled: true }, startMs, someone)
    expect(await getEndpointRow(databaseOf(tenantId), tenantId, id)).toMatchObject({
      disabledReason: null,
      failingSince: null,
    })
  })

  it("name every problem, and another tenant's is not found", async () => {
    const [tenant, stranger] = [await newTenant(), await newTenant()]
    const body = { url: 'ftp://x', headers: { Host: 'x' }, events: [], max_per_second: 0 }
    const refused = await call('POST', path, tenant.auth, body)
    expect(refused.status).toBe(400)
    expect(refused.body.error.join('\n')).toMatch(/events: .*\n.*max_per_second: .*\n.*url: .*\n.*headers\.Host: /s)
    await add(tenant.tenantId)
    const id = await add(tenant.tenantId)
    for (const [method, given] of [
      ['GET', undefined],
      ['PATCH', { enabled: false }],
      ['DELETE', undefined],
    ] as const)
      expect((await call(method, `${path}/${id}`, stranger.auth, given)).status).toBe(404)
    const patched = await call('PATCH', `${path}/${id}`, tenant.auth, { url: '' })
    expect(patched).toMatchObject({ status: 400, body: { error: ['url: must not be empty'] } })
    expect((await getEndpointRow(databaseOf(tenant.tenantId), tenant.tenantId, id)).enabled).toBe(true)
  })
})
