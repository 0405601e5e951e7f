import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The reviewed attributes of a tenant that has chosen none: item type, colour and pattern. */
export const defaultReviewed = 0b111

/**
 * The tenants whose data this database holds. A row is stored before the tenant's account, and removed after it. In the
 * first database, triggers of migration 0020 keep it in step with `tenants` for earlier releases, until 2026-12-21.
 */
export const hostedTenants = sqliteTable(
  'hosted_tenants',
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
    /** The attributes that are reviewed, as a bit mask (`review/reviewed-attributes.ts`); null for the default. */
    reviewed: integer(),
    /** The last uuid that was updated after a change of `reviewed`; null once all are. */
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
    index('hosted_tenants_by_expiry_check').on(t.expiryCheckAt),
    index('hosted_tenants_review')
      .on(t.tenantId)
      .where(sql`review_position IS NOT NULL`),
    index('hosted_tenants_search')
      .on(t.tenantId)
      .where(sql`search_cursor IS NOT NULL AND searched_at IS NULL`),
    index('hosted_tenants_unconfirmed')
      .on(t.createdAt)
      .where(sql`is_confirmed = 0`),
  ],
)

/** Default values of a tenant's exports; JSON. */
export const exportDefaults = sqliteTable('export_defaults', {
  tenantId: text('tenant_id').primaryKey(),
  defaults: text().notNull(),
})

/** The last complete export of each format, so that the next one can contain only what is new since. WITHOUT ROWID. */
export const lastExports = sqliteTable(
  'last_exports',
  {
    tenantId: text('tenant_id').notNull(),
    format: text().notNull(),
    exportedAt: integer('exported_at').notNull(),
    /** JSON of the uuids that were in the file although they had only just ended. */
    recent: text().notNull(),
    /** JSON of the uuids that were left out, because they lacked something. */
    leftOut: text('left_out').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.format] })],
)
