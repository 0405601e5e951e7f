import { and, eq, isNull, lte, or, sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { deliveries, webhookConfigs } from '../../db/schema.ts'
import { ApiError } from '../../http/errors.ts'
import { enqueue, queueGraceMs } from '../../queue/enqueue.ts'
import { findConfigRow } from '../config/config.ts'
import { getDelivery, type DeliveryRow } from './delivery-record.ts'
import type { DeliveryMessage } from './message.ts'

/**
 * Has one more attempt made now, whatever became of the delivery, and in place of the retry that waits, if one does.
 * Throws 404 if there is no delivery, 409 if the webhook is off or an attempt is being made.
 */
export async function redeliver(
  db: Database,
  queue: Queue,
  tenantId: string,
  garmentUuid: string,
  now: number,
): Promise<DeliveryRow> {
  const [row] = await db
    .update(deliveries)
    .set({
      status: 'pending',
      // Asked for twice before the attempt is made: it is still what it was before the first time.
      redeliveredFrom: sql`coalesce(redelivered_from, status)`,
      nextAttemptAt: now,
      dueAt: now + queueGraceMs,
      claims: 0,
      updatedAt: now,
    })
    .where(
      and(
        eq(deliveries.tenantId, tenantId),
        eq(deliveries.garmentUuid, garmentUuid),
        or(isNull(deliveries.leaseUntil), lte(deliveries.leaseUntil, now)),
        sql`EXISTS (SELECT 1 FROM ${webhookConfigs} WHERE tenant_id = ${tenantId} AND enabled = 1)`,
      ),
    )
    .returning()
  if (row === undefined) throw await refusal(db, tenantId, garmentUuid)
  const message = { tenantId, deliveryId: row.id, attempt: row.attemptCount + 1 } satisfies DeliveryMessage
  await enqueue(queue, message)
  return row
}

async function refusal(db: Database, tenantId: string, garmentUuid: string): Promise<ApiError> {
  await getDelivery(db, tenantId, garmentUuid)
  const config = await findConfigRow(db, tenantId)
  if (!config?.enabled)
    return new ApiError(409, 'Webhook is off', ['Switch the webhook on to have a delivery made again.'])
  return new ApiError(409, 'Attempt under way', ['An attempt is being made just now; look at its outcome first.'])
}
