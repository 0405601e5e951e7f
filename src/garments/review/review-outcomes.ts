import { and, eq, gte, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { rankedNames } from '../corrections/allowed-values.ts'
import type { Corrections } from '../corrections/correction.ts'
import { dayMs, dayOf } from '../../time.ts'
import type { Database } from '../../platform/db/database.ts'
import { reviewCounts } from '../../platform/db/schema.ts'

/** Returns the Monday (UTC) of a week, such as `2026-11-16`. */
export function weekOf(ms: number): string {
  const daysSinceMonday = (new Date(ms).getUTCDay() + 6) % 7
  return dayOf(ms - daysSinceMonday * dayMs)
}

const outcomeKey = (name: string, confidence: string, outcome: 'stood' | 'changed') =>
  `${name} ${confidence} ${outcome}`

type CountsByWeek = Record<string, Record<string, number>>

/** Computes how a correction changes each week's counts. Subtracts the correction that it replaces. */
function outcomeChanges(before: Corrections, after: Corrections): CountsByWeek {
  const changes: CountsByWeek = {}
  const add = (corrections: Corrections, number: number) => {
    for (const name of rankedNames()) {
      const correction = corrections.tag[name]
      // Values without a confidence were not predicted.
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

export interface Stood {
  readonly stood: number
  readonly count: number
}

/** Quantile of the normal distribution for 95 %. */
const standardScore = 1.959964

/** Returns the confirmed share with its 95 % Wilson score interval, from 0 to 1. Null without values. */
export function shareStood({ stood, count }: Stood) {
  if (count === 0) return null
  const share = stood / count
  const scale = 1 + standardScore ** 2 / count
  const centre = (share + standardScore ** 2 / (2 * count)) / scale
  const half =
    (standardScore / scale) * Math.sqrt((share * (1 - share)) / count + standardScore ** 2 / (4 * count ** 2))
  return { share, low: Math.max(0, centre - half), high: Math.min(1, centre + half) }
}

const weekMs = 7 * dayMs

const countsSchema = z.record(z.string(), z.number())

export interface ReviewedWeek {
  readonly week: string
  readonly counts: Readonly<Record<string, number>>
}

/** Lists how many values people confirmed and changed in each of the last weeks, oldest first. */
export async function listReviewCounts(
  db: Database,
  tenantId: string,
  weeks: number,
  nowMs: number,
): Promise<ReviewedWeek[]> {
  const names = Array.from({ length: weeks }, (_, i) => weekOf(nowMs - (weeks - 1 - i) * weekMs))
  const rows = await db
    .select()
    .from(reviewCounts)
    .where(and(eq(reviewCounts.tenantId, tenantId), gte(reviewCounts.week, names[0] ?? '')))
  const known = new Map(rows.map(({ week, counts }) => [week, countsSchema.parse(JSON.parse(counts))]))
  return names.map((week) => ({ week, counts: known.get(week) ?? {} }))
}

export function sumStood(weeks: readonly ReviewedWeek[], names: readonly string[], confidence: string): Stood {
  const sum = (outcome: 'stood' | 'changed') =>
    weeks
      .flatMap(({ counts }) => names.map((name) => counts[outcomeKey(name, confidence, outcome)] ?? 0))
      .reduce((total, number) => total + number, 0)
  const stood = sum('stood')
  return { stood, count: stood + sum('changed') }
}

interface CountedCorrection {
  readonly before: Corrections
  readonly after: Corrections
  readonly condition: SQL
}

/** Must precede the statement that stores the correction. */
export function countOutcomes(db: Database, tenantId: string, { before, after, condition }: CountedCorrection) {
  const changes = Object.entries(outcomeChanges(before, after)).filter(([, week]) => Object.keys(week).length > 0)
  const sums = sql`(
    SELECT json_group_object(key, number) FROM (
      SELECT key, max(sum(value), 0) AS number FROM (
        SELECT key, value FROM json_each(review_counts.counts)
        UNION ALL SELECT key, value FROM json_each(excluded.counts)
      ) GROUP BY key
    )
  )`
  return db
    .insert(reviewCounts)
    .select(
      sql`SELECT ${tenantId}, value ->> 0, value -> 1 FROM json_each(${JSON.stringify(changes)}) WHERE ${condition}`,
    )
    .onConflictDoUpdate({ target: [reviewCounts.tenantId, reviewCounts.week], set: { counts: sums } })
}
