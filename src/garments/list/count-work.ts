import { and, count, desc, eq, gte, isNotNull, sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../platform/db/database.ts'
import { garments } from '../../platform/db/schema.ts'
import type { Stage } from '../own-values.ts'
import { textHasTerms } from './parse-search.ts'
import { marked, marks } from './search-words.ts'

/** Maximum number of newest, doubtful and failed garments that an overview counts. */
export const maxCounted = 1000

const countStage = (stage: Stage) =>
  sql<number>`coalesce(sum(${textHasTerms([[` ${marked(stage, marks.stage)} `]])}), 0)`.as(stage)

/** Counts how many of a tenant's garments need a person's work. A count above `maxCounted` means more. */
export function countsQuery(db: Database, tenantId: string) {
  const countIn = (index: string, where: SQL) => sql<number>`(
    SELECT count(*) FROM (
      SELECT 1 FROM ${garments} INDEXED BY ${sql.identifier(index)}
      WHERE tenant_id = ${tenantId} AND ${where} LIMIT ${maxCounted + 1}))`
  const newest = db
    .select({ status: garments.status, searchText: garments.searchText, price: garments.price, uuid: garments.uuid })
    .from(garments)
    .where(and(eq(garments.tenantId, tenantId), isNotNull(garments.endedAt)))
    .orderBy(desc(garments.createdAt), desc(garments.uuid))
    .limit(maxCounted)
    .as('newest')
  return db
    .select({
      doubtful: countIn('garments_by_doubt', sql`doubt <> 0`),
      failed: countIn('garments_failed_of_tenant', sql`status = 'failed'`),
      ready: countStage('ready'),
      listed: countStage('listed'),
      sold: countStage('sold'),
      unpriced: sql<number>`coalesce(sum(price IS NULL AND status = 'complete'), 0)`,
    })
    .from(newest)
}

/** Maximum number of garments in the chart of a week. */
const maxAdded = 10_000

/** Counts garments added since each of these times. `day` is the index of the latest of them. */
export function addedQuery(db: Database, tenantId: string, starts: readonly number[]) {
  const added = db
    .select({ createdAt: garments.createdAt })
    .from(garments)
    .where(and(eq(garments.tenantId, tenantId), isNotNull(garments.endedAt), gte(garments.createdAt, starts[0] ?? 0)))
    .limit(maxAdded)
    .as('added')
  const begun = sql.join(
    starts.map((start) => sql`(created_at >= ${start})`),
    sql` + `,
  )
  const day = sql<number>`${begun} - 1`
  return db.select({ day, count: count() }).from(added).groupBy(day)
}
