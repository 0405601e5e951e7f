import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** What an operator has paused or resumed. Every database has a copy, which is read with the work. */
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

/** Ranges of garments that are being tagged again, step by step. Each database has those of its own garments. */
export const retags = sqliteTable('retags', {
  /** Empty for all tenants together. */
  tenantId: text('tenant_id').primaryKey(),
  fromAt: integer('from_at').notNull(),
  /** Exclusive. */
  untilAt: integer('until_at').notNull(),
  /** The last garment that was enqueued; in the order of tenants, and of each tenant by age. */
  positionTenantId: text('position_tenant_id').notNull(),
  positionAt: integer('position_at').notNull(),
  positionUuid: text('position_uuid').notNull(),
  /** How many garments the next step takes. */
  stepSize: integer('step_size').notNull().default(100),
})

/** The state of each database at the end of its last sweep. */
export const databases = sqliteTable('databases', {
  /** 1 is the binding DB, 2 is DB2. */
  number: integer().primaryKey(),
  bytes: integer().notNull(),
  sweptAt: integer('swept_at').notNull(),
  /** The parts of the sweep that failed, separated by commas. */
  failedParts: text('failed_parts').notNull(),
})
