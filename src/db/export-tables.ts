import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** What a tenant's exports say where a garment says nothing; JSON. */
export const exportDefaults = sqliteTable('export_defaults', {
  tenantId: text('tenant_id').primaryKey(),
  defaults: text().notNull(),
})

/** The last whole export of each format, so that the next one can have what is new since. WITHOUT ROWID. */
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
