/**
 * `node --js-base-64 test/bench/database/garment-bytes.ts`: measures the database bytes of a realistic garment with
 * its delivery and attempts, by table and index, with 4 KB pages like D1's. `--garments 50000` sets their number. The
 * service's own statements write them.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { measureGarmentBytes } from '../../support/stored-garment/measure-garment-bytes.ts'

const { values } = parseArgs({ options: { garments: { type: 'string', default: '50000' } } })
const { bytes: total, sizes } = await measureGarmentBytes(Number(values.garments))
for (const { name, bytes, payload } of sizes)
  process.stdout.write(`${name}: ${Math.round(bytes)} bytes, ${Math.round(payload)} of content\n`)
process.stdout.write(`${Math.round(total)} bytes a garment\n`)
