import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * The tenants whose data this database holds. A row is stored before the tenant's account, and removed after it.
 */
export const tenantState = sqliteTable(
  'tenant_state',
  {
    tenantId: text('tenant_id').primaryKey(),
    /** The tenant's own period, if it is shorter than the operator's; null for the operator's. */
    retentionDays: integer('retention_days'),
    /** When the sweep next looks for something of the tenant's that has expired. */
    expiryCheckAt: integer('expiry_check_at').notNull().default(0),
    /** Whether its pictures may be sent to a model of the platform. */
    allowsOpinion: integer('allows_opinion', { mode: 'boolean' }).notNull().default(true),
    /** Whether the sweep has seen that the account was stored too. */
    isConfirmed: integer('is_confirmed', { mode: 'boolean' }).notNull().default(false),
    /** JSON of the attributes whose doubtful values are reviewed; null for the default (`garment/doubt.ts`). */
    reviewAttributes: text('review_attributes'),
    /** The last uuid that was updated after a change of `reviewAttributes`; null once all are. */
    reviewPosition: text('review_position'),
    /**
     * Up to which garment `search_words` has their words, as the export's cursor; null if the tenant never searched.
     */
    searchCursor: text('search_cursor'),
    /** When it last had all of them; null while it is being made. */
    searchedAt: integer('searched_at'),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    index('tenant_state_by_expiry_check').on(t.expiryCheckAt),
    index('tenant_state_review')
      .on(t.tenantId)
      .where(sql`review_position IS NOT NULL`),
    index('tenant_state_search')
      .on(t.tenantId)
      .where(sql`search_cursor IS NOT NULL AND searched_at IS NULL`),
    index('tenant_state_unconfirmed')
      .on(t.createdAt)
      .where(sql`is_confirmed = 0`),
  ],
)

/** Default values of a tenant's exports; JSON. */
export const exportDefaults = sqliteTable('export_defaults', {
  tenantId: text('tenant_id').primaryKey(),
  defaults: text().notNull(),
})
