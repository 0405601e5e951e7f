import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export * from './account-tables.ts'
export * from './garment-tables.ts'

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

export const webhookConfigs = sqliteTable('webhook_configs', {
  tenantId: text('tenant_id').primaryKey(),
  enabled: integer({ mode: 'boolean' }).notNull(),
  url: text().notNull(),
  /** Encrypted; null where there is none. */
  secret: text(),
  /** The secret before the last change, which signs beside the new one until `formerSecretUntil`. Encrypted. */
  formerSecret: text('former_secret'),
  formerSecretUntil: integer('former_secret_until'),
  /** Encrypted JSON: headers carry credentials as often as not. */
  headers: text().notNull(),
  /** The first failure since the last success; null while deliveries succeed. */
  failingSince: integer('failing_since'),
  /** Why we switched the webhook off; empty if we did not. */
  disabledReason: text('disabled_reason').notNull().default(''),
  updatedAt: integer('updated_at').notNull(),
})

export const deliveryStatuses = ['pending', 'delivered', 'permanently_failed'] as const

export const deliveries = sqliteTable(
  'deliveries',
  {
    id: text().primaryKey(),
    tenantId: text('tenant_id').notNull(),
    garmentUuid: text('garment_uuid').notNull(),
    status: text({ enum: deliveryStatuses }).notNull(),
    attemptCount: integer('attempt_count').notNull().default(0),
    lastAttemptAt: integer('last_attempt_at'),
    nextAttemptAt: integer('next_attempt_at'),
    lastError: text('last_error').notNull().default(''),
    responseStatus: integer('response_status').notNull().default(0),
    claimId: text('claim_id'),
    /** End of the lease of the attempt that runs now. */
    leaseUntil: integer('lease_until'),
    /** Claims since the last attempt that was noted: bounds how often one delivery may bring us down. */
    claims: integer().notNull().default(0),
    /** The status in which a manual redelivery found it, until that attempt is noted; null where the next is automatic. */
    redeliveredFrom: text('redelivered_from', { enum: deliveryStatuses }),
    /** When the sweep is to look at it; null once it has ended. */
    dueAt: integer('due_at'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('deliveries_by_garment').on(t.tenantId, t.garmentUuid),
    index('deliveries_by_status').on(t.tenantId, t.status, t.createdAt, t.id),
    index('deliveries_by_age').on(t.tenantId, t.createdAt, t.id),
    index('deliveries_due')
      .on(t.dueAt)
      .where(sql`due_at IS NOT NULL`),
  ],
)

export const deliveryAttempts = sqliteTable(
  'delivery_attempts',
  {
    id: text().primaryKey(),
    tenantId: text('tenant_id').notNull(),
    deliveryId: text('delivery_id').notNull(),
    at: integer().notNull(),
    durationMs: integer('duration_ms').notNull(),
    /** 0 where no HTTP answer came. */
    responseStatus: integer('response_status').notNull(),
    error: text().notNull(),
    /** The first KiB of the answer. */
    responseBody: text('response_body').notNull(),
    trigger: text({ enum: ['automatic', 'manual'] }).notNull(),
  },
  (t) => [index('attempts_by_delivery').on(t.tenantId, t.deliveryId, t.at)],
)

export const dailyCountKinds = ['complete', 'failed', 'delivered', 'permanently_failed'] as const

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
