import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Garments that a merchant uploads together: the rows of a CSV file, or image files. */
export const imports = sqliteTable(
  'imports',
  {
    tenantId: text('tenant_id').notNull(),
    id: text().notNull(),
    /** Of the file, or what the import is called on its page. */
    name: text().notNull(),
    /** Scheme and host that the client called, for its garments. */
    origin: text().notNull(),
    paused: integer({ mode: 'boolean' }).notNull().default(false),
    /** Lines by status, so that no page counts rows. Written in the batch that changes the lines. */
    waiting: integer().notNull().default(0),
    tagging: integer().notNull().default(0),
    complete: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    unchanged: integer().notNull().default(0),
    refused: integer().notNull().default(0),
    /** How many files the page announced; 0 if it did not. Some may never arrive. */
    expectedFiles: integer('expected_files').notNull().default(0),
    /** Of an import that changes garments: JSON of who made it, for their histories. */
    madeBy: text('made_by'),
    createdAt: integer('created_at').notNull(),
    /** When all of its lines were stored; null before, and for good if the service crashed meanwhile. */
    storedAt: integer('stored_at'),
    /** When its last line ended; null while there is work to do on it. */
    endedAt: integer('ended_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    index('imports_by_tenant').on(t.tenantId, t.createdAt, t.id),
    index('imports_storing')
      .on(t.createdAt)
      .where(sql`stored_at IS NULL`),
    index('imports_open')
      .on(t.tenantId, t.createdAt)
      .where(sql`ended_at IS NULL`),
  ],
)

/**
 * Stored image files that belong to no garment: they are arriving, or are no longer needed. The row is
 * stored before the file, so that no file is left behind. The sweep removes both after a while.
 */
export const unreferencedFiles = sqliteTable(
  'unreferenced_files',
  {
    tenantId: text('tenant_id').notNull(),
    pictureId: text('picture_id').notNull(),
    /** 0 once the sweep removes it, after which nothing can keep it. */
    since: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.pictureId] }), index('unreferenced_files_by_age').on(t.since)],
)
