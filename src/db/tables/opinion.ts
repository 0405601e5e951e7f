import { integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** What became of questions for a second opinion. `skipped` were not asked: for the budget, the pause or memory. */
export const opinionOutcomes = [
  'answered',
  'skipped',
  'busy',
  'timeout',
  'quota',
  'licence',
  'bad_request',
  'form',
  'fault',
] as const

/** Of all tenants together, in the first database: how many on a day (UTC), and what they cost. */
export const opinionDays = sqliteTable(
  'opinion_days',
  {
    /** `2026-11-21` */
    day: text().notNull(),
    outcome: text({ enum: opinionOutcomes }).notNull(),
    count: integer().notNull(),
    /** Of input. Estimated if no answer states them. */
    tokens: integer().notNull(),
    dollars: real().notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.outcome] })],
)
