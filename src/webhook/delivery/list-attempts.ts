import { and, asc, desc, eq, inArray, type SQL } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { cutPage, newerThan, olderThan, parseCursor, type PageRequest } from '../../db/page.ts'
import { deliveries, deliveryAttempts, firstEndpoint } from '../../db/schema.ts'
import { isOfGarment, type DeliveryKind } from './conditions.ts'
import { getDelivery } from './get-delivery.ts'

export type AttemptRow = typeof deliveryAttempts.$inferSelect

/** The attempts of a garment's delivery, oldest first. Throws 404 without a delivery. */
export async function listAttempts(
  db: Database,
  tenantId: string,
  garmentUuid: string,
  page: PageRequest,
  endpoint = firstEndpoint,
) {
  const position = parseCursor(page.cursor)
  await getDelivery(db, tenantId, garmentUuid, 'tagging', endpoint)
  const after = position && newerThan(deliveryAttempts.at, deliveryAttempts.attempt, position)
  const rows = await attemptsQuery(db, tenantId, { garmentUuid, kind: 'tagging', endpoint }, after)
    .orderBy(asc(deliveryAttempts.at), asc(deliveryAttempts.attempt))
    .limit(page.limit + 1)
  return cutAttempts(rows, page.limit)
}

/** The query of a delivery's attempts, newest first, for a batch; cut its rows by `cutAttempts`. */
export function newestAttemptsQuery(db: Database, tenantId: string, delivery: NamedDelivery, page: PageRequest) {
  const position = parseCursor(page.cursor)
  const before = position && olderThan(deliveryAttempts.at, deliveryAttempts.attempt, position)
  return attemptsQuery(db, tenantId, delivery, before)
    .orderBy(desc(deliveryAttempts.at), desc(deliveryAttempts.attempt))
    .limit(page.limit + 1)
}

export const cutAttempts = (rows: readonly AttemptRow[], limit: number) =>
  cutPage(rows, limit, ({ at, attempt }) => ({ at, id: String(attempt) }))

interface NamedDelivery {
  readonly garmentUuid: string
  readonly kind: DeliveryKind
  readonly endpoint: string
}

function attemptsQuery(
  db: Database,
  tenantId: string,
  { garmentUuid, kind, endpoint }: NamedDelivery,
  which: SQL | undefined,
) {
  const delivery = db
    .select({ number: deliveries.number })
    .from(deliveries)
    .where(isOfGarment(tenantId, garmentUuid, kind, endpoint))
  return db
    .select()
    .from(deliveryAttempts)
    .where(and(eq(deliveryAttempts.tenantId, tenantId), inArray(deliveryAttempts.deliveryNumber, delivery), which))
    .$dynamic()
}
