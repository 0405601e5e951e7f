import { and, eq } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { deliveries } from '../../db/schema.ts'
import { ApiError } from '../../http/errors.ts'

export type DeliveryRow = typeof deliveries.$inferSelect

const iso = (ms: number) => new Date(ms).toISOString()

/** The delivery record as the API shows it. */
export function deliveryRecord(row: DeliveryRow) {
  return {
    uuid: row.id,
    garment_uuid: row.garmentUuid,
    status: row.status,
    attempt_count: row.attemptCount,
    last_attempt_at: row.lastAttemptAt === null ? '' : iso(row.lastAttemptAt),
    next_attempt_at: row.nextAttemptAt === null ? null : iso(row.nextAttemptAt),
    last_error: row.lastError,
    response_status: row.responseStatus,
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
  }
}

/** The delivery of a garment. Throws 404 if it has none; another tenant's answers the same. */
export async function getDelivery(db: Database, tenantId: string, garmentUuid: string): Promise<DeliveryRow> {
  const [row] = await db
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.tenantId, tenantId), eq(deliveries.garmentUuid, garmentUuid)))
  if (row === undefined)
    throw new ApiError(404, 'Delivery not found', ['uuid: there is no webhook delivery for a garment of this uuid'])
  return row
}
