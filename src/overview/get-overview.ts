import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { apiKeys, deliveries, webhookConfigs } from '../db/schema.ts'
import { newestGarments } from '../garment/list/list-garments.ts'
import { dailyCountsQuery, fillDays } from '../usage/list-daily-counts.ts'

const recentGarments = 5
const recentDays = 14

interface OverviewDeps {
  readonly accounts: Database
  readonly db: Database
}

/**
 * What a tenant has and what it still lacks, with its newest garments and the last fortnight, in one round trip to each
 * database.
 */
export async function getOverview({ accounts, db }: OverviewDeps, tenantId: string, now: number) {
  const [keys, [configs, garments, delivered, counts]] = await Promise.all([
    accounts
      .select({ one: sql`1` })
      .from(apiKeys)
      .where(eq(apiKeys.tenantId, tenantId))
      .limit(1),
    findWork(db, tenantId, now),
  ])
  return {
    hasKey: keys.length > 0,
    webhook: configs[0] ?? { enabled: false, url: '', disabledReason: '', failingSince: null },
    garments,
    hasDelivered: delivered.length > 0,
    days: fillDays(counts, recentDays, now),
  }
}

export type Overview = Awaited<ReturnType<typeof getOverview>>

const findWork = async (db: Database, tenantId: string, now: number) =>
  await db.batch([
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
