import { and, asc, desc, eq } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { cutPage, newerThan, olderThan, parseCursor, type PageRequest } from '../../db/page.ts'
import { firstEndpoint, type deliveryAttempts } from '../../db/schema.ts'
import type { DeliveryKind } from '../../events/catalogue.ts'
import { isOfGarment } from './conditions.ts'
import { getDelivery } from './get-delivery.ts'
import { attemptsOf } from './made-attempts.ts'

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
  const attempts = attemptsTable(db, tenantId, { garmentUuid, kind: 'tagging', endpoint })
  const rows = await db
    .select()
    .from(attempts)
    .where(and(eq(attempts.tenantId, tenantId), position && newerThan(attempts.at, attempts.attempt, position)))
    .orderBy(asc(attempts.at), asc(attempts.attempt))
    .limit(page.limit + 1)
  return cutAttempts(rows, page.limit)
}

/** The query of a delivery's attempts, newest first, for a batch; cut its rows by `cutAttempts`. */
export function newestAttemptsQuery(db: Database, tenantId: string, delivery: NamedDelivery, page: PageRequest) {
  const position = parseCursor(page.cursor)
  const attempts = attemptsTable(db, tenantId, delivery)
  return db
    .select()
    .from(attempts)
    .where(and(eq(attempts.tenantId, tenantId), position && olderThan(attempts.at, attempts.attempt, position)))
    .orderBy(desc(attempts.at), desc(attempts.attempt))
    .limit(page.limit + 1)
}

export const cutAttempts = (rows: readonly AttemptRow[], limit: number) =>
  cutPage(rows, limit, ({ at, attempt }) => ({ at, id: String(attempt) }))

interface NamedDelivery {
  readonly garmentUuid: string
  readonly kind: DeliveryKind
  readonly endpoint: string
}

const attemptsTable = (db: Database, tenantId: string, { garmentUuid, kind, endpoint }: NamedDelivery) =>
  attemptsOf(db, tenantId, isOfGarment(tenantId, garmentUuid, kind, endpoint))
