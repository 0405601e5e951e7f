import { and, desc, eq, isNotNull, sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../platform/db/database.ts'
import { garments } from '../../platform/db/schema.ts'
import type { Stage } from '../listing-values.ts'
import { textHasTerms } from './parse-search.ts'
import { marked, marks } from './search-words.ts'

/** Nobody works through more at a time. The overview then shows `100+`. */
export const maxTasks = 100

/** Newest garments of which the overview counts the stages. */
const maxNewest = 1000

const countStage = (stage: Stage) =>
  sql<number>`coalesce(sum(${textHasTerms([[` ${marked(stage, marks.stage)} `]])}), 0)`.as(stage)

/** Counts the garments that need work, up to `maxTasks` and one, and the newest garments by stage. */
export function countsQuery(db: Database, tenantId: string) {
  const countIn = (index: string, where: SQL) => sql<number>`(
    SELECT count(*) FROM (
      SELECT 1 FROM ${garments} INDEXED BY ${sql.identifier(index)}
      WHERE tenant_id = ${tenantId} AND ${where} LIMIT ${maxTasks + 1}))`
  const newest = db
    .select({ status: garments.status, searchText: garments.searchText, price: garments.price, uuid: garments.uuid })
    .from(garments)
    .where(and(eq(garments.tenantId, tenantId), isNotNull(garments.endedAt)))
    .orderBy(desc(garments.createdAt), desc(garments.uuid))
    .limit(maxNewest)
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
