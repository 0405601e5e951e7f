import { eq, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { deliveries, deliveryAttempts } from '../../../src/platform/db/schema.ts'
import { runBatch } from '../../../src/platform/db/database.ts'
import { renameDeliveries } from '../../../src/events/delivery-transitions.ts'
import { removeDeliveries } from '../../../src/events/remove-deliveries.ts'
import { db, newScene, startMs } from '../webhook-scene.ts'

it('an attempt whose delivery is removed meanwhile is not recorded', async () => {
  const scene = await newScene({ delivery: { attemptCount: 22 } })
  await scene.attempt(23, {
    call: async (call, origin) => {
      const answer = await scene.deps.call(call, origin)
      const removed = { tenantId: scene.tenantId, garmentUuid: scene.uuid, when: sql`1` }
      await runBatch(db, { removed: removeDeliveries(db, removed, startMs) })
      return answer
    },
  })
  expect(await scene.received()).toHaveLength(1)
  expect(await scene.row()).toBeUndefined()
  expect(await scene.attempts()).toEqual([])
})

it('the attempts of a delivery that gets another id go with it', async () => {
  const scene = await newScene({ query: 'status=500' })
  await scene.attempt(1)
  const { tenantId, uuid } = scene
  await renameDeliveries(db, { tenantId, garmentUuid: uuid, when: sql`1` }, startMs)
  const [renamed] = await db.select().from(deliveries).where(eq(deliveries.tenantId, tenantId))
  expect(renamed?.id).not.toBe(scene.deliveryId)
  const attempts = await db.select().from(deliveryAttempts).where(eq(deliveryAttempts.tenantId, tenantId))
  expect(attempts.map(({ deliveryId }) => deliveryId)).toEqual([renamed?.id])
})
