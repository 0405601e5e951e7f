import { beforeAll, describe, expect, it } from 'vitest'
import * as schema from '../../../src/db/schema.ts'
import { findDeliveryHistory } from '../../../src/webhook/delivery/find-delivery-history.ts'
import { listDeliveries } from '../../../src/webhook/delivery/list-deliveries.ts'
import { db, newScene } from '../scene.ts'

const statuses = ['pending', 'delivered', 'permanently_failed'] as const

beforeAll(async () => {
  const rows = Array.from({ length: 30 }, (_, i) => ({
    id: `delivery-${String(i).padStart(2, '0')}`,
    tenantId: 'lists',
    garmentUuid: `g-${i}`,
    status: statuses[i % 3] ?? 'pending',
    dueAt: i % 3 === 0 ? 1 + Math.floor(i / 2) : null,
    createdAt: 1 + Math.floor(i / 2),
    updatedAt: i,
  }))
  // At most 100 bound parameters a query.
  for (const row of rows) await db.insert(schema.deliveries).values(row)
})

describe('the list of deliveries', () => {
  it('pages through every delivery once, newest first', async () => {
    const all: string[] = []
    let cursor: string | undefined
    do {
      const page = await listDeliveries(db, 'lists', { limit: 7, cursor })
      all.push(...page.deliveries.map(({ garmentUuid }) => garmentUuid))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(all).toEqual(Array.from({ length: 30 }, (_, i) => `g-${29 - i}`))
  })

  it('can be filtered by status', async () => {
    const { deliveries, nextCursor } = await listDeliveries(db, 'lists', { status: 'delivered', limit: 10 })
    expect([deliveries.length, nextCursor]).toEqual([10, null])
    expect(new Set(deliveries.map(({ status }) => status))).toEqual(new Set(['delivered']))
  })

  it("shows none of another tenant's, and refuses an invalid cursor", async () => {
    expect(await listDeliveries(db, 'another', { limit: 5 })).toEqual({ deliveries: [], nextCursor: null })
    await expect(listDeliveries(db, 'lists', { limit: 5, cursor: 'x' })).rejects.toMatchObject({ status: 400 })
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
