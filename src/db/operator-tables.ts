import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** What an operator has paused, or had paused and resumed. */
export const pauses = sqliteTable('pauses', {
  /** Empty for all tenants together. */
  tenantId: text('tenant_id').primaryKey(),
  tagging: integer({ mode: 'boolean' }).notNull().default(false),
  deliveries: integer({ mode: 'boolean' }).notNull().default(false),
  changedAt: integer('changed_at').notNull(),
})

/** Messages that a queue gave up on, counted for the operator. The work they were about stays due. */
export const deadLetters = sqliteTable('dead_letters', {
  queue: text({ enum: ['tagging', 'deliveries'] }).primaryKey(),
  count: integer().notNull(),
  lastAt: integer('last_at').notNull(),
})
