import { applyD1Migrations, type D1Migration } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import { removeExpiredGarments } from '../../src/garments/remove-expired-garments.ts'
import { removeExpiredDeliveries } from '../../src/webhooks/remove-expired.ts'
import { bindings, uploadLimits } from '../service.ts'
import { copyGarment } from '../support/stored-garment/copy-garment.ts'
import { countDatabase } from '../support/count-database.ts'
import { deliverGarment, insertReceiver, type StoredResult } from '../support/stored-garment/deliver-garment.ts'
import { startMs } from './scene.ts'

const { EMPTY_DB_1, EMPTY_DB_2, EMPTY_DB_3, TEST_MIGRATIONS } = env as unknown as {
  EMPTY_DB_1: D1Database
  EMPTY_DB_2: D1Database
  EMPTY_DB_3: D1Database
  TEST_MIGRATIONS: D1Migration[]
}

const sizeOf = async (database: D1Database) => (await database.prepare('SELECT 1').run()).meta.size_after

/** Bytes of a garment in a database that is empty but for it and its copies. */
async function bytesOf(database: D1Database, result: StoredResult): Promise<number> {
  const copies = 3000
  const tenantId = crypto.randomUUID()
  await applyD1Migrations(database, TEST_MIGRATIONS)
  await insertReceiver(database, tenantId)
  await deliverGarment(database, { tenantId, uuid: crypto.randomUUID(), nowMs: startMs, result }, uploadLimits)
  const before = await sizeOf(database)
  await copyGarment(database, copies)
  return ((await sizeOf(database)) - before) / copies
}

it('a garment takes at most 2.4 kB with its delivery and an attempt, and 1.2 kB more for the details', async () => {
  const earlier = await bytesOf(EMPTY_DB_1, 'earlier')
  expect(earlier).toBeGreaterThan(1000)
  expect(earlier).toBeLessThan(2400)
  expect(await bytesOf(EMPTY_DB_2, 'today')).toBeLessThan(3600)
  // With a long second opinion and the text that searches find it by, its row has a page of the database to itself.
  expect(await bytesOf(EMPTY_DB_3, 'asked')).toBeLessThan(5200)
})

it('a garment that is tagged, delivered and removed writes at most 18 rows', async () => {
  const tenantId = crypto.randomUUID()
  const { DB, counts } = countDatabase(bindings.DB)
  await insertReceiver(DB, tenantId)
  const run = async (uuid: string) => await deliverGarment(DB, { tenantId, uuid, nowMs: startMs }, uploadLimits)
  // The first one of a tenant and a day makes the rows that count.
  await run('first')
  counts.rowsWritten = 0
  await run('second')
  await run('third')
  const db = openDatabase(DB)
  const pictures = { delete: async () => {} } as unknown as R2Bucket
  const tenants = [{ id: tenantId, beforeMs: startMs + 1 }]
  expect(await removeExpiredGarments({ db, pictures }, tenants, 500)).toBe(3)
  expect(await removeExpiredDeliveries(db, tenants, 500)).toBe(3)
  // The removal of the first one, whose other rows are not counted, and one row of the tenant for all three.
  expect(counts.rowsWritten - 3).toBeLessThanOrEqual(2 * 18)
})
