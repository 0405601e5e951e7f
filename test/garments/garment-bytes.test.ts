import { createHash } from 'node:crypto'
import { expect, it, onTestFinished, vi } from 'vitest'
import { newTenantId } from '../../src/platform/db/databases.ts'
import { openMemoryDatabase } from '../bench/tagging/memory-database.ts'
import { deliverGarment, insertReceiver } from '../support/stored-garment/deliver-garment.ts'

it('a realistic garment takes at most 4.5 kB with its listing, its delivery and all attempts', async () => {
  // The same ids each time, since chance decides where pages split.
  let made = 0
  const randomUuid = vi.spyOn(crypto, 'randomUUID').mockImplementation(() => {
    const hex = createHash('sha256').update(String(made++)).digest('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
  })
  onTestFinished(() => randomUuid.mockRestore())
  const { database, binding } = openMemoryDatabase()
  const tenantId = newTenantId(1)
  await insertReceiver(binding, tenantId)
  const noLimit = 1e15
  const of = { garments: noLimit, import_lines: noLimit, text_bytes: noLimit, files: noLimit, file_bytes: noLimit }
  const limits = { maxWaiting: noLimit, quotas: { ...of, growthDays: 1, nowMs: 0 } }
  const bytes = () =>
    Number(database.prepare("SELECT sum(pgsize) AS bytes FROM dbstat WHERE name <> 'sqlite_schema'").get()?.['bytes'])
  const before = bytes()
  const count = 600
  for (let seed = 0; seed < count; seed++)
    await deliverGarment(binding, { tenantId, uuid: crypto.randomUUID(), nowMs: 1e12 + seed, seed }, limits)
  const each = (bytes() - before) / count
  database.close()
  expect(each).toBeGreaterThan(3000)
  expect(each).toBeLessThanOrEqual(4500)
})
