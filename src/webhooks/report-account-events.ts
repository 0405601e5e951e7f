import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, runBatch } from '../platform/db/database.ts'
import {
  accountEndpoint,
  accountEvents,
  deliveries,
  deliveryAttempts,
  hasUnreportedQuota,
  highQuotas,
  isUnreported,
  nearQuotas,
  quotaNames,
  tenantCounters,
  webhookEndpoints,
} from '../platform/db/schema.ts'
import { type AccountEvent, recordEvents } from '../events/record-events.ts'
import { dayOf, hourMs, toIso } from '../time.ts'
import { deliveryError } from '../events/delivery-error.ts'

/** Of each kind in one sweep. */
const maxFound = 100

const endpointSchema = z.object({
  endpoint: z.string(),
  url: z.string(),
  description: z.string(),
  failingSince: z.number(),
  disabledReason: z.string(),
})

const quotaSchema = z.object({
  /**
   * Bit masks: quotas that are nearly reached, quotas that still count as nearly reached, and quotas that the account
   * was notified of.
   */
  near: z.number(),
  high: z.number(),
  reported: z.number(),
  used: z.array(z.number()),
  limits: z.array(z.number()),
})

type UnreportedEndpoint = z.infer<typeof endpointSchema> & { readonly tenantId: string }
type UnreportedQuota = z.infer<typeof quotaSchema> & { readonly tenantId: string }

interface Until {
  /** Endpoints that have been failing since then or longer. */
  readonly failingUntil: number
  /** Whether there are events from before then. */
  readonly eventsBefore: number
}

/**
 * The pending notifications of a database's accounts, and whether there are old events, in one query of its indexes.
 */
async function findUnreported(db: Database, { failingUntil, eventsBefore }: Until) {
  const columns = sql.raw(
    `json_object('endpoint', endpoint, 'url', url, 'description', description, 'failingSince', failing_since, 'disabledReason', disabled_reason)`,
  )
  const limits = sql.raw(`json_array(${quotaNames.map((name) => `max_${name}`).join(', ')})`)
  const used = sql.raw(`json_array(${quotaNames.join(', ')})`)
  const rows = await db.all<{ kind: 'endpoint' | 'quota' | 'old event'; tenantId: string; found: string }>(sql`
    SELECT * FROM (
      SELECT 'endpoint' AS kind, tenant_id AS tenantId, ${columns} AS found
      FROM ${webhookEndpoints} INDEXED BY webhook_endpoints_unreported
      WHERE ${isUnreported} AND failing_since <= ${failingUntil} LIMIT ${maxFound})
    UNION ALL SELECT * FROM (
      SELECT 'quota', tenant_id,
        json_object('near', ${nearQuotas}, 'high', ${highQuotas}, 'reported', reported_quotas, 'used', ${used}, 'limits', ${limits})
      FROM ${tenantCounters} INDEXED BY tenant_counters_unreported WHERE ${hasUnreportedQuota} LIMIT ${maxFound})
    UNION ALL SELECT * FROM (SELECT 'old event', '', '' FROM ${accountEvents} WHERE at < ${eventsBefore} LIMIT 1)`)
  const ofKind = (kind: (typeof rows)[number]['kind']) => rows.filter((row) => row.kind === kind)
  const read = <T extends object>(kind: 'endpoint' | 'quota', schema: z.ZodType<T>) =>
    ofKind(kind).map(({ tenantId, found }) => ({ tenantId, ...schema.parse(JSON.parse(found)) }))
  return {
    endpoints: read('endpoint', endpointSchema),
    quotas: read('quota', quotaSchema),
    hasOldEvents: ofKind('old event').length > 0,
  }
}

/** Removes at most `limit` events of accounts that are older than this, with their deliveries and attempts. */
export async function removeOldEvents(db: Database, beforeMs: number, limit: number): Promise<void> {
  const old = sql`
    SELECT merchant_id, id FROM ${accountEvents} INDEXED BY account_events_by_age
    WHERE at < ${beforeMs} ORDER BY at, merchant_id, id LIMIT ${limit}`
  const ofOld = (column: SQL) => sql`(
    SELECT ${column} FROM (${old}) AS old CROSS JOIN ${deliveries} AS sent
    WHERE sent.tenant_id = old.merchant_id AND sent.garment_uuid = old.id AND sent.delivery_key = ${accountEndpoint})`
  await runBatch(db, {
    attempts: db
      .delete(deliveryAttempts)
      .where(sql`(tenant_id, delivery_id) IN ${ofOld(sql`sent.tenant_id, sent.id`)}`),
    deliveries: db.delete(deliveries).where(sql`${deliveries.number} IN ${ofOld(sql`sent.number`)}`),
    events: db.delete(accountEvents).where(sql`(merchant_id, id) IN (${old})`),
  })
}

/** How long every attempt at an endpoint must fail before its account is notified. */
const failingMs = hourMs

const removedInSweep = 500

interface SweepDeps {
  readonly accounts: Database
  readonly db: Database
}

/**
 * Stores a database's new events for the accounts' webhooks, and removes events from before `eventsBefore`. It reads
 * indexes of what was not reported yet, so that uploads and attempts have no extra work. The events are stored first,
 * then marked as reported: if it is interrupted in between, the next sweep stores the same events, which changes
 * nothing. One query with nothing due, 9 at most.
 */
export async function sweepAccountWebhooks(
  { accounts, db }: SweepDeps,
  eventsBefore: number,
  nowMs: number,
): Promise<void> {
  const until = { failingUntil: nowMs - failingMs, eventsBefore }
  const { endpoints, quotas, hasOldEvents } = await findUnreported(db, until)
  if (hasOldEvents) await removeOldEvents(db, eventsBefore, removedInSweep)
  const events = [...endpoints.map(toEndpointEvent), ...quotas.flatMap((quota) => toQuotaEvents(quota, nowMs))]
  if (events.length > 0) await runBatch(accounts, { events: recordEvents(accounts, events, nowMs) })
  if (endpoints.length + quotas.length > 0) await markReported(db, endpoints, quotas)
}

function toEndpointEvent(found: UnreportedEndpoint): AccountEvent {
  const { tenantId, endpoint, url, description, failingSince, disabledReason } = found
  const about = {
    // Without its path and query, which can hold a secret.
    endpoint: { id: endpoint, host: URL.parse(url)?.host ?? '', description },
    failing_since: toIso(failingSince),
  }
  const subject = `${endpoint}/${failingSince}`
  return disabledReason === ''
    ? { tenantId, event: 'endpoint.failing', subject, data: about }
    : { tenantId, event: 'endpoint.disabled', subject, data: { ...about, reason: deliveryError(disabledReason) } }
}

/** Empty if a quota has only fallen below the threshold. */
function toQuotaEvents({ tenantId, near, reported, used, limits }: UnreportedQuota, nowMs: number): AccountEvent[] {
  const isNew = (bit: number) => (near & ~reported & (1 << bit)) !== 0
  const quotas = quotaNames
    .map((name, bit) => ({ name, used: used[bit] ?? 0, limit: limits[bit] ?? 0 }))
    .filter((_, bit) => isNew(bit))
  if (quotas.length === 0) return []
  const subject = [...quotas.map(({ name }) => name), dayOf(nowMs)].join('/')
  return [{ tenantId, event: 'quota.nearly_reached', subject, data: { quotas } }]
}

async function markReported(
  db: Database,
  endpoints: readonly UnreportedEndpoint[],
  quotas: readonly UnreportedQuota[],
) {
  // One parameter for all of them, because a statement has at most 100. Only what was read, as more may have happened
  // since.
  const ofEndpoints = JSON.stringify(
    endpoints.map(({ tenantId, endpoint, failingSince, disabledReason }) => [
      tenantId,
      endpoint,
      failingSince,
      disabledReason,
    ]),
  )
  const ofQuotas = JSON.stringify(
    quotas.map(({ tenantId, near, high, reported }) => [tenantId, (reported | near) & high]),
  )
  await runBatch(db, {
    endpoints: sql`
      UPDATE ${webhookEndpoints} SET reported_failing = reported.value ->> 2, reported_reason = reported.value ->> 3
      FROM json_each(${ofEndpoints}) AS reported
      WHERE tenant_id = reported.value ->> 0 AND endpoint = reported.value ->> 1`,
    quotas: sql`
      UPDATE ${tenantCounters} SET reported_quotas = reported.value ->> 1
      FROM json_each(${ofQuotas}) AS reported WHERE tenant_id = reported.value ->> 0`,
  })
}
