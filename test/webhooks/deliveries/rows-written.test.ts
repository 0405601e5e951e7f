import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { openDatabase, runBatch } from '../../../src/platform/db/database.ts'
import { deliveries, deliveryAttempts } from '../../../src/platform/db/schema.ts'
import { startDeliveries } from '../../../src/events/delivery-transitions.ts'
import { attemptDelivery } from '../../../src/webhooks/deliveries/attempt-delivery.ts'
import { bindings } from '../../service.ts'
import { countDatabase } from '../../support/count-database.ts'
import { db, newScene, startedOf, startMs } from '../webhook-scene.ts'

it('a delivery that succeeds at once writes thirteen rows at most, from its start to its recorded attempt', async () => {
  const scene = await newScene()
  // A first one, because the day's count exists by the time of nearly every delivery.
  await scene.attempt(1)
  await db.delete(deliveryAttempts).where(eq(deliveryAttempts.tenantId, scene.tenantId))
  await db.delete(deliveries).where(eq(deliveries.tenantId, scene.tenantId))

  const { DB, counts } = countDatabase(bindings.DB)
  const counted = openDatabase(DB)
  const { statements, messagesOf } = startDeliveries(counted, startedOf(scene), startMs)
  const [message] = messagesOf((await runBatch(counted, { started: statements })).started)
  if (message === undefined) throw new Error('No delivery was started')
  await attemptDelivery(message, { ...scene.deps, db: counted })
  expect(await scene.received()).toHaveLength(2)
  expect(counts.rowsWritten).toBeGreaterThan(9)
  expect(counts.rowsWritten).toBeLessThanOrEqual(13)
})
