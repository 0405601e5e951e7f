import { eq, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { openDatabase } from '../../../src/db/client.ts'
import { deliveries } from '../../../src/db/schema.ts'
import { startDelivery } from '../../../src/webhook/delivery/transitions.ts'
import { attemptDelivery } from '../../../src/webhook/dispatch/attempt-delivery.ts'
import { bindings } from '../../service.ts'
import { wrapDatabase } from '../../support/wrap-database.ts'
import { db, newScene, startMs } from '../scene.ts'

it('a delivery that succeeds at once writes eight rows at most, from its start to its recorded attempt', async () => {
  const scene = await newScene()
  // A first one, because the day's count exists by the time of nearly every delivery.
  await scene.attempt(1)
  await db.delete(deliveries).where(eq(deliveries.tenantId, scene.tenantId))

  let written = 0
  const counted = wrapDatabase(bindings.DB, async (run) => {
    const result = await run()
    for (const each of [result].flat()) written += (each as D1Result).meta.rows_written
    return result
  })
  const { statement, message } = startDelivery(openDatabase(counted), scene.tenantId, scene.uuid, sql`1`, startMs)
  // In a batch, as when a garment ends: only then does the result say how many rows were written.
  await openDatabase(counted).batch([statement])
  await attemptDelivery(message, { ...scene.dependencies, db: openDatabase(counted) })
  expect(await scene.received()).toHaveLength(2)
  expect(written).toBeGreaterThan(5)
  expect(written).toBeLessThanOrEqual(8)
})
