import { desc, gte } from 'drizzle-orm'
import { z } from '@hono/zod-openapi'
import type { Database } from '../db/client.ts'
import { opinionDays } from '../db/schema.ts'
import { settingsOf } from '../settings.ts'
import { dayMs, dayOf } from '../time.ts'
import { monthOf } from './days.ts'
import { findBinding } from './model.ts'
import { limitsOf, toMillionths } from './spending.ts'

const listedMs = 31 * dayMs

const amount = { tokens: z.number(), dollars: z.number() }

const day = z.object({
  /** In UTC. */
  day: z.string(),
  /** How many by what became of them; `skipped` were not asked. */
  outcomes: z.record(z.string(), z.number()),
  ...amount,
})

export const opinionStatusSchema = z.object({
  mode: z.enum(['off', 'doubtful', 'always']),
  /** Whether there is a binding AI; without it nothing is asked. */
  bound: z.boolean(),
  model: z.string(),
  budget_dollars: z.number(),
  /** The most of it that one account may spend. */
  tenant_dollars: z.number(),
  /** Spent in this month (UTC). */
  month_dollars: z.number(),
  /** Newest first, of the last 31 those on which anything happened. */
  days: z.array(day),
})

type OpinionStatus = z.infer<typeof opinionStatusSchema>

/** The query itself, for the status, which reads it in one batch with others. Includes all days of the month. */
export const opinionDaysQuery = (db: Database, nowMs: number) =>
  db
    .select()
    .from(opinionDays)
    .where(gte(opinionDays.day, dayOf(nowMs - listedMs)))
    .orderBy(desc(opinionDays.day))

export function describeOpinions(
  env: object,
  rows: readonly (typeof opinionDays.$inferSelect)[],
  nowMs: number,
): OpinionStatus {
  const settings = settingsOf(env)
  const { budget, share } = limitsOf(settings)
  const total = (of: readonly (typeof opinionDays.$inferSelect)[], what: 'tokens' | 'dollars') =>
    toMillionths(of.reduce((sum, row) => sum + row[what], 0))
  const ofMonth = rows.filter((row) => row.day.startsWith(monthOf(nowMs)))
  return {
    mode: settings.SECOND_OPINION,
    bound: findBinding(env) !== undefined,
    model: settings.SECOND_OPINION_MODEL,
    budget_dollars: budget,
    tenant_dollars: share,
    month_dollars: total(ofMonth, 'dollars'),
    days: [...Map.groupBy(rows, (row) => row.day)].map(([date, of]) => ({
      day: date,
      outcomes: Object.fromEntries(of.map(({ outcome, count }) => [outcome, count])),
      tokens: total(of, 'tokens'),
      dollars: total(of, 'dollars'),
    })),
  }
}
