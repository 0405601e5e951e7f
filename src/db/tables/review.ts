import { primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** How many of the machine's values people confirmed or changed, so that no page ever counts garments. */
export const reviewCounts = sqliteTable(
  'review_counts',
  {
    tenantId: text('tenant_id').notNull(),
    /** The Monday (UTC) of the week in which they said it: `2026-11-16`. */
    week: text().notNull(),
    /** JSON of counts by attribute, confidence and outcome. One row for all of them, since a page reads many weeks. */
    counts: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.week] })],
)
