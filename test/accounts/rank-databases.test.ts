import { expect, it } from 'vitest'
import { rankDatabases } from '../../src/accounts/create-tenant.ts'

const nowMs = 1_000_000_000
const gigabyte = 1_000_000_000
const state = (number: number, bytes: number, sweptAt = nowMs) => ({
  number,
  bytes,
  sweptAt,
  tenantShare: null,
  failedParts: [],
})
const rank = (...states: ReturnType<typeof state>[]) => rankDatabases([1, 2, 3, 4], states, { nowMs, random: () => 0 })

it('a new tenant goes to the database with most room; one that was not swept yet counts as empty', () => {
  expect(rank(state(2, 4.5 * gigabyte), state(3, 2 * gigabyte), state(4, 4 * gigabyte))).toEqual([3, 4, 2])
  expect(rank(state(2, 4.5 * gigabyte), state(3, 2 * gigabyte))).toEqual([4, 3, 2])
})

it('a database above 50 % takes no new tenant', () => {
  expect(rank(state(2, 5 * gigabyte), state(3, 4.9 * gigabyte), state(4, 9 * gigabyte))).toEqual([3])
})

it("the accounts' database takes new tenants only while it is the only one", () => {
  const alone = (bytes: number) => rankDatabases([1], [state(1, bytes)], { nowMs, random: () => 0 })
  expect([alone(4 * gigabyte), alone(5 * gigabyte)]).toEqual([[1], []])
  expect(rank(state(2, 9 * gigabyte), state(3, 9 * gigabyte), state(4, 9 * gigabyte))).toEqual([])
})

it('a new tenant goes last to a database that was not swept for three minutes', () => {
  const late = nowMs - 200_000
  expect(rank(state(2, 4.5 * gigabyte), state(3, 0, late), state(4, 4 * gigabyte))).toEqual([4, 2, 3])
})

it('a new tenant goes to a random one of databases of nearly the same size', () => {
  const draws = [0.9, 0.1, 0.5]
  const states = [state(2, 40_000_000), state(3, 90_000_000), state(4, 0)]
  expect(rankDatabases([1, 2, 3, 4], states, { nowMs, random: () => draws.shift() ?? 0 })).toEqual([3, 4, 2])
})
