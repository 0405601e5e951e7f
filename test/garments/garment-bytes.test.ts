import { expect, it } from 'vitest'
import { newTenantId } from '../../src/platform/db/databases.ts'
import { openMemoryDatabase } from '../bench/tagging/memory-database.ts'
import { deliverGarment, insertReceiver } from '../support/stored-garment/deliver-garment.ts'

it('a realistic garment takes at most 2.73 kB with its listing, its delivery and all attempts', async () => {
  const { database, binding } = openMemoryDatabase()
  const tenantId = newTenantId(1)
  await insertReceiver(binding, tenantId)
  const noLimit = 1e15
  const of = { garments: noLimit, import_lines: noLimit, text_bytes: noLimit, files: noLimit, file_bytes: noLimit }
  const limits = { maxWaiting: noLimit, quotas: { ...of, growthDays: 1, nowMs: 0 } }
  const bytes = () =>
    Number(database.prepare("SELECT sum(pgsize) AS bytes FROM dbstat WHERE name <> 'sqlite_schema'").get()?.['bytes'])
  const before = bytes()
  const count = 200
  for (let seed = 0; seed < count; seed++)
    await deliverGarment(binding, { tenantId, uuid: crypto.randomUUID(), nowMs: 1e12 + seed, seed }, limits)
  const each = (bytes() - before) / count
  database.close()
  expect(each).toBeGreaterThan(2000)
  expect(each).toBeLessThanOrEqual(2730)
})
