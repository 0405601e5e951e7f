import { expect, it } from 'vitest'
import { firstConcurrency, helperOf, nextConcurrency } from '../../../src/webhook/dispatch/concurrency.ts'

const quick = { ok: true, durationMs: 20 }

const after = (answers: readonly (typeof quick)[]) => answers.reduce(nextConcurrency, firstConcurrency).limit

it('the concurrency of an endpoint grows to six while it answers quickly, one step at a time', () => {
  expect([3, 4, 8, 9, 100].map((count) => after(Array(count).fill(quick)))).toEqual([4, 5, 5, 6, 6])
})

it('the concurrency of an endpoint halves when it answers slowly or not with 2xx, down to two', () => {
  const full = Array(20).fill(quick)
  for (const bad of [
    { ok: true, durationMs: 1001 },
    { ok: false, durationMs: 5 },
  ]) {
    expect([1, 2, 10].map((count) => after([...full, ...Array(count).fill(bad)]))).toEqual([3, 2, 2])
    expect(after([...full, bad, bad, ...full])).toBe(6)
  }
})

it('a slow answer in between restarts the growth', () => {
  const mixed = Array.from({ length: 60 }, (_, i) => (i % 3 === 0 ? { ok: true, durationMs: 5000 } : quick))
  expect(after(mixed)).toBeLessThanOrEqual(3)
})

it('helpers take three of four attempts of an endpoint that is quick and has a backlog, and no other', () => {
  const turns = Array.from({ length: 8 }, (_, turn) => turn)
  expect(turns.map((turn) => helperOf({ limit: 6, waiting: 60, turn }))).toEqual([0, 1, 2, 3, 0, 1, 2, 3])
  expect(turns.map((turn) => helperOf({ limit: 6, waiting: 59, turn }))).toEqual(Array(8).fill(0))
  expect(turns.map((turn) => helperOf({ limit: 5, waiting: 9999, turn }))).toEqual(Array(8).fill(0))
})
