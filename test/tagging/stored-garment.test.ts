import { expect, it } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import { removeExpiredGarments } from '../../src/garments/remove-expired-garments.ts'
import { removeExpiredDeliveries } from '../../src/webhooks/maintain-webhooks.ts'
import { bindings, uploadLimits } from '../service.ts'
import { countDatabase } from '../support/count-database.ts'
import { deliverGarment, insertReceiver } from '../support/stored-garment/deliver-garment.ts'
import { startMs } from './scene.ts'

it('a garment that is tagged, delivered and removed writes at most 32 rows', async () => {
  const tenantId = crypto.randomUUID()
  const { DB, counts } = countDatabase(bindings.DB)
  await insertReceiver(DB, tenantId)
  const run = async (uuid: string) => await deliverGarment(DB, { tenantId, uuid, nowMs: startMs }, uploadLimits)
  // A tenant's first garment of a day also creates the rows that hold counts.
  await run('first')
  counts.rowsWritten = 0
  await run('second')
  await run('third')
  const db = openDatabase(DB)
  const pictures = { delete: async () => {} } as unknown as R2Bucket
  const tenants = [{ id: tenantId, beforeMs: startMs + 1 }]
  expect(await removeExpiredGarments({ db, pictures }, tenants, 500)).toBe(3)
  expect(await removeExpiredDeliveries(db, tenants, startMs, 500)).toBe(3)
  // Minus the removal of the first garment, and one row of the tenant for all three.
  expect(counts.rowsWritten - 3).toBeLessThanOrEqual(2 * 32)
})
