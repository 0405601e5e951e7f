import { eq } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { databaseNumberOf, getDatabase } from '../../../src/platform/db/databases.ts'
import { databases, garments, pauses } from '../../../src/platform/db/schema.ts'
import { checkHealth } from '../../../src/operations/health.ts'
import { getStatus } from '../../../src/operations/status.ts'
import { putPause } from '../../../src/operations/pauses.ts'
import { sweepDatabase } from '../../../src/operations/sweep.ts'
import { handleTaggingBatch } from '../../../src/tagging/queue.ts'
import { createTenant } from '../../../src/accounts/create-tenant.ts'
import { newMerchant, someone } from '../../service.ts'
import { firstIsDown, newTenantIn, ofItsOwn, request, secondIsDown, threeDatabases } from './three-databases.ts'

const upload = '/garment-tagging/upload'
const query = '/garment-tagging/query?uuid=g'
const image_url = `${inject('httpHost')}/files/no-such-file?status=404`
const nowMs = Date.now()

/** The queues, with messages that are kept here: the consumers of the tests know other databases. */
const quiet = {
  TAGGING_QUEUE: { send: async () => {}, sendBatch: async () => {}, metrics: async () => ({ backlogCount: 0 }) },
}
const withQuietQueue = (env: typeof threeDatabases) => ({ ...env, ...quiet }) as unknown as Env

describe('while one of three databases is down', () => {
  it('the tenants of the others notice nothing, and its own get 503', async () => {
    const env = withQuietQueue(secondIsDown)
    for (const number of [1, 2, 3]) {
      const { auth, merchant } = await newTenantIn(number)
      const expected = number === 2 ? 503 : 200
      const requests = [
        ['POST', upload, auth, { uuid: 'g', image_url }],
        ['GET', query, auth],
        ['PUT', '/garment-tagging/webhook/config', auth, { enabled: false, url: 'http://127.0.0.1:9/' }],
        ['GET', '/garment-tagging/export', auth],
        ['GET', '/merchant/tenant/usage', merchant.bearer],
      ] as const
      for (const [method, path, headers, body] of requests)
        expect([number, path, (await request(env, method, path, headers, body)).status]).toEqual([
          number,
          path,
          expected,
        ])
      expect((await request(env, 'GET', '/merchant/tenant', merchant.bearer)).status).toBe(200)
    }
  })

  it('new tenants are created in the others', async () => {
    for (let i = 0; i < 8; i++) {
      const { id } = await newMerchant()
      const tenant = {
        name: '',
        domain: `${id}.example`,
        description: '',
        settings: { timezone: 'UTC', currency: 'EUR' },
      }
      const created = await createTenant(secondIsDown, id, tenant, nowMs, someone)
      expect(databaseNumberOf(created.id)).not.toBe(2)
    }
  })

  it('garments of the others are tagged, and its own wait for it', async () => {
    const env = withQuietQueue(threeDatabases)
    const ended: string[] = []
    const messages = []
    for (const number of [1, 2, 3]) {
      const { tenantId, auth } = await newTenantIn(number)
      expect((await request(env, 'POST', upload, auth, { uuid: 'g', image_url })).status).toBe(200)
      const stored = getDatabase(threeDatabases, number).select().from(garments).where(eq(garments.tenantId, tenantId))
      messages.push({
        id: tenantId,
        body: { tenantId, uuid: 'g', revision: (await stored)[0]?.revision },
        attempts: 1,
        timestamp: new Date(),
        ack: () => ended.push(`${number} acknowledged`),
        retry: () => ended.push(`${number} again`),
      })
    }
    const background: Promise<unknown>[] = []
    const ctx = { waitUntil: (work: Promise<unknown>) => void background.push(work) } as unknown as ExecutionContext
    await handleTaggingBatch({ messages } as unknown as MessageBatch, withQuietQueue(secondIsDown), ctx)
    await Promise.all(background)
    expect(ended.sort()).toEqual(['1 acknowledged', '2 again', '3 acknowledged'])
    const statusOf = async (tenantId: string) =>
      (
        await getDatabase(threeDatabases, databaseNumberOf(tenantId))
          .select()
          .from(garments)
          .where(eq(garments.tenantId, tenantId))
      )[0]?.status
    expect(await Promise.all(messages.map(({ id }) => statusOf(id)))).toEqual(['failed', 'queuing', 'failed'])
  })

  it('the others are swept, and the operator and monitors are told', async () => {
    const env = withQuietQueue(ofItsOwn.down)
    const accounts = getDatabase(env, 1)
    await accounts.delete(databases)
    for (const number of [1, 2, 3]) await sweepDatabase(withQuietQueue(ofItsOwn.up), number, nowMs - 240_000)
    expect(await checkHealth(env, nowMs - 230_000)).toBe(undefined)
    const outcomes = await Promise.allSettled([1, 2, 3].map(async (number) => await sweepDatabase(env, number, nowMs)))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    const status = await getStatus(env, nowMs)
    expect(
      status.databases.map(({ number, responds, last_sweep: sweep }) => [
        number,
        responds,
        Date.parse(sweep?.at ?? ''),
      ]),
    ).toEqual([
      [1, true, nowMs],
      [2, false, nowMs - 240_000],
      [3, true, nowMs],
    ])
    expect(status.databases[1]?.bytes).toBeGreaterThan(0)
    expect(status.last_sweep?.at).toBe(status.databases[1]?.last_sweep?.at)
    await expect(checkHealth(env, nowMs)).rejects.toMatchObject({ status: 503 })
  })

  it('what is paused reaches it with its next sweep', async () => {
    const { tenantId } = await newTenantIn(2)
    const { tenantId: other } = await newTenantIn(3)
    for (const tenant of [tenantId, other]) await putPause(secondIsDown, { tagging: true, tenant }, nowMs)
    const pausedIn = async (number: number, id: string) =>
      (await getDatabase(threeDatabases, number).select().from(pauses).where(eq(pauses.tenantId, id)))[0]?.tagging
    expect([await pausedIn(2, tenantId), await pausedIn(3, other)]).toEqual([undefined, true])
    await sweepDatabase(withQuietQueue(threeDatabases), 2, nowMs)
    expect(await pausedIn(2, tenantId)).toBe(true)
    for (const tenant of [tenantId, other]) await putPause(threeDatabases, { tagging: false, tenant }, nowMs)
    expect(await pausedIn(2, tenantId)).toBe(false)
  })
})

describe('while the database of the accounts is down', () => {
  it('requests with a known key go on, of tenants in other databases', async () => {
    const { auth, merchant } = await newTenantIn(3)
    const before = withQuietQueue(threeDatabases)
    expect((await request(before, 'POST', upload, auth, { uuid: 'g', image_url })).status).toBe(200)
    const env = withQuietQueue(firstIsDown)
    expect((await request(env, 'POST', upload, auth, { uuid: 'h', image_url })).status).toBe(200)
    expect((await request(env, 'GET', query, auth)).body.data.uuid).toBe('g')
    expect((await request(env, 'GET', '/merchant/tenant', merchant.bearer)).status).toBe(503)
  })
})
