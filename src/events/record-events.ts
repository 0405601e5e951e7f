import { and, eq, sql } from 'drizzle-orm'
import { type Database, newId, selectValues } from '../platform/db/database.ts'
import { accountEndpoint, accountEvents, deliveries, tenants, webhookEndpoints } from '../platform/db/schema.ts'
import { dayMs } from '../time.ts'

/** Of an account in a day. Further ones are not stored, so that nobody fills the database by creating keys. */
export const maxEventsInDay = 200

export const accountEventNames = [
  'endpoint.failing',
  'endpoint.disabled',
  'quota.nearly_reached',
  'api_key.created',
  'api_key.revoked',
] as const

export interface AccountEvent {
  readonly tenantId: string
  readonly event: (typeof accountEventNames)[number]
  /** What it concerns, and which occurrence. An event with the same subject is stored once. */
  readonly subject: string
  /** What the body has besides the event's name, its time and the tenant's domain. Nothing of it is null. */
  readonly data: object
}

/**
 * The statements, for the accounts' database, that store what happened to tenants: an event for each account that has a
 * webhook, with a delivery that the next sweep enqueues. `condition` and `data`, which replaces that of the events, are
 * expressions for the batch of the change itself. To store an event again changes nothing.
 */
export function recordEvents(
  db: Database,
  events: readonly AccountEvent[],
  nowMs: number,
  { condition = sql`1`, data = sql`happened.value -> 'data'` } = {},
) {
  // One parameter for all of them, because a statement has at most 100.
  const values = events.map(({ tenantId, event, subject, data: content }) => ({
    tenant: tenantId,
    event,
    id: `${event}/${tenantId}/${subject}`,
    delivery: newId(),
    data: content,
  }))
  const happened = sql`json_each(${JSON.stringify(values)}) AS happened`
  const isOfTenant = eq(tenants.id, sql`happened.value ->> 'tenant'`)
  const stored = {
    merchantId: sql`${webhookEndpoints.tenantId}`,
    id: sql`happened.value ->> 'id'`,
    event: sql`happened.value ->> 'event'`,
    data: sql`json_patch(json_object('domain', ${tenants.domain}), ${data})`,
    at: nowMs,
  }
  const recent = sql`(
    SELECT count(*) FROM ${accountEvents} AS recent
    WHERE recent.merchant_id = ${tenants.merchantId} AND recent.at > ${nowMs - dayMs})`
  const delivery = {
    number: sql`NULL`,
    id: sql`happened.value ->> 'delivery'`,
    tenantId: sql`${accountEvents.merchantId}`,
    garmentUuid: sql`${accountEvents.id}`,
    deliveryKey: accountEndpoint,
    endpoint: accountEndpoint,
    origin: null,
    status: 'pending',
    attemptCount: 0,
    lastAttemptAt: null,
    firstAttempt: null,
    nextAttemptAt: nowMs,
    lastError: '',
    responseStatus: 0,
    claimId: null,
    leaseUntil: null,
    claims: 0,
    redeliveredFrom: null,
    dueAt: nowMs,
    createdAt: nowMs,
    updatedAt: nowMs,
  } as const
  return [
    db
      .insert(accountEvents)
      .select(
        db
          .select(selectValues(accountEvents, stored))
          .from(happened)
          .innerJoin(tenants, isOfTenant)
          .innerJoin(webhookEndpoints, eq(webhookEndpoints.tenantId, tenants.merchantId))
          .where(
            and(
              eq(webhookEndpoints.endpoint, accountEndpoint),
              eq(webhookEndpoints.enabled, true),
              sql`${recent} < ${maxEventsInDay}`,
              condition,
            ),
          ),
      )
      .onConflictDoNothing(),
    db
      .insert(deliveries)
      .select(
        db
          .select(selectValues(deliveries, delivery))
          .from(happened)
          .innerJoin(tenants, isOfTenant)
          .innerJoin(
            accountEvents,
            and(eq(accountEvents.merchantId, tenants.merchantId), eq(accountEvents.id, sql`happened.value ->> 'id'`)),
          ),
      )
      .onConflictDoNothing(),
  ] as const
}
