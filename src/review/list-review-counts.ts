import { and, eq, gte } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../db/client.ts'
import { reviewCounts } from '../db/schema.ts'
import { dayMs } from '../time.ts'
import { outcomeKey, weekOf } from './review-outcomes.ts'
import type { Stood } from './wilson.ts'

const weekMs = 7 * dayMs

const countsSchema = z.record(z.string(), z.number())

export interface ReviewedWeek {
  /** Its Monday (UTC). */
  readonly week: string
  /** By `outcomeKey`. */
  readonly counts: Readonly<Record<string, number>>
}

/** How many values people confirmed and changed in each of the last weeks, oldest first, including empty weeks. */
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

/** How many reviewed values of these attributes and this confidence were confirmed in these weeks. */
export function sumStood(weeks: readonly ReviewedWeek[], names: readonly string[], confidence: string): Stood {
  const sum = (outcome: 'stood' | 'changed') =>
    weeks
      .flatMap(({ counts }) => names.map((name) => counts[outcomeKey(name, confidence, outcome)] ?? 0))
      .reduce((total, number) => total + number, 0)
  const stood = sum('stood')
  return { stood, count: stood + sum('changed') }
}
