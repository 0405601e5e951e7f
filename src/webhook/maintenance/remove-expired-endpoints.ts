import { and, eq, isNotNull, lte } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/sqlite-core'
import type { Database } from '../../db/client.ts'
import { webhookConfigs, webhookEndpoints } from '../../db/schema.ts'
import { tableOf } from '../config/config-row.ts'
import { emptyConfig } from '../config/empty-config.ts'
import type { EncryptionKeys } from '../config/encrypt.ts'
import { endpointDeleted } from '../delivery/end-deliveries.ts'

/** Of all tenants in one sweep, with a query each. */
const maxRemoved = 8

/**
 * Deletes endpoints that have expired, such as those of a command line whose machine is gone. What is pending for them
 * is over with that; `continueEndings` ends its rows. Returns how many.
 */
export async function removeExpiredEndpoints(db: Database, keys: EncryptionKeys, nowMs: number): Promise<number> {
  const isExpired = (table: typeof webhookConfigs) => and(isNotNull(table.expiresAt), lte(table.expiresAt, nowMs))
  const expired = (table: typeof webhookConfigs) =>
    db.select({ tenantId: table.tenantId, endpoint: table.endpoint }).from(table).where(isExpired(table))
  const found = await unionAll(expired(webhookConfigs), expired(webhookEndpoints)).limit(maxRemoved)
  for (const { tenantId, endpoint } of found) {
    const table = tableOf(endpoint)
    const emptied = { ...(await emptyConfig(keys, tenantId)), updatedAt: nowMs }
    await db
      .update(table)
      .set({ ...emptied, endedUntil: nowMs, endedReason: endpointDeleted })
      // Not if that was put off meanwhile.
      .where(and(eq(table.tenantId, tenantId), eq(table.endpoint, endpoint), isExpired(table)))
  }
  return found.length
}
