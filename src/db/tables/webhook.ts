import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** The endpoint that `/webhook/config` is about, and that a tenant with one receiver has. */
export const firstEndpoint = 'first'

/**
 * The webhook of an account (`webhook/account`): a row of `webhook_endpoints` in the accounts' database, and its
 * deliveries, with the merchant's id in place of a tenant's. So it has the leases, retries and pages of any other.
 */
export const accountEndpoint = 'account'

/** That an endpoint fails or was disabled and this was not reported yet. Queries need these words for the index. */
export const isUnreported = sql.raw(
  "((failing_since IS NOT NULL AND failing_since IS NOT reported_failing) OR (disabled_reason <> '' AND disabled_reason <> reported_reason))",
)

/** The receivers of tenants. */
export const webhookEndpoints = sqliteTable(
  'webhook_endpoints',
  {
    tenantId: text('tenant_id').notNull(),
    /** `firstEndpoint` or an id. */
    endpoint: text().notNull().default(firstEndpoint),
    description: text().notNull().default(''),
    enabled: integer({ mode: 'boolean' }).notNull(),
    /** Empty if it is not configured, or was deleted and has deliveries that are still to be ended. */
    url: text().notNull(),
    /** Encrypted; null where there is none. */
    secret: text(),
    /** The secret before the last change, which signs beside the new one until `formerSecretUntil`. Encrypted. */
    formerSecret: text('former_secret'),
    formerSecretUntil: integer('former_secret_until'),
    /** Encrypted JSON, because headers often carry credentials. */
    headers: text().notNull(),
    /** Id of the key under which this row is encrypted. */
    keyId: text('key_id').notNull().default(''),
    /** The first failure since the last success; null while deliveries succeed. */
    failingSince: integer('failing_since'),
    /** Why the service disabled the webhook, as in `lastError`; empty if it did not. */
    disabledReason: text('disabled_reason').notNull().default(''),
    /** The `failingSince` and the `disabledReason` that were last reported to the account's webhook. */
    reportedFailing: integer('reported_failing'),
    reportedReason: text('reported_reason').notNull().default(''),
    /** Names in `events/catalogue.ts` of what it is sent. */
    events: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    /** Null without a limit. */
    maxPerSecond: integer('max_per_second'),
    /**
     * Deliveries that are pending and were last changed by then are over: none is sent, and the sweep ends their
     * rows.
     */
    endedUntil: integer('ended_until'),
    /** Why they ended. */
    endedReason: text('ended_reason').notNull().default(''),
    /** When the sweep deletes it, unless that is put off before; null if it stays. */
    expiresAt: integer('expires_at'),
    createdAt: integer('created_at').notNull().default(0),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.endpoint] }),
    index('webhook_endpoints_by_key').on(t.keyId),
    index('webhook_endpoints_former_secrets')
      .on(t.formerSecretUntil)
      .where(sql`former_secret_until IS NOT NULL`),
    index('webhook_endpoints_ended')
      .on(t.tenantId)
      .where(sql`ended_until IS NOT NULL`),
    index('webhook_endpoints_expiring')
      .on(t.expiresAt)
      .where(sql`expires_at IS NOT NULL`),
    index('webhook_endpoints_unreported').on(t.failingSince).where(isUnreported),
  ],
)

export const deliveryStatuses = ['pending', 'delivered', 'permanently_failed'] as const

export const deliveries = sqliteTable(
  'deliveries',
  {
    /** For use within one transaction: SQLite gives the number of a removed row to a new one. */
    number: integer().primaryKey(),
    /** What receivers get as `X-Delivery-ID`. Not indexed: every look-up is by tenant and garment. */
    id: text().notNull(),
    tenantId: text('tenant_id').notNull(),
    garmentUuid: text('garment_uuid').notNull(),
    /**
     * What it is about, and of a further endpoint its id too: see `keyOf`. A garment has one delivery of each kind for
     * each endpoint.
     */
    deliveryKey: text('delivery_key').notNull().default('tagging'),
    endpoint: text().notNull().default(firstEndpoint),
    /** The address at which the service was called for the garment, where that is gone; null where it is in its row. */
    origin: text(),
    status: text({ enum: deliveryStatuses }).notNull(),
    attemptCount: integer('attempt_count').notNull().default(0),
    lastAttemptAt: integer('last_attempt_at'),
    nextAttemptAt: integer('next_attempt_at'),
    /** Code and parameters: see `stored-text.ts`. Empty without an error. */
    lastError: text('last_error').notNull().default(''),
    responseStatus: integer('response_status').notNull().default(0),
    claimId: text('claim_id'),
    /** End of the lease of the attempt that runs now. */
    leaseUntil: integer('lease_until'),
    /** Claims since the last recorded attempt. Limits how often one delivery can crash the service. */
    claims: integer().notNull().default(0),
    /** The status before a manual redelivery, until that attempt is recorded; null for automatic ones. */
    redeliveredFrom: text('redelivered_from', { enum: deliveryStatuses }),
    /**
     * A first attempt that succeeded, which has no row of `delivery_attempts`, so that two rows less are written for
     * nearly every garment. JSON: when it began, its duration in ms, the status and the first KiB of the answer.
     */
    firstAttempt: text('first_attempt', { mode: 'json' }).$type<readonly [number, number, number, string]>(),
    /** When the sweep enqueues it again; null once it has ended. */
    dueAt: integer('due_at'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('deliveries_by_garment').on(t.tenantId, t.garmentUuid, t.deliveryKey),
    // Each delivery is in one of these two. A query has to name the condition, or SQLite takes another index.
    index('deliveries_by_status')
      .on(t.tenantId, t.status, t.createdAt, t.id)
      .where(sql`due_at IS NULL`),
    // By tenant and endpoint first, so that the sweep can give each its share.
    index('deliveries_due')
      .on(t.tenantId, t.endpoint, t.dueAt)
      .where(sql`due_at IS NOT NULL`),
  ],
)

/** Redeliveries of all ended deliveries of a time range that are under way, at most one for each tenant. */
export const rangeRedeliveries = sqliteTable(
  'range_redeliveries',
  {
    tenantId: text('tenant_id').primaryKey(),
    /** Empty for all. */
    endpoint: text().notNull().default(''),
    /** The only status that is redelivered; empty for every ended one. */
    status: text({ enum: ['', ...deliveryStatuses] })
      .notNull()
      .default(''),
    /** Where the range begins. */
    fromAt: integer('from_at').notNull().default(0),
    /** How many were redelivered so far. */
    redelivered: integer().notNull().default(0),
    /** The deliveries that were created at or after this time and after `positionId` are still to be redelivered. */
    positionAt: integer('position_at').notNull(),
    positionId: text('position_id').notNull(),
    /** Exclusive. */
    until: integer().notNull(),
    /** When its next step is due. */
    nextAt: integer('next_at').notNull(),
  },
  (t) => [index('range_redeliveries_due').on(t.nextAt)],
)
