import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { addCounts } from '../cost/counts.ts'
import { limits, sumCost } from '../cost/limits.ts'
import { measureCounts } from '../cost/measure-counts.ts'
import { operations, storage, viewedShare } from '../cost/prices.ts'
import { measureGarmentBytes } from '../support/stored-garment/measure-garment-bytes.ts'

it('a million garments cost no more than their budget', async () => {
  // Processor time depends on the machine, so the test takes the figure that the documentation records.
  const [, cpuMs] = /\| CPU +\| ([\d.]+) ms/.exec(readFileSync('docs/operations/cost.md', 'utf8')) ?? []
  const { garment, view } = await measureCounts({ garments: 12, readCpuMs: () => 0 })
  const used = operations({ ...addCounts(garment, view, viewedShare), cpuMs: Number(cpuMs) })
  const { bytes: databaseBytes } = await measureGarmentBytes(300)
  expect(garment.rowsWritten).toBeGreaterThan(10)
  expect(garment.rowsWritten).toBeLessThanOrEqual(limits.rowsWritten)
  expect(sumCost(used)).toBeLessThanOrEqual(limits.operations)
  const kept = sumCost(storage(365, { databaseBytes, r2Bytes: garment.r2Bytes }))
  expect(garment.r2Bytes).toBeGreaterThan(10_000)
  expect(sumCost(used) + kept).toBeLessThanOrEqual(limits.withYear)
})
