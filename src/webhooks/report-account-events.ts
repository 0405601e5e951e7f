import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { deliverAccountEvent, reportAccountEvent } from '../events/account-events.ts'
import { type Database, runBatch } from '../platform/db/database.ts'
import {
  hasUnreportedQuota,
  highQuotas,
  nearQuotas,
  quotaNames,
  tenantCounters,
  waitingEvents,
} from '../platform/db/schema.ts'
import { dayOf } from '../time.ts'

/** Tenants that one sweep reports. */
const maxFound = 100

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

/**
 * Delivers `quota.nearly_reached` for quotas of which nine tenths are used, and marks them as reported. Makes one query
 * if nothing is due, otherwise two for each tenant. Uploads have no extra work, because the rows to report are indexed.
 */
export async function reportQuotas(db: Database, nowMs: number): Promise<void> {
  const limits = sql.raw(`json_array(${quotaNames.map((name) => `max_${name}`).join(', ')})`)
  const used = sql.raw(`json_array(${quotaNames.join(', ')})`)
  const rows = await db.all<{ tenantId: string; found: string }>(sql`
    SELECT tenant_id AS tenantId,
      json_object('near', ${nearQuotas}, 'high', ${highQuotas}, 'reported', reported_quotas, 'used', ${used}, 'limits', ${limits})
        AS found
    FROM ${tenantCounters} INDEXED BY tenant_counters_unreported WHERE ${hasUnreportedQuota} LIMIT ${maxFound}`)
  for (const row of rows) {
    const { tenantId } = row
    const { near, high, reported, ...found } = quotaSchema.parse(JSON.parse(row.found))
    const quotas = quotaNames
      .map((name, bit) => ({ name, used: found.used[bit] ?? 0, limit: found.limits[bit] ?? 0 }))
      .filter((_, bit) => (near & ~reported & (1 << bit)) !== 0)
    const subject = [...quotas.map(({ name }) => name), dayOf(nowMs)].join('/')
    const happened = { tenantId, event: 'quota.nearly_reached', subject, data: { quotas } } as const
    await runBatch(db, {
      // Empty if a quota has only fallen below the threshold.
      event: quotas.length === 0 ? [] : [reportAccountEvent(db, happened, sql`1`, nowMs)],
      reported: sql`
        UPDATE ${tenantCounters} SET reported_quotas = ${(reported | near) & high} WHERE tenant_id = ${tenantId}`,
    })
  }
}

const maxDelivered = 100

/**
 * Delivers the events of API keys that wait in the accounts database, and removes each after that. If this breaks off
 * in between, the next sweep delivers the same event again, which changes nothing. The order is random, so that events
 * for a database that is down cannot starve the others. One query if nothing is due, otherwise two for each event.
 */
export async function deliverWaitingEvents(
  accounts: Database,
  databaseOf: (tenantId: string) => Database,
  nowMs: number,
): Promise<void> {
  const events = await accounts
    .select()
    .from(waitingEvents)
    .orderBy(sql`random()`)
    .limit(maxDelivered)
  const errors: unknown[] = []
  for (const event of events)
    try {
      await databaseOf(event.tenantId).run(deliverAccountEvent(event, sql`1`, nowMs))
      await accounts
        .delete(waitingEvents)
        .where(and(eq(waitingEvents.tenantId, event.tenantId), eq(waitingEvents.id, event.id)))
    } catch (error) {
      errors.push(error)
    }
  if (errors.length > 0) throw errors[0]
}
