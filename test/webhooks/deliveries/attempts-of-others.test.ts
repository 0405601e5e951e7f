import { and, eq, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { deliveries, deliveryAttempts } from '../../../src/platform/db/schema.ts'
import { removeDeliveries, renameDeliveries } from '../../../src/events/delivery-transitions.ts'
import { db, newScene, startMs } from '../webhook-scene.ts'

it("an attempt that is recorded after its delivery was removed leaves another tenant's attempts alone", async () => {
  const [scene, other] = [await newScene({ delivery: { attemptCount: 22 } }), await newScene({ query: 'status=500' })]
  await other.attempt(1)
  const number = (await scene.row())?.number ?? 0
  await scene.attempt(23, {
    call: async (call, origin) => {
      const answer = await scene.deps.call(call, origin)
      const removed = { tenantId: scene.tenantId, garmentUuid: scene.uuid, when: sql`1` }
      await db.batch([...removeDeliveries(db, removed, startMs)])
      // SQLite gives the number to the next delivery.
      await db
        .update(deliveries)
        .set({ number })
        .where(and(eq(deliveries.tenantId, other.tenantId), eq(deliveries.id, other.deliveryId)))
      return answer
    },
  })
  expect(await scene.received()).toHaveLength(1)
  expect(await other.row()).toMatchObject({ number, status: 'pending', attemptCount: 1 })
  expect(await other.attempts()).toHaveLength(1)
  expect(await db.$count(deliveryAttempts, eq(deliveryAttempts.tenantId, scene.tenantId))).toBe(0)
})

it('the attempts of a delivery that gets another id go with it', async () => {
  const scene = await newScene({ query: 'status=500' })
  await scene.attempt(1)
  const { tenantId, uuid } = scene
  await db.batch([...renameDeliveries(db, { tenantId, garmentUuid: uuid, when: sql`1` }, startMs)])
  const [renamed] = await db.select().from(deliveries).where(eq(deliveries.tenantId, tenantId))
  expect(renamed?.id).not.toBe(scene.deliveryId)
  const attempts = await db.select().from(deliveryAttempts).where(eq(deliveryAttempts.tenantId, tenantId))
  expect(attempts.map(({ deliveryId }) => deliveryId)).toEqual([renamed?.id])
})
