import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, inValues, runBatch } from '../platform/db/database.ts'
import {
  hasUnreportedQuota,
  highQuotas,
  isUnreported,
  nearQuotas,
  quotaNames,
  tenantCounters,
  tenants,
  waitingEvents,
  webhookEndpoints,
} from '../platform/db/schema.ts'
import { type AccountEvent, eventId } from '../events/waiting-events.ts'
import { dayOf, hourMs, toIso } from '../time.ts'
import { deliveryError } from '../events/delivery-error.ts'
import { deliverEvents } from '../events/transitions.ts'

/** How long every attempt at an endpoint must fail before its account is notified. */
const failingMs = hourMs

/** So many of each kind in one sweep. */
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

/**
 * Delivers what a database's endpoints and quotas have to report to the endpoints that ask for it, and marks it as
 * reported, in one transaction. It reads indexes of what was not reported yet, so that uploads and attempts have no
 * extra work. One query with nothing due, 5 at most.
 */
export async function reportStates(
  { accounts, db }: { readonly accounts: Database; readonly db: Database },
  nowMs: number,
) {
  const { endpoints, quotas } = await findUnreported(db, nowMs - failingMs)
  if (endpoints.length + quotas.length === 0) return
  const ids = [...endpoints, ...quotas].map(({ tenantId }) => tenantId)
  const named = await accounts
    .select({ id: tenants.id, domain: tenants.domain })
    .from(tenants)
    .where(inValues(tenants.id, ids))
  const domains = new Map(named.map(({ id, domain }) => [id, domain]))
  const found = [...endpoints.map(toEndpointEvent), ...quotas.flatMap((quota) => toQuotaEvents(quota, nowMs))]
  const waiting = found.flatMap(({ data, ...happened }) => {
    const { tenantId, event } = happened
    const domain = domains.get(tenantId)
    if (domain === undefined) return []
    const body = JSON.stringify({ event, timestamp: toIso(nowMs), domain, ...data })
    return [{ id: eventId(happened), tenantId, body }]
  })
  await runBatch(db, { deliveries: deliverEvents(waiting, nowMs), ...markReported(endpoints, quotas) })
}

/** The pending reports of a database, in one query of its indexes. */
async function findUnreported(db: Database, failingUntil: number) {
  const columns = sql.raw(
    `json_object('endpoint', endpoint, 'url', url, 'description', description, 'failingSince', failing_since, 'disabledReason', disabled_reason)`,
  )
  const limits = sql.raw(`json_array(${quotaNames.map((name) => `max_${name}`).join(', ')})`)
  const used = sql.raw(`json_array(${quotaNames.join(', ')})`)
  const rows = await db.all<{ kind: 'endpoint' | 'quota'; tenantId: string; found: string }>(sql`
    SELECT * FROM (
      SELECT 'endpoint' AS kind, tenant_id AS tenantId, ${columns} AS found
      FROM ${webhookEndpoints} INDEXED BY webhook_endpoints_unreported
      WHERE ${isUnreported} AND failing_since <= ${failingUntil} LIMIT ${maxFound})
    UNION ALL SELECT * FROM (
      SELECT 'quota', tenant_id,
        json_object('near', ${nearQuotas}, 'high', ${highQuotas}, 'reported', reported_quotas, 'used', ${used}, 'limits', ${limits})
      FROM ${tenantCounters} INDEXED BY tenant_counters_unreported WHERE ${hasUnreportedQuota} LIMIT ${maxFound})`)
  const read = <T extends object>(kind: 'endpoint' | 'quota', schema: z.ZodType<T>) =>
    rows
      .filter((row) => row.kind === kind)
      .map(({ tenantId, found }) => ({ tenantId, ...schema.parse(JSON.parse(found)) }))
  return { endpoints: read('endpoint', endpointSchema), quotas: read('quota', quotaSchema) }
}

type Report = AccountEvent & { readonly data: object }

function toEndpointEvent(found: UnreportedEndpoint): Report {
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
function toQuotaEvents({ tenantId, near, reported, used, limits }: UnreportedQuota, nowMs: number): Report[] {
  const isNew = (bit: number) => (near & ~reported & (1 << bit)) !== 0
  const quotas = quotaNames
    .map((name, bit) => ({ name, used: used[bit] ?? 0, limit: limits[bit] ?? 0 }))
    .filter((_, bit) => isNew(bit))
  if (quotas.length === 0) return []
  const subject = [...quotas.map(({ name }) => name), dayOf(nowMs)].join('/')
  return [{ tenantId, event: 'quota.nearly_reached', subject, data: { quotas } }]
}

function markReported(endpoints: readonly UnreportedEndpoint[], quotas: readonly UnreportedQuota[]) {
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
  return {
    endpoints: sql`
      UPDATE ${webhookEndpoints} SET reported_failing = reported.value ->> 2, reported_reason = reported.value ->> 3
      FROM json_each(${ofEndpoints}) AS reported
      WHERE tenant_id = reported.value ->> 0 AND endpoint = reported.value ->> 1`,
    quotas: sql`
      UPDATE ${tenantCounters} SET reported_quotas = reported.value ->> 1
      FROM json_each(${ofQuotas}) AS reported WHERE tenant_id = reported.value ->> 0`,
  }
}

const maxCarried = 100

/**
 * Carries events of keys from the accounts' database to the endpoints that ask for them. Each is deleted after that: if
 * this breaks off in between, the next sweep delivers the same events, which changes nothing. A database that is down
 * keeps none of the others' events waiting. One query with nothing due, and two more for each tenant.
 */
export async function carryEvents(accounts: Database, databaseOf: (tenantId: string) => Database, nowMs: number) {
  const waiting = await accounts
    .select()
    .from(waitingEvents)
    .orderBy(sql`random()`)
    .limit(maxCarried)
  const errors: unknown[] = []
  for (const [tenantId, rows = []] of Object.entries(Object.groupBy(waiting, (row) => row.tenantId))) {
    const ids = rows.map(({ id }) => id)
    try {
      await databaseOf(tenantId).run(deliverEvents(rows, nowMs))
      await accounts.delete(waitingEvents).where(inValues(waitingEvents.id, ids))
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}
