import { and, asc, isNotNull, lte, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/sqlite-core'
import type { Database } from '../../db/client.ts'
import { webhookConfigs, webhookEndpoints } from '../../db/schema.ts'
import { isEndpoint, tableOf } from '../config/config-row.ts'
import { emptyConfig } from '../config/empty-config.ts'
import type { EncryptionKeys } from '../config/encrypt.ts'
import { endpointDeleted } from '../delivery/end-deliveries.ts'

/** Of all tenants in one sweep, with a query each; those that expired first. */
const maxRemoved = 8

/**
 * Deletes expired endpoints, such as those of a command line that was not closed properly. Their pending deliveries are
 * no longer sent; `continueEndings` ends the rows. Returns how many endpoints were deleted.
 */
export async function removeExpiredEndpoints(db: Database, keys: EncryptionKeys, nowMs: number): Promise<number> {
  const isExpired = (table: typeof webhookConfigs) => and(isNotNull(table.expiresAt), lte(table.expiresAt, nowMs))
  const expired = (table: typeof webhookConfigs) =>
    db
      .select({ tenantId: table.tenantId, endpoint: table.endpoint, expiresAt: table.expiresAt })
      .from(table)
      .where(isExpired(table))
  const found = await unionAll(expired(webhookConfigs), expired(webhookEndpoints))
    .orderBy(asc(sql`expires_at`))
    .limit(maxRemoved)
  for (const { tenantId, endpoint } of found) {
    const table = tableOf(endpoint)
    const emptied = { ...(await emptyConfig(keys, tenantId)), updatedAt: nowMs }
    await db
      .update(table)
      .set({ ...emptied, endedUntil: nowMs, endedReason: endpointDeleted })
      // Not if its expiry was postponed meanwhile.
      .where(and(isEndpoint({ tenantId, endpoint }), isExpired(table)))
  }
  return found.length
}
