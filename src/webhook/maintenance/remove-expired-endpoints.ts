import { and, asc, isNotNull, lte } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { webhookEndpoints } from '../../db/schema.ts'
import { isEndpoint } from '../config/config-row.ts'
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
  const isExpired = and(isNotNull(webhookEndpoints.expiresAt), lte(webhookEndpoints.expiresAt, nowMs))
  const found = await db
    .select({ tenantId: webhookEndpoints.tenantId, endpoint: webhookEndpoints.endpoint })
    .from(webhookEndpoints)
    .where(isExpired)
    .orderBy(asc(webhookEndpoints.expiresAt))
    .limit(maxRemoved)
  for (const { tenantId, endpoint } of found) {
    const emptied = { ...(await emptyConfig(keys, tenantId)), updatedAt: nowMs }
    await db
      .update(webhookEndpoints)
      .set({ ...emptied, endedUntil: nowMs, endedReason: endpointDeleted })
      // Not if its expiry was postponed meanwhile.
      .where(and(isEndpoint({ tenantId, endpoint }), isExpired))
  }
  return found.length
}
