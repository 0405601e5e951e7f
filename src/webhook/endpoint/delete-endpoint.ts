import { and, eq } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { recordEntry, type Actor } from '../../audit/record-entry.ts'
import { accountEndpoint } from '../../db/schema.ts'
import { tableOf } from '../config/config-row.ts'
import { emptyConfig } from '../config/empty-config.ts'
import type { EncryptionKeys } from '../config/encrypt.ts'
import { endPendingDeliveries, endpointDeleted } from '../delivery/end-deliveries.ts'
import { getEndpointRow } from './list-endpoints.ts'

/**
 * Deletes an endpoint: clears its URL, secret and headers at once and ends its pending deliveries. Its row is removed
 * after all of them have ended. The row of the first endpoint stays, because it stores the events that the tenant
 * chose. Throws 404 for one that does not exist.
 */
export async function deleteEndpoint(
  { db, keys }: { readonly db: Database; readonly keys: EncryptionKeys },
  tenantId: string,
  id: string,
  nowMs: number,
  by: Actor,
): Promise<void> {
  const { url } = await getEndpointRow(db, tenantId, id)
  const table = tableOf(id)
  const action = id === accountEndpoint ? 'account-webhook.deleted' : 'endpoint.deleted'
  await db.batch([
    db
      .update(table)
      .set({ ...(await emptyConfig(keys, tenantId)), updatedAt: nowMs })
      .where(and(eq(table.tenantId, tenantId), eq(table.endpoint, id))),
    ...recordEntry(db, { holderId: tenantId, action, subject: url }, { by, at: nowMs }),
  ])
  await endPendingDeliveries(db, { tenantId, endpoint: id }, endpointDeleted, nowMs)
}
