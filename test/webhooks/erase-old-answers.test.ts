import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { deliveries, deliveryAttempts } from '../../src/platform/db/schema.ts'
import { dayMs } from '../../src/time.ts'
import { eraseOldAnswers, removeExpiredDeliveries } from '../../src/webhooks/maintain-webhooks.ts'
import { taggingDelivery } from '../support/tagging-delivery.ts'
import { db } from './webhook-scene.ts'

const nowMs = Date.UTC(2026, 10, 21)
const weekAgo = nowMs - 7 * dayMs

async function insertDelivery(tenantId: string, row: Partial<typeof deliveries.$inferInsert>, answer: string | null) {
  const id = crypto.randomUUID()
  const createdAt = row.createdAt ?? nowMs
  await db
    .insert(deliveries)
    .values({ ...taggingDelivery, id, tenantId, garmentUuid: id, status: 'delivered', createdAt, updatedAt: 1, ...row })
  await db.insert(deliveryAttempts).values({
    deliveryId: id,
    attempt: 1,
    tenantId,
    at: createdAt,
    durationMs: 1,
    responseStatus: 200,
    responseBody: answer,
    trigger: 'automatic',
  })
  return id
}

describe('the answers of attempts', () => {
  it("are erased after 7 days, in bounded steps, and no other tenant's", async () => {
    const [tenantId, other] = [crypto.randomUUID(), crypto.randomUUID()]
    const old = { createdAt: weekAgo - 1 }
    for (let i = 0; i < 3; i++) await insertDelivery(tenantId, old, 'an answer')
    await insertDelivery(tenantId, { createdAt: weekAgo }, 'a recent answer')
    await insertDelivery(other, old, 'an answer of another')
    const tenants = [{ id: tenantId, beforeMs: 0 }]
    const steps: number[] = []
    do steps.push(await eraseOldAnswers(db, tenants, nowMs, 2))
    while (steps.at(-1) !== 0)
    expect(steps).toEqual([2, 1, 0])
    const answersOf = async (id: string) => {
      const rows = await db.select().from(deliveryAttempts).where(eq(deliveryAttempts.tenantId, id))
      return rows.flatMap(({ responseBody }) => responseBody ?? [])
    }
    expect([await answersOf(tenantId), await answersOf(other)]).toEqual([['a recent answer'], ['an answer of another']])
  })
})

it('ended deliveries about deleted garments and the account are removed with their attempts after 7 days', async () => {
  const tenantId = crypto.randomUUID()
  const old = { createdAt: weekAgo - 1 }
  const account = { kind: 'account', body: '{}' } as const
  for (const row of [{ kind: 'deletion' }, { kind: 'deletion', status: 'permanently_failed' }, account] as const)
    await insertDelivery(tenantId, { ...old, ...row }, null)
  const kept = [
    await insertDelivery(tenantId, { kind: 'deletion', createdAt: weekAgo }, null),
    await insertDelivery(tenantId, { ...account, createdAt: weekAgo }, null),
    await insertDelivery(tenantId, { ...old, kind: 'deletion', status: 'pending', dueAt: 9e15 }, null),
    await insertDelivery(tenantId, old, null),
  ]
  const steps: number[] = []
  do steps.push(await removeExpiredDeliveries(db, [{ id: tenantId, beforeMs: 0 }], nowMs, 2))
  while (steps.at(-1) !== 0)
  expect(steps).toEqual([2, 1, 0])
  const left = await db.select().from(deliveries).where(eq(deliveries.tenantId, tenantId))
  expect(left.map(({ id }) => id).sort()).toEqual(kept.sort())
  expect(await db.$count(deliveryAttempts, eq(deliveryAttempts.tenantId, tenantId))).toBe(kept.length)
})
