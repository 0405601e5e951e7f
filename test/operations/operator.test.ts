import { createExecutionContext } from 'cloudflare:test'
import { eq, sql } from 'drizzle-orm'
import { afterEach, describe, expect, it } from 'vitest'
import { app } from '../../src/app.ts'
import { listDatabases } from '../../src/platform/db/databases.ts'
import { databases, garments } from '../../src/platform/db/schema.ts'
import { getStatus } from '../../src/operations/status.ts'
import { checkHealth } from '../../src/operations/health.ts'
import { putPause } from '../../src/operations/pauses.ts'
import { handleDeadTaggingBatch } from '../../src/tagging/queue.ts'
import { sweepGarments } from '../../src/tagging/sweep-garments.ts'
import { bindings, replaceDatabases } from '../service.ts'
import { countDatabase } from '../support/count-database.ts'
import { db, hour, minute, newScene, startMs } from '../tagging/scene.ts'
import { newScene as newDelivery, sweep as sweepDelivery } from '../webhooks/webhook-scene.ts'
import { insertGarments } from '../support/stored-garment/insert-garments.ts'

const token = 'an operator token for tests, long enough'
const authorized = { Authorization: `Bearer ${token}` }

async function call(method: string, path: string, headers: Record<string, string>, body?: unknown, withToken = true) {
  const init = { method, headers: { 'Content-Type': 'application/json', ...headers } }
  const request = new Request(
    `http://s.test${path}`,
    body === undefined ? init : { ...init, body: JSON.stringify(body) },
  )
  const env = withToken ? { ...bindings, OPERATOR_TOKEN: token } : { ...bindings }
  const response = await app.fetch(request, env as Env, createExecutionContext())
  // oxlint-disable-next-line typescript/no-explicit-any
  return { status: response.status, body: (await response.json()) as { data: any; error: string[] } }
}

const endpoints = [
  ['GET', '/status', undefined],
  ['PUT', '/operator/pause', { tagging: true }],
  ['POST', '/operator/retag', { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' }],
  ['POST', '/operator/repeat-deletions', { database: 1, from: '2026-11-01T00:00:00Z' }],
  ['POST', '/operator/password-reset', { email: 'nobody@example.com' }],
] as const

describe("the operator's endpoints", () => {
  it.each(endpoints)('%s %s does not exist without the setting', async (method, path, body) => {
    expect((await call(method, path, authorized, body, false)).status).toBe(404)
  })

  it.each(endpoints)('%s %s refuses any other token', async (method, path, body) => {
    const headers: Record<string, string>[] = [
      {},
      { Authorization: 'Bearer x' },
      { Authorization: `Bearer ${token}x` },
      { Authorization: `Basic ${token}` },
    ]
    for (const each of headers) expect((await call(method, path, each, body)).status).toBe(401)
  })

  it('report what waits, what gave up and how large the database is', async () => {
    const scene = await newScene()
    const letter = { id: 'x', body: scene.message, attempts: 1, ack: () => {}, retry: () => {} }
    await handleDeadTaggingBatch({ messages: [letter] } as unknown as MessageBatch, bindings)
    const { status, body } = await call('GET', '/status', authorized)
    expect(status).toBe(200)
    expect(body.data.tagging.waiting).toBeGreaterThan(0)
    expect(body.data.tagging.dead_letters).toBeGreaterThan(0)
    expect(body.data.database_bytes).toBeGreaterThan(0)
    expect(body.data).toMatchObject({
      tagging: { oldest_age_seconds: expect.any(Number), last_dead_letter_at: expect.any(String), paused: false },
      deliveries: { failed_last_hour: expect.any(Number), paused: false },
      disabled_webhooks: expect.any(Array),
    })
  })

  it('report what failed within an hour, for at most one row read a tenant', async () => {
    const read = async () => {
      const counts = { statements: 0, rowsRead: 0, rowsWritten: 0 }
      const databases = replaceDatabases((database) => countDatabase(database, () => {}, counts).DB)
      const status = await getStatus({ ...bindings, ...databases }, Date.now())
      return { rows: counts.rowsRead, failed: [status.tagging.failed_last_hour, status.deliveries.failed_last_hour] }
    }
    const before = await read()
    const tenants = 500
    const ids = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)'
    const insert = async (text: string) => await bindings.DB.prepare(`${text} FROM n`).bind(tenants).run()
    await insert(`INSERT INTO tenant_state (tenant_id, domain, created_at) ${ids} SELECT 'many' || i, 'many' || i, i`)
    await insert(
      `INSERT INTO webhook_endpoints (tenant_id, id, url, enabled, events, created_at, updated_at)
       ${ids} SELECT 'many' || i, 'first', 'https://a.example/', 1, '[]', i, i`,
    )
    const minuteAgo = Date.now() - 60_000
    await insertGarments(db, tenants, (i) => ({
      tenantId: `many${i}`,
      status: i % 100 === 0 ? 'failed' : 'complete',
      createdAt: i % 200 === 0 ? 1 : minuteAgo,
    }))
    await insert(
      `INSERT INTO deliveries (id, tenant_id, garment_uuid, kind, endpoint_id, status, attempt_count, created_at, updated_at)
       ${ids} SELECT 'many' || i, 'many' || i, 'g' || i, 'tagging', 'first', iif(i % 100, 'delivered', 'permanently_failed'), 1, ${minuteAgo}, i`,
    )
    const after = await read()
    expect(after.failed.map((count, i) => count - (before.failed[i] ?? 0))).toEqual([3, 5])
    expect(after.rows - before.rows).toBeLessThanOrEqual(tenants)
  })

  it('pause one part of one tenant and leave the rest as it is', async () => {
    const tenant = crypto.randomUUID()
    const put = async (body: object) => (await call('PUT', '/operator/pause', authorized, body)).body.data
    expect(await put({ tagging: true, tenant })).toEqual({ tenant, tagging: true, deliveries: false })
    expect(await put({ deliveries: true, tenant })).toEqual({ tenant, tagging: true, deliveries: true })
    const { body } = await call('GET', '/status', authorized)
    expect(body.data.tagging.paused_tenants).toContain(tenant)
    expect(await put({ tagging: false, deliveries: false, tenant })).toMatchObject({ tagging: false })
  })

  it('refuse an invalid pause', async () => {
    expect((await call('PUT', '/operator/pause', authorized, { tagging: 'yes' })).status).toBe(400)
  })
})

describe('the health of the service', () => {
  it('is asked for by anyone, and fails when no sweep has ended for three minutes', async () => {
    const sweptAt = async (...times: number[]) => {
      await db.delete(databases)
      const rows = times.map((time, i) => ({ number: i + 1, sweptAt: time, bytes: 5, failedParts: ['removal'] }))
      if (rows.length > 0) await db.insert(databases).values(rows)
    }
    const every = listDatabases(bindings).map(() => startMs)
    const ask = async (nowMs: number) => {
      await sweptAt(...every)
      return await checkHealth(bindings, nowMs).catch((error: unknown) => error)
    }
    expect(await ask(startMs + 2 * minute)).toBe(undefined)
    expect(await ask(startMs + 4 * minute)).toMatchObject({ status: 503 })
    await sweptAt(...every)
    const { status, body } = await call('GET', '/health?deep=1', {})
    expect([status, body.error.length]).toEqual([503, 1])
    const of = (await call('GET', '/status', authorized)).body.data.last_sweep
    expect(of).toEqual({ at: '2026-11-21T12:00:00.000Z', failed_parts: ['removal'] })
  })

  it('gives a new database a quarter of an hour for its first sweep, counted from its last migration', async () => {
    const [row] = await db.all<{ at: string }>(sql`SELECT max(applied_at) AS at FROM d1_migrations`)
    const migratedAt = Date.parse(`${row?.at}Z`)
    await db.delete(databases)
    const ask = async (nowMs: number) => await checkHealth(bindings, nowMs).catch((error: unknown) => error)
    expect(await ask(migratedAt + 14 * minute)).toBe(undefined)
    expect(await ask(migratedAt + 16 * minute)).toMatchObject({ status: 503 })
  })

  it('says how long the oldest garment waits, also behind thousands of younger ones', async () => {
    const tenantId = crypto.randomUUID()
    // Before the garments of all other tests.
    const longAgo = Date.UTC(1900, 0, 1)
    await insertGarments(db, 12_001, (i) => ({
      tenantId,
      status: 'queuing',
      createdAt: i > 12_000 ? longAgo : startMs,
      endedAt: null,
      dueAt: i,
    }))
    const { tagging } = await getStatus(bindings, startMs)
    expect(tagging).toMatchObject({ waiting: 10_000, oldest_age_seconds: (startMs - longAgo) / 1000 })
    await db.delete(garments).where(eq(garments.tenantId, tenantId))
  })
})

describe('a pause', () => {
  afterEach(async () => void (await putPause(bindings, { tagging: false, deliveries: false }, startMs)))

  it.each(['its tenant', 'all tenants'])(
    'of tagging for %s keeps a garment, for days, until it is over',
    async (whose) => {
      const scene = await newScene()
      const tenant = whose === 'its tenant' ? scene.tenantId : undefined
      await putPause(bindings, { tagging: true, tenant }, scene.clock.now)
      scene.clock.now += 50 * hour
      expect(await scene.tag()).toEqual({ retry: false })
      await sweepGarments(scene.sweepDeps, scene.clock.now)
      expect([scene.enqueued(), (await scene.garment()).status]).toEqual([[], 'queuing'])
      await putPause(bindings, { tagging: false, tenant }, scene.clock.now)
      await sweepGarments(scene.sweepDeps, scene.clock.now + minute)
      expect(scene.enqueued()).toEqual([scene.message])
      await scene.tag()
      expect((await scene.garment()).status).toBe('complete')
    },
  )

  it('of one tenant stops no other', async () => {
    const [paused, other] = [await newScene(), await newScene()]
    await putPause(bindings, { tagging: true, tenant: paused.tenantId }, startMs)
    await other.tag()
    expect((await other.garment()).status).toBe('complete')
  })

  it('has the time of its last change, not of a repeated request', async () => {
    const { tenantId: tenant } = await newScene()
    const changedAt = async (change: object, at: number) =>
      (await putPause(bindings, { tenant, ...change }, at)).changedAt
    expect(await changedAt({ tagging: true }, startMs)).toBe(startMs)
    expect(await changedAt({ tagging: true, deliveries: false }, startMs + 1)).toBe(startMs)
    expect(await changedAt({ deliveries: false }, startMs + 2)).toBe(startMs)
    expect(await changedAt({ deliveries: true }, startMs + 3)).toBe(startMs + 3)
    expect(await changedAt({ tagging: false }, startMs + 4)).toBe(startMs + 4)
  })

  it('of deliveries makes no attempt until it is over', async () => {
    const scene = await newDelivery()
    await putPause(bindings, { deliveries: true, tenant: scene.tenantId }, startMs)
    await scene.attempt(1)
    expect(await scene.received()).toEqual([])
    scene.clock.now += 5 * minute
    expect(await sweepDelivery(scene)).toEqual([])
    await putPause(bindings, { deliveries: false, tenant: scene.tenantId }, startMs)
    expect(await sweepDelivery(scene)).toEqual([expect.objectContaining({ deliveryId: scene.deliveryId })])
    await scene.attempt(1)
    expect((await scene.row())?.status).toBe('delivered')
  })
})
