import { expect, it } from 'vitest'
import { rankDatabases } from '../../src/accounts/create-tenant.ts'

const nowMs = 1_000_000_000
const gigabyte = 1_000_000_000
const state = (number: number, bytes: number, sweptAt = nowMs) => ({ number, bytes, sweptAt, failedParts: '' })
const rank = (...states: ReturnType<typeof state>[]) => rankDatabases([1, 2, 3], states, { nowMs, random: () => 0 })

it('a new tenant goes to the database with most room; one that was not swept yet counts as empty', () => {
  expect(rank(state(1, 5 * gigabyte), state(2, 2 * gigabyte), state(3, 4 * gigabyte))).toEqual([2, 3, 1])
  expect(rank(state(1, 5 * gigabyte), state(2, 2 * gigabyte))).toEqual([3, 2, 1])
})

it('a database above 80 % takes no new tenant', () => {
  expect(rank(state(1, 8 * gigabyte), state(2, 7.9 * gigabyte), state(3, 9 * gigabyte))).toEqual([2])
})

it('a new tenant goes last to a database that was not swept for three minutes', () => {
  expect(rank(state(1, 5 * gigabyte), state(2, 0, nowMs - 200_000), state(3, 4 * gigabyte))).toEqual([3, 1, 2])
})

it('a new tenant goes to a random one of databases of nearly the same size', () => {
  const draws = [0.9, 0.1, 0.5]
  const states = [state(1, 40_000_000), state(2, 90_000_000), state(3, 0)]
  expect(rankDatabases([1, 2, 3], states, { nowMs, random: () => draws.shift() ?? 0 })).toEqual([2, 3, 1])
})
