import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { deliveries } from '../../src/platform/db/schema.ts'
import type { DeliveryMessage } from '../../src/events/delivery.ts'
import { sweepDeliveries } from '../../src/webhooks/sweep-deliveries.ts'
import { db, insertDeliveries, newScene, sweep } from './webhook-scene.ts'

/** Sweeps at `nowMs` and gives the batches that are enqueued, of these tenants only. */
async function sweepOf(tenantIds: readonly string[], nowMs: number, maxSteps = 50) {
  const batches: DeliveryMessage[][] = []
  const sendBatch = async (messages: { body: DeliveryMessage }[]) =>
    void batches.push(messages.map(({ body }) => body).filter(({ tenantId }) => tenantIds.includes(tenantId)))
  await sweepDeliveries({ db, queue: { sendBatch } as unknown as Queue }, nowMs, { maxSteps })
  return batches
}

describe('the sweep of deliveries', () => {
  it('waits longer before each time it enqueues the same delivery, up to an hour', async () => {
    const scene = await newScene()
    const pausesMinutes: number[] = []
    for (let time = 0; time < 15; time++) {
      const dueAt = (await scene.row())?.dueAt ?? 0
      pausesMinutes.push((dueAt - scene.clock.now) / 60_000)
      scene.clock.now = dueAt
      expect(await sweep(scene, dueAt - 1)).toEqual([])
      expect(await sweep(scene, dueAt)).toEqual([scene.message(1)])
    }
    expect(pausesMinutes.slice(0, 10)).toEqual([1, 1, 1, 1.5, 2.25, 3.375, 5.0625, 7.59375, 11.390625, 17.0859375])
    expect(pausesMinutes.slice(-2)).toEqual([60, 60])
  })

  it('enqueues more than one batch, each delivery once', async () => {
    const { tenantId, deliveryId } = await newScene()
    await db.delete(deliveries).where(and(eq(deliveries.tenantId, tenantId), eq(deliveries.id, deliveryId)))
    await insertDeliveries(tenantId, 250, { dueAt: 1, nextAttemptAt: 1 })
    const bodies = (await sweepOf([tenantId], 2)).flat()
    expect(bodies).toHaveLength(250)
    expect(new Set(bodies.map(({ deliveryId: id }) => id)).size).toBe(250)
  })

  it('gives tenants turns: one with more overdue deliveries than a sweep takes does not delay another', async () => {
    const [large, small] = [await newScene(), await newScene()]
    await insertDeliveries(large.tenantId, 600, { dueAt: 1, nextAttemptAt: 1 })
    await insertDeliveries(small.tenantId, 1, { dueAt: 2, nextAttemptAt: 2 })
    const first = (await sweepOf([large.tenantId, small.tenantId], 3, 3)).flat()
    expect(first.filter(({ tenantId }) => tenantId === small.tenantId)).toHaveLength(1)
    expect(first.length).toBeLessThan(300)
    const rest = (await sweepOf([large.tenantId], 3)).flat()
    expect(first.length + rest.length).toBe(601)
  })

  it('leaves ended deliveries alone', async () => {
    const scene = await newScene()
    await scene.attempt(1)
    expect(await sweep(scene, scene.clock.now + 365 * 86_400_000)).toEqual([])
  })
})
