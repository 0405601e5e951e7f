import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../../db/client.ts'
import {
  accountEvents,
  hasUnreportedQuota,
  highQuotas,
  isUnreported,
  nearQuotas,
  quotaNames,
  tenantCounters,
  webhookEndpoints,
} from '../../db/schema.ts'

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

export type UnreportedEndpoint = z.infer<typeof endpointSchema> & { readonly tenantId: string }
export type UnreportedQuota = z.infer<typeof quotaSchema> & { readonly tenantId: string }

interface Until {
  /** Endpoints that have been failing since then or longer. */
  readonly failingUntil: number
  /** Whether there are events from before then. */
  readonly eventsBefore: number
}

/**
 * The pending notifications of a database's accounts, and whether there are old events, in one query of its indexes.
 */
export async function findUnreported(db: Database, { failingUntil, eventsBefore }: Until) {
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
