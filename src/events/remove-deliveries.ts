import { and, eq, inArray, lte, sql, type SQL } from 'drizzle-orm'
import { fixedRowBytes, subtractRows } from '../platform/db/count-rows.ts'
import type { Database } from '../platform/db/database.ts'
import { deliveries, deliveryAttempts } from '../platform/db/schema.ts'
import { type DeliveryRow, isAboutGarment, needsGarment } from './delivery.ts'
import { addToDailyCount, isNewEnding } from './end-deliveries.ts'

const attemptBytes = sql`coalesce(sum(
  ${fixedRowBytes.delivery_attempts} + coalesce(octet_length(error), 0) + coalesce(octet_length(response_body), 0)), 0)`

/** Bytes of selected deliveries with their attempts. Deliveries of tagging count with their garment. */
const deliveryBytes = sql`sum(iif(kind = 'tagging', 0, ${fixedRowBytes.deliveries}) + coalesce(octet_length(body), 0) + (
  SELECT ${attemptBytes} FROM ${deliveryAttempts} WHERE delivery_id = ${deliveries.id}))`

/** Returns the statement that subtracts deliveries and their attempts from what the tenant has stored. */
export const subtractDeliveries = (areRemoved: SQL) =>
  subtractRows(deliveries, areRemoved, { row_bytes: deliveryBytes })

/**
 * Returns the statements that remove a garment's deliveries with their attempts if `when` holds, except those that
 * report its deletion. Pending ones count as permanently failed.
 */
export function removeDeliveries(
  db: Database,
  { tenantId, garmentUuid, when }: { readonly tenantId: string; readonly garmentUuid: string; readonly when: SQL },
  nowMs: number,
) {
  const areRemoved = sql`${and(isAboutGarment(tenantId, garmentUuid), needsGarment, when)}`
  const pending = and(areRemoved, eq(deliveries.status, 'pending'), isNewEnding)
  return [
    addToDailyCount(
      db,
      tenantId,
      'permanently_failed',
      sql`SELECT count(*) FROM ${deliveries} WHERE ${pending}`,
      nowMs,
    ),
    subtractDeliveries(areRemoved),
    db.delete(deliveries).where(areRemoved),
  ] as const
}

type Expiring = readonly { readonly id: string; readonly beforeMs: number }[]

/**
 * Returns the statements that remove at most `limit` ended deliveries that have expired, with their attempts. The last
 * returns a row for each. Tenant by tenant, so that SQLite uses the index; CROSS JOIN keeps that order.
 */
export function expireDeliveries(
  tenants: Expiring,
  index: 'deliveries_by_time' | 'deliveries_without_garment',
  limit: number,
) {
  const areRemoved = sql`id IN (
    SELECT expired.id FROM json_each(${JSON.stringify(tenants)}) AS tenant
    CROSS JOIN ${deliveries} AS expired INDEXED BY ${sql.identifier(index)}
    WHERE expired.tenant_id = tenant.value ->> 'id' AND expired.created_at < tenant.value ->> 'beforeMs'
      AND expired.due_at IS NULL ${index === 'deliveries_by_time' ? sql`` : sql`AND expired.kind IN ('deletion', 'account')`}
    LIMIT ${limit})`
  return [
    subtractDeliveries(areRemoved),
    sql<Pick<DeliveryRow, 'id'>>`DELETE FROM ${deliveries} WHERE ${areRemoved} RETURNING id`,
  ] as const
}

/** Returns the statements that erase at most `limit` expired answers, oldest first. The last returns a row for each. */
export function eraseAnswers(tenants: Expiring, limit: number) {
  const areErased = sql`rowid IN (
    SELECT old.rowid FROM json_each(${JSON.stringify(tenants)}) AS tenant
    CROSS JOIN ${deliveryAttempts} AS old INDEXED BY delivery_attempts_with_answer
    WHERE old.tenant_id = tenant.value ->> 'id' AND old.at < tenant.value ->> 'beforeMs' AND old.response_body IS NOT NULL
    LIMIT ${limit})`
  return [
    subtractRows(deliveryAttempts, areErased, { row_bytes: sql`sum(octet_length(response_body))` }),
    sql<{ readonly attempt: number }>`
      UPDATE ${deliveryAttempts} SET response_body = NULL WHERE ${areErased} RETURNING attempt`,
  ] as const
}

export function removeAttempts(db: Database, { tenantId, id }: Pick<DeliveryRow, 'tenantId' | 'id'>, last: number) {
  const areRemoved = sql`${and(
    eq(deliveryAttempts.tenantId, tenantId),
    eq(deliveryAttempts.deliveryId, id),
    lte(deliveryAttempts.attempt, last),
  )}`
  return [
    subtractRows(deliveryAttempts, areRemoved, { row_bytes: attemptBytes }),
    db.delete(deliveryAttempts).where(areRemoved),
  ] as const
}

/** Removes at most `limit` deliveries of a deleted tenant in any state. Returns a row for each. */
export function purgeDeliveries(db: Database, tenantId: string, limit: number) {
  const isTenants = eq(deliveries.tenantId, tenantId)
  const found = db.select({ id: deliveries.id }).from(deliveries).where(isTenants).limit(limit)
  return db
    .delete(deliveries)
    .where(and(isTenants, inArray(deliveries.id, found)))
    .returning({ id: deliveries.id })
}
