import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Times are integers, milliseconds since the epoch. JSON columns are parsed by zod where they are read. */

/** Tenants that are deleted but whose garments, deliveries and pictures are still being removed in the background. */
export const tenantPurges = sqliteTable(
  'tenant_purges',
  {
    tenantId: text('tenant_id').primaryKey(),
    requestedAt: integer('requested_at').notNull(),
    /** When the next step of its removal is due. */
    nextAt: integer('next_at').notNull().default(0),
  },
  (t) => [index('tenant_purges_due').on(t.nextAt)],
)

/** The positions of sweeps that scan a table in row order, by the name of the sweep. */
export const sweepPositions = sqliteTable('sweep_positions', {
  name: text().primaryKey(),
  position: integer().notNull(),
})

/** `deletion`: deliveries of `garment.deleted` that were started. */
export const dailyCountKinds = ['complete', 'failed', 'delivered', 'permanently_failed', 'deletion'] as const

/** How many garments and deliveries ended on a day (UTC), so that no page ever counts rows. */
export const dailyCounts = sqliteTable(
  'daily_counts',
  {
    tenantId: text('tenant_id').notNull(),
    /** `2026-11-21` */
    day: text().notNull(),
    kind: text({ enum: dailyCountKinds }).notNull(),
    count: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.day, t.kind] })],
)
