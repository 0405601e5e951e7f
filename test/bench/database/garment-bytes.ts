/**
 * `node --js-base-64 test/bench/database/garment-bytes.ts`: measures the database bytes of a realistic garment with
 * its delivery and attempts, by table and index, with 4 KB pages like D1's. `--garments 50000` sets their number. The
 * service's own statements write them.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { deliverGarment, insertReceiver } from '../../support/stored-garment/deliver-garment.ts'
import { newTenantId } from '../../../src/platform/db/databases.ts'
import { openMemoryDatabase } from '../tagging/memory-database.ts'

const { values } = parseArgs({ options: { garments: { type: 'string', default: '50000' } } })
const count = Number(values.garments)
const nowMs = Date.UTC(2026, 10, 21)
const noLimit = 1e15
const quotas = {
  garments: noLimit,
  import_lines: noLimit,
  text_bytes: noLimit,
  files: noLimit,
  file_bytes: noLimit,
  growthDays: 1,
  nowMs: 0,
}

const { database, binding } = openMemoryDatabase()
const tenantId = newTenantId(1)
await insertReceiver(binding, tenantId)
for (let seed = 0; seed < count; seed++)
  await deliverGarment(
    binding,
    { tenantId, uuid: crypto.randomUUID(), nowMs: nowMs + seed, seed },
    { maxWaiting: noLimit, quotas },
  )
const sizes = database
  .prepare(
    'SELECT name, sum(pgsize) AS bytes, sum(payload) AS payload FROM dbstat GROUP BY name HAVING bytes > 4096 ORDER BY bytes DESC',
  )
  .all()
  .map(({ name, bytes, payload }) => ({
    name: String(name),
    bytes: Number(bytes) / count,
    payload: Number(payload) / count,
  }))
const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
for (const { name, bytes, payload } of sizes)
  process.stdout.write(`${name}: ${Math.round(bytes)} bytes, ${Math.round(payload)} of content\n`)
process.stdout.write(`${Math.round(total)} bytes a garment\n`)
