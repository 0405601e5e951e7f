import { sql } from 'drizzle-orm'
import { recordEvents, type AccountEvent } from '../../account-event/record-events.ts'
import { batchRaw } from '../../db/batch-raw.ts'
import type { Database } from '../../db/client.ts'
import { quotaNames, tenantCounters, webhookEndpoints } from '../../db/schema.ts'
import { dayOf, hourMs, toIso } from '../../time.ts'
import { deliveryError } from '../delivery-error.ts'
import { findUnreported, type UnreportedEndpoint, type UnreportedQuota } from './find-unreported.ts'
import { removeOldEvents } from './remove-old-events.ts'

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
  if (events.length > 0) await accounts.batch(recordEvents(accounts, events, nowMs))
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
  const mark = sql`
    UPDATE ${webhookEndpoints} SET reported_failing = reported.value ->> 2, reported_reason = reported.value ->> 3
    FROM json_each(${ofEndpoints}) AS reported WHERE tenant_id = reported.value ->> 0 AND endpoint = reported.value ->> 1`
  await batchRaw(db, [
    mark,
    sql`
      UPDATE ${tenantCounters} SET reported_quotas = reported.value ->> 1
      FROM json_each(${ofQuotas}) AS reported WHERE tenant_id = reported.value ->> 0`,
  ])
}
