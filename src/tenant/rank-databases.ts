import { fullShare, maxDatabaseBytes, maxSweepAgeMs } from '../db/databases/database-state.ts'
import type { databases } from '../db/schema.ts'

/** Sizes that differ by less count as equal, so that new tenants spread over databases that have the same room. */
const stepBytes = maxDatabaseBytes / 100

type DatabaseState = typeof databases.$inferSelect

/**
 * The databases that may get a new tenant, the best one first: the one with most room, and those last whose sweep is
 * late. `random` decides between equal ones. One that was not swept yet is new and empty.
 */
export function rankDatabases(
  numbers: readonly number[],
  states: readonly DatabaseState[],
  { nowMs, random }: { readonly nowMs: number; readonly random: () => number },
): number[] {
  const known = new Map(states.map((state) => [state.number, state]))
  return numbers
    .filter((number) => (known.get(number)?.bytes ?? 0) < maxDatabaseBytes * fullShare)
    .map((number) => {
      const { bytes = 0, sweptAt = nowMs } = known.get(number) ?? {}
      const isLate = nowMs - sweptAt > maxSweepAgeMs
      return { number, isLate, steps: Math.floor(bytes / stepBytes), draw: random() }
    })
    .sort((a, b) => Number(a.isLate) - Number(b.isLate) || a.steps - b.steps || a.draw - b.draw)
    .map(({ number }) => number)
}
