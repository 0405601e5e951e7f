import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { deliveries, webhookConfigs } from '../db/schema.ts'
import { newestGarments } from '../garment/list/list-garments.ts'
import { dailyCountsQuery, fillDays } from '../usage/list-daily-counts.ts'

const recentGarments = 5
const recentDays = 14

/** What a tenant has, with its newest garments and the last fortnight, in one round trip. */
export async function getOverview(db: Database, tenantId: string, now: number) {
  const [configs, garments, delivered, counts] = await db.batch([
    db
      .select({
        enabled: webhookConfigs.enabled,
        url: webhookConfigs.url,
        disabledReason: webhookConfigs.disabledReason,
        failingSince: webhookConfigs.failingSince,
      })
      .from(webhookConfigs)
      .where(eq(webhookConfigs.tenantId, tenantId)),
    newestGarments(db, tenantId, recentGarments),
    db
      .select({ one: sql`1` })
      .from(deliveries)
      .where(and(eq(deliveries.tenantId, tenantId), isNull(deliveries.dueAt), eq(deliveries.status, 'delivered')))
      .limit(1),
    dailyCountsQuery(db, tenantId, recentDays, now),
  ])
  return {
    webhook: configs[0] ?? { enabled: false, url: '', disabledReason: '', failingSince: null },
    garments,
    hasDelivered: delivered.length > 0,
    days: fillDays(counts, recentDays, now),
  }
}

export type Overview = Awaited<ReturnType<typeof getOverview>>
