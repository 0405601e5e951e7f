import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { deliveries, firstEndpoint } from '../db/schema.ts'
import { newestGarments } from '../garment/list/list-garments.ts'
import { dailyCountsQuery, fillDays } from '../usage/list-daily-counts.ts'
import { listConfigRows, type ConfigRow } from '../webhook/config/config-row.ts'

const recentGarments = 5
const recentDays = 14

/** A tenant's overview, with its newest garments and the counts of the last fortnight, in one round trip. */
export async function getOverview(db: Database, tenantId: string, now: number) {
  const [endpoints, garments, delivered, counts] = await db.batch([
    listConfigRows(db, tenantId),
    newestGarments(db, tenantId, recentGarments),
    db
      .select({ one: sql`1` })
      .from(deliveries)
      .where(and(eq(deliveries.tenantId, tenantId), isNull(deliveries.dueAt), eq(deliveries.status, 'delivered')))
      .limit(1),
    dailyCountsQuery(db, tenantId, recentDays, now),
  ])
  return {
    webhook: worstEndpoint(endpoints),
    garments,
    hasDelivered: delivered.length > 0,
    days: fillDays(counts, recentDays, now),
  }
}

type Webhook = Pick<ConfigRow, 'endpoint' | 'enabled' | 'url' | 'disabledReason' | 'failingSince'>

const noEndpoint: Webhook = { endpoint: firstEndpoint, enabled: false, url: '', disabledReason: '', failingSince: null }

/** The endpoint that needs a person most: one that was switched off, or fails for longest; otherwise one that is on. */
function worstEndpoint(endpoints: readonly Webhook[]): Webhook {
  const failing = endpoints.filter(({ enabled, failingSince }) => enabled && failingSince !== null)
  const [longest] = failing.sort((a, b) => (a.failingSince ?? 0) - (b.failingSince ?? 0))
  const switchedOff = endpoints.find(({ disabledReason }) => disabledReason !== '')
  return switchedOff ?? longest ?? endpoints.find(({ enabled }) => enabled) ?? endpoints[0] ?? noEndpoint
}

export type Overview = Awaited<ReturnType<typeof getOverview>>
