import { rankedNames } from '../correction/rules/allowed-values.ts'
import type { Corrections } from '../correction/rules/correction.ts'
import { dayMs, dayOf } from '../time.ts'

/** The Monday (UTC) of the week: `2026-11-16`. */
export function weekOf(ms: number): string {
  const daysSinceMonday = (new Date(ms).getUTCDay() + 6) % 7
  return dayOf(ms - daysSinceMonday * dayMs)
}

/** `Colour Low stood`: the key under which an outcome is counted. */
export const outcomeKey = (name: string, confidence: string, outcome: 'stood' | 'changed') =>
  `${name} ${confidence} ${outcome}`

type CountsByWeek = Record<string, Record<string, number>>

/**
 * What a correction adds to the counts of each week, and what it subtracts for the correction that it replaces. Neither
 * values that nobody reviewed nor changes made without a review are counted.
 */
export function outcomeChanges(before: Corrections, after: Corrections): CountsByWeek {
  const changes: CountsByWeek = {}
  const add = (corrections: Corrections, number: number) => {
    for (const name of rankedNames()) {
      const correction = corrections.tag[name]
      // Without a confidence no value was predicted.
      if (correction === undefined || correction.confidence === null || correction.counted === false) continue
      const outcome = correction.value === correction.machine ? 'stood' : 'changed'
      const key = outcomeKey(name, correction.confidence, outcome)
      const week = (changes[weekOf(correction.at)] ??= {})
      week[key] = (week[key] ?? 0) + number
    }
  }
  add(before, -1)
  add(after, 1)
  for (const week of Object.values(changes))
    for (const [key, number] of Object.entries(week)) if (number === 0) delete week[key]
  return changes
}
