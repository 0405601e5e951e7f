import { taggingDelivery } from '../../support/tagging-delivery.ts'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../../src/platform/db/database.ts'
import * as schema from '../../../src/platform/db/schema.ts'
import { type DeliveryFilter, findDeliveryHistory } from '../../../src/webhooks/deliveries/list-deliveries.ts'
import { findDeliveries } from '../../../src/dashboard/webhook/deliveries-page.tsx'
import { bindings } from '../../service.ts'
import { countDatabase } from '../../support/count-database.ts'
import { db, insertDeliveries, newScene } from '../webhook-scene.ts'

const statuses = ['pending', 'delivered', 'permanently_failed'] as const

beforeAll(async () => {
  const rows = Array.from({ length: 30 }, (_, i) => ({
    id: `delivery-${String(i).padStart(2, '0')}`,
    tenantId: 'lists',
    garmentUuid: `g-${i}`,
    ...taggingDelivery,
    status: statuses[i % 3] ?? 'pending',
    dueAt: i % 3 === 0 ? 1 + Math.floor(i / 2) : null,
    createdAt: 1 + Math.floor(i / 2),
    updatedAt: i,
  }))
  // At most 100 bound parameters a query.
  for (const row of rows) await db.insert(schema.deliveries).values(row)
})

/**
 * Ended deliveries `e1`, `e2` ... created at 1, 2 ..., of which each `everyth` is to `endpoint`; odd ones have failed.
 */
async function insertToEndpoint(
  tenantId: string,
  { endpoint, count, everyth }: { endpoint: string; count: number; everyth: number },
) {
  await db.run(sql`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT INTO deliveries (id, tenant_id, garment_uuid, kind, endpoint_id, status, created_at, updated_at)
    SELECT ${tenantId} || i, ${tenantId}, 'e' || i, 'tagging', iif(i % ${everyth}, 'other', ${endpoint}),
      iif(i % 2, 'permanently_failed', 'delivered'), i, 1 FROM n`)
}

describe('the list of deliveries', () => {
  it('pages through every delivery once, newest first', async () => {
    const all: string[] = []
    let cursor: string | undefined
    do {
      const page = await findDeliveries(db, 'lists', { limit: 7, cursor })
      all.push(...page.deliveries.map(({ garmentUuid }) => garmentUuid))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(all).toEqual(Array.from({ length: 30 }, (_, i) => `g-${29 - i}`))
  })

  it('can be filtered by status', async () => {
    const { deliveries, nextCursor } = await findDeliveries(db, 'lists', { status: 'delivered', limit: 10 })
    expect([deliveries.length, nextCursor]).toEqual([10, null])
    expect(new Set(deliveries.map(({ status }) => status))).toEqual(new Set(['delivered']))
  })

  it('can be filtered by endpoint and by when they were created', async () => {
    const [tenantId, id] = [crypto.randomUUID(), crypto.randomUUID()]
    await insertDeliveries(tenantId, 1, { createdAt: 10, dueAt: 500 })
    await insertToEndpoint(tenantId, { endpoint: id, count: 30, everyth: 3 })
    const list = async (filter: Partial<DeliveryFilter>) =>
      (await findDeliveries(db, tenantId, { limit: 50, ...filter })).deliveries.map(({ garmentUuid }) => garmentUuid)
    const all = Array.from({ length: 10 }, (_, i) => `e${30 - 3 * i}`)
    expect(await list({ endpointId: id })).toEqual(all)
    expect(await list({ endpointId: id, status: 'delivered' })).toEqual(all.filter((_, i) => i % 2 === 0))
    expect(await list({ endpointId: id, fromMs: 15, untilMs: 25 })).toEqual(['e24', 'e21', 'e18', 'e15'])
    expect(await list({ fromMs: 24 })).toEqual(['e30', 'e29', 'e28', 'e27', 'e26', 'e25', 'e24'])
    expect(await list({ endpointId: 'first', status: 'pending' })).toEqual(['1'])
    expect(await list({ endpointId: id, status: 'pending' })).toEqual([])
    expect(await list({ endpointId: 'unknown' })).toEqual([])
  })

  it('of an endpoint that has few reads a bounded number of rows a page, and pages through all of them', async () => {
    const [tenantId, id] = [crypto.randomUUID(), crypto.randomUUID()]
    await insertToEndpoint(tenantId, { endpoint: id, count: 5000, everyth: 900 })
    const { DB, counts } = countDatabase(bindings.DB)
    const counted = openDatabase(DB)
    const all: string[] = []
    let [cursor, pages]: [string | undefined, number] = [undefined, 0]
    do {
      counts.rowsRead = 0
      const page = await findDeliveries(counted, tenantId, { endpointId: id, limit: 2, cursor })
      expect(counts.rowsRead).toBeLessThan(6500)
      all.push(...page.deliveries.map(({ garmentUuid }) => garmentUuid))
      cursor = page.nextCursor ?? undefined
      pages++
    } while (cursor !== undefined)
    expect(all).toEqual(['e4500', 'e3600', 'e2700', 'e1800', 'e900'])
    expect(pages).toBeLessThan(8)
  })

  it("shows none of another tenant's, and refuses an invalid cursor", async () => {
    expect(await findDeliveries(db, 'another', { limit: 5 })).toMatchObject({ deliveries: [], nextCursor: null })
    await expect(findDeliveries(db, 'lists', { limit: 5, cursor: 'x' })).rejects.toMatchObject({ status: 400 })
  })
})

describe('the history of a delivery', () => {
  it('pages through its attempts, newest first, and says whether the webhook is on', async () => {
    const scene = await newScene({ query: 'status=500,500,200' })
    for (const attempt of [1, 2, 3]) {
      scene.clock.now = (await scene.row())?.nextAttemptAt ?? 0
      await scene.attempt(attempt)
    }
    const first = await findDeliveryHistory(db, scene.tenantId, scene.uuid, { limit: 2 })
    expect(first).toMatchObject({ delivery: { status: 'delivered', attemptCount: 3 }, isWebhookOn: true })
    expect(first?.attempts.map(({ responseStatus }) => responseStatus)).toEqual([200, 500])
    const cursor = first?.nextCursor ?? undefined
    const second = await findDeliveryHistory(db, scene.tenantId, scene.uuid, { limit: 2, cursor })
    expect(second?.attempts.map(({ attempt }) => attempt)).toEqual([1])
    expect(second?.nextCursor).toBe(null)
    await scene.configure({ enabled: false })
    expect(await findDeliveryHistory(db, scene.tenantId, scene.uuid, { limit: 2 })).toMatchObject({
      isWebhookOn: false,
    })
  })

  it("is null for an unknown uuid and for another tenant's", async () => {
    const { tenantId, uuid } = await newScene()
    expect(await findDeliveryHistory(db, tenantId, 'unknown', { limit: 2 })).toBe(null)
    expect(await findDeliveryHistory(db, 'another', uuid, { limit: 2 })).toBe(null)
  })
})
