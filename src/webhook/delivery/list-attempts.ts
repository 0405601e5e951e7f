import { and, asc, eq, sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { deliveryAttempts } from '../../db/schema.ts'
import { parsePlace, placeOf } from './cursor.ts'
import { getDelivery } from './delivery-record.ts'

export interface Page {
  readonly limit: number
  /** `next_cursor` of the page before. */
  readonly cursor?: string | undefined
}

/** The attempts of a garment's delivery, oldest first. */
export async function listAttempts(db: Database, tenantId: string, garmentUuid: string, { limit, cursor }: Page) {
  const after = cursor === undefined ? { at: 0, id: '' } : parsePlace(cursor)
  const delivery = await getDelivery(db, tenantId, garmentUuid)
  const rows = await db
    .select()
    .from(deliveryAttempts)
    .where(
      and(
        eq(deliveryAttempts.tenantId, tenantId),
        eq(deliveryAttempts.deliveryId, delivery.id),
        sql`(${deliveryAttempts.at}, ${deliveryAttempts.id}) > (${after.at}, ${after.id})`,
      ),
    )
    .orderBy(asc(deliveryAttempts.at), asc(deliveryAttempts.id))
    .limit(limit + 1)
  const attempts = rows.slice(0, limit)
  const last = attempts.at(-1)
  return {
    attempts: attempts.map((row) => ({
      at: new Date(row.at).toISOString(),
      duration_ms: row.durationMs,
      response_status: row.responseStatus,
      error: row.error,
      response_body: row.responseBody,
      trigger: row.trigger,
    })),
    next_cursor: rows.length > limit && last !== undefined ? placeOf(last.at, last.id) : null,
  }
}
