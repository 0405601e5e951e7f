import { and, eq, sql } from 'drizzle-orm'
import { deliverAccountEvent, reportAccountEvent } from '../events/account-events.ts'
import { type Database, runBatch } from '../platform/db/database.ts'
import {
  hasUnreportedQuota,
  highPercent,
  nearPercent,
  quotaNames,
  tenantCounters,
  waitingEvents,
} from '../platform/db/schema.ts'
import { dayOf } from '../time.ts'

const maxFound = 100

/** A tenant's row of `tenant_counters`: `garments`, `max_garments`, `reported_garments` and so on. */
type QuotaRow = Readonly<Record<string, number>> & { readonly tenantId: string }

/** Delivers `quota.nearly_reached` once for each quota above nine tenths. An index finds the tenants. */
export async function reportQuotas(db: Database, nowMs: number): Promise<void> {
  const columns = sql.raw(quotaNames.flatMap((name) => [name, `max_${name}`, `reported_${name}`]).join(', '))
  const rows = await db.all<QuotaRow>(sql`
    SELECT tenant_id AS tenantId, ${columns}
    FROM ${tenantCounters} INDEXED BY tenant_counters_unreported WHERE ${hasUnreportedQuota} LIMIT ${maxFound}`)
  for (const { tenantId, ...row } of rows) {
    const quotas = quotaNames.map((name) => {
      const [used, limit, isReported] = [row[name] ?? 0, row[`max_${name}`] ?? 0, row[`reported_${name}`] === 1]
      const isAbove = (percent: number) => limit > 0 && used * 100 >= limit * percent
      return {
        name,
        used,
        limit,
        isNew: !isReported && isAbove(nearPercent),
        stays: isAbove(isReported ? highPercent : nearPercent),
      }
    })
    const found = quotas.filter(({ isNew }) => isNew).map(({ name, used, limit }) => ({ name, used, limit }))
    const subject = [...found.map(({ name }) => name), dayOf(nowMs)].join('/')
    const happened = { tenantId, event: 'quota.nearly_reached', subject, data: { quotas: found } } as const
    const reported = sql.raw(quotas.map(({ name, stays }) => `reported_${name} = ${stays ? 1 : 0}`).join(', '))
    await runBatch(db, {
      // Sends no event if a quota has only fallen below the threshold.
      event: found.length === 0 ? [] : reportAccountEvent(db, happened, nowMs),
      reported: sql`UPDATE ${tenantCounters} SET ${reported} WHERE tenant_id = ${tenantId}`,
    })
  }
}

const maxDelivered = 100

/**
 * Delivers events about API keys that wait in the accounts database, then removes them. A second delivery of an event
 * changes nothing. The order is random, so that events for an unreachable database cannot starve other events.
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
      await runBatch(databaseOf(event.tenantId), { delivered: deliverAccountEvent(event, nowMs) })
      await accounts
        .delete(waitingEvents)
        .where(and(eq(waitingEvents.tenantId, event.tenantId), eq(waitingEvents.id, event.id)))
    } catch (error) {
      errors.push(error)
    }
  if (errors.length > 0) throw errors[0]
}
