import { and, eq, gt, notExists, sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { recordEntry, type Actor } from '../../audit/record-entry.ts'
import { accountEndpoint, deliveries, firstEndpoint, webhookEndpoints } from '../../db/schema.ts'
import { isEndpoint } from '../config/config-row.ts'
import { emptyConfig } from '../config/empty-config.ts'
import type { EncryptionKeys } from '../config/encrypt.ts'
import { endPendingDeliveries, endpointDeleted } from '../delivery/end-deliveries.ts'
import { getEndpointRow } from './list-endpoints.ts'

/**
 * Deletes an endpoint: clears its URL, secret and headers at once and ends its pending deliveries. Its row is removed
 * once none is left, by the sweep if that takes longer. The row of the first endpoint stays, because it stores the
 * events that the tenant chose. Throws 404 for one that does not exist.
 */
export async function deleteEndpoint(
  { db, keys }: { readonly db: Database; readonly keys: EncryptionKeys },
  tenantId: string,
  id: string,
  nowMs: number,
  by: Actor,
): Promise<void> {
  const { url } = await getEndpointRow(db, tenantId, id)
  const action = id === accountEndpoint ? 'account-webhook.deleted' : 'endpoint.deleted'
  const emptied = await emptyConfig(keys, tenantId)
  await db.batch([
    db
      .update(webhookEndpoints)
      // Marked from the start, so that the sweep removes the row if this breaks off.
      .set({ ...emptied, updatedAt: nowMs, endedUntil: nowMs, endedReason: endpointDeleted })
      .where(isEndpoint({ tenantId, endpoint: id })),
    ...recordEntry(db, { holderId: tenantId, action, subject: url }, { by, at: nowMs }),
  ])
  await endPendingDeliveries(db, { tenantId, endpoint: id }, endpointDeleted, nowMs)
  if (id === firstEndpoint) return
  const pending = db
    .select({ one: sql`1` })
    .from(deliveries)
    .where(and(eq(deliveries.tenantId, tenantId), eq(deliveries.endpoint, id), gt(deliveries.dueAt, 0)))
  await db
    .delete(webhookEndpoints)
    .where(and(isEndpoint({ tenantId, endpoint: id }), eq(webhookEndpoints.url, ''), notExists(pending)))
}
