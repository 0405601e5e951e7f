import { and, eq, inArray, isNotNull, sql, type SQL } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/sqlite-core'
import type { Database } from '../../db/client.ts'
import { deliveries, deliveryAttempts } from '../../db/schema.ts'
import { selectValues } from '../../db/select-values.ts'
import type { DeliveryRow } from './conditions.ts'

/** The column's parts, by their place. */
const part = (place: number) => sql`${deliveries.firstAttempt} ->> ${sql.raw(String(place))}`

export const hasFirstAttempt = isNotNull(deliveries.firstAttempt)

/** Of a delivery with a first attempt. */
export const firstAttempt = { at: part(0), durationMs: part(1), responseStatus: part(2), responseBody: part(3) }

/** Whether the row of the delivery keeps an attempt that succeeds. */
export const isKeptInRow = ({ redeliveredFrom }: Pick<DeliveryRow, 'redeliveredFrom'>, attempt: number, ok: boolean) =>
  ok && attempt === 1 && redeliveredFrom === null

/** The rows of attempts of a tenant's deliveries that `which` selects. */
export function areAttemptsOf(db: Database, tenantId: string, which: SQL | undefined) {
  const ids = db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(eq(deliveries.tenantId, tenantId), which))
  return and(eq(deliveryAttempts.tenantId, tenantId), inArray(deliveryAttempts.deliveryId, ids))
}

/** The attempts of a tenant's deliveries that `which` selects, wherever they are stored, as a table of a query. */
export function attemptsOf(db: Database, tenantId: string, which: SQL | undefined) {
  const first = {
    tenantId: sql`${deliveries.tenantId}`,
    deliveryId: sql`${deliveries.id}`,
    attempt: 1,
    ...firstAttempt,
    error: '',
    trigger: 'automatic',
  } as const
  return unionAll(
    db
      .select()
      .from(deliveryAttempts)
      .where(areAttemptsOf(db, tenantId, which)),
    db
      .select(selectValues(deliveryAttempts, first))
      .from(deliveries)
      .where(and(eq(deliveries.tenantId, tenantId), which, hasFirstAttempt)),
  ).as('attempts')
}
