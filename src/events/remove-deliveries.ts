import { and, eq, inArray, lte, sql, type SQL } from 'drizzle-orm'
import { fixedRowBytes, subtractRows } from '../platform/db/count-rows.ts'
import { addToDailyCount } from '../platform/db/daily-counts.ts'
import type { Database } from '../platform/db/database.ts'
import { deliveries, deliveryAttempts } from '../platform/db/schema.ts'
import { type DeliveryRow, isAboutGarment, needsGarment } from './delivery.ts'
import { isNewEnding } from './end-deliveries.ts'

const attemptBytes = sql`coalesce(sum(
  ${fixedRowBytes.delivery_attempts} + coalesce(octet_length(error), 0) + coalesce(octet_length(response_body), 0)), 0)`

/** Selects the bytes of deliveries with their attempts. Tagging deliveries count with their garment. */
const deliveryBytes = sql`sum(iif(kind = 'tagging', 0, ${fixedRowBytes.deliveries}) + coalesce(octet_length(body), 0) + (
  SELECT ${attemptBytes} FROM ${deliveryAttempts} WHERE delivery_id = ${deliveries.id}))`

export const subtractDeliveries = (areRemoved: SQL | undefined) =>
  subtractRows(deliveries, areRemoved, { row_bytes: deliveryBytes })

/** Removes a garment's deliveries, except about its deletion, if `when` holds. Pending deliveries count as failed. */
export function removeDeliveries(
  db: Database,
  { tenantId, garmentUuid, when }: { readonly tenantId: string; readonly garmentUuid: string; readonly when: SQL },
  nowMs: number,
) {
  const areRemoved = and(isAboutGarment(tenantId, garmentUuid), needsGarment, when)
  const pending = db.$count(deliveries, and(areRemoved, eq(deliveries.status, 'pending'), isNewEnding))
  return [
    addToDailyCount(db, tenantId, 'permanently_failed', pending, nowMs),
    subtractDeliveries(areRemoved),
    db.delete(deliveries).where(areRemoved),
  ] as const
}

type Expiring = readonly { readonly id: string; readonly beforeMs: number }[]

/**
 * Removes at most `limit` expired deliveries. The last statement returns a row for each. CROSS JOIN fixes the order of
 * loops, so that SQLite uses the index.
 */
export function expireDeliveries(
  db: Database,
  tenants: Expiring,
  index: 'deliveries_by_time' | 'deliveries_without_garment',
  limit: number,
) {
  const areRemoved = sql`id IN (
    SELECT expired.id FROM json_each(${JSON.stringify(tenants)}) AS tenant
    CROSS JOIN ${deliveries} AS expired INDEXED BY ${sql.identifier(index)}
    WHERE expired.tenant_id = tenant.value ->> 'id' AND expired.created_at < tenant.value ->> 'beforeMs'
      AND expired.due_at IS NULL ${index === 'deliveries_by_time' ? undefined : sql`AND expired.kind IN ('deletion', 'account')`}
    LIMIT ${limit})`
  return [
    subtractDeliveries(areRemoved),
    db.delete(deliveries).where(areRemoved).returning({ id: deliveries.id }),
  ] as const
}

/** Erases at most `limit` expired answers, oldest first. The last statement returns a row for each. */
export function eraseResponseBodies(db: Database, tenants: Expiring, limit: number) {
  const areErased = sql`rowid IN (
    SELECT old.rowid FROM json_each(${JSON.stringify(tenants)}) AS tenant
    CROSS JOIN ${deliveryAttempts} AS old INDEXED BY delivery_attempts_with_answer
    WHERE old.tenant_id = tenant.value ->> 'id' AND old.at < tenant.value ->> 'beforeMs' AND old.response_body IS NOT NULL
    LIMIT ${limit})`
  return [
    subtractRows(deliveryAttempts, areErased, { row_bytes: sql`sum(octet_length(response_body))` }),
    db
      .update(deliveryAttempts)
      .set({ responseBody: null })
      .where(areErased)
      .returning({ attempt: deliveryAttempts.attempt }),
  ] as const
}

export function removeAttempts(db: Database, { tenantId, id }: Pick<DeliveryRow, 'tenantId' | 'id'>, last: number) {
  const areRemoved = and(
    eq(deliveryAttempts.tenantId, tenantId),
    eq(deliveryAttempts.deliveryId, id),
    lte(deliveryAttempts.attempt, last),
  )
  return [
    subtractRows(deliveryAttempts, areRemoved, { row_bytes: attemptBytes }),
    db.delete(deliveryAttempts).where(areRemoved),
  ] as const
}

export function purgeDeliveries(db: Database, tenantId: string, limit: number) {
  const isTenants = eq(deliveries.tenantId, tenantId)
  const found = db.select({ id: deliveries.id }).from(deliveries).where(isTenants).limit(limit)
  return db
    .delete(deliveries)
    .where(and(isTenants, inArray(deliveries.id, found)))
    .returning({ id: deliveries.id })
}
