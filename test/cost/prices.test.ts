import { expect, it } from 'vitest'
import { noCounts } from './counts.ts'
import { billedFor, costOf, operations } from './prices.ts'

const rowsOf = (rowsWritten: number) => {
  const part = operations({ ...noCounts(), rowsWritten }).find(({ name }) => name === 'D1 rows written')
  if (part === undefined) throw new Error('There is no such part')
  return part
}

it('a part costs its price for every million, and is billed above what the plan includes', () => {
  expect(costOf(rowsOf(21), 1_000_000)).toBe(21)
  expect([billedFor(rowsOf(21), 1_000_000), billedFor(rowsOf(21), 100_000_000)]).toEqual([0, 2050])
})

it('each batch of a queue is billed like a request', () => {
  const [requests] = operations({ ...noCounts(), requests: 3, batches: 2 })
  expect(requests?.used).toBe(5)
})
