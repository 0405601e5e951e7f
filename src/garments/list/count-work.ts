import { and, desc, eq, isNotNull, sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../platform/db/database.ts'
import { garments } from '../../platform/db/schema.ts'
import type { Stage } from '../listing-values.ts'
import { isDoubtful } from '../review/doubt.ts'
import { textHasTerms } from './parse-search.ts'
import { isFailed } from './scans.ts'
import { marked, marks } from './search-words.ts'

/** Nobody works through more at a time. The overview then shows `100+`. */
export const maxTasks = 100

/** Newest garments of which the overview counts the stages. */
const maxNewest = 1000

/** Counts the garments that need work, up to `maxTasks` and one, and the newest garments by stage. */
export function countsQuery(db: Database, tenantId: string) {
  const countTasks = (condition: SQL) => {
    const tasks = db
      .select({ uuid: garments.uuid })
      .from(garments)
      .where(and(eq(garments.tenantId, tenantId), condition))
      .limit(maxTasks + 1)
    return sql<number>`(SELECT count(*) FROM ${tasks})`
  }
  const newest = db
    .select({ status: garments.status, searchText: garments.searchText, price: garments.price, uuid: garments.uuid })
    .from(garments)
    .where(and(eq(garments.tenantId, tenantId), isNotNull(garments.endedAt)))
    .orderBy(desc(garments.createdAt), desc(garments.uuid))
    .limit(maxNewest)
    .as('newest')
  const countStage = (stage: Stage) =>
    // Named, because D1 returns only one of several columns with the same text.
    sql<number>`coalesce(sum(${textHasTerms([[` ${marked(stage, marks.stage)} `]], newest.searchText)}), 0)`.as(stage)
  return db
    .select({
      doubtful: countTasks(isDoubtful),
      failed: countTasks(isFailed),
      ready: countStage('ready'),
      listed: countStage('listed'),
      sold: countStage('sold'),
      unpriced: sql<number>`coalesce(sum(price IS NULL AND status = 'complete'), 0)`,
    })
    .from(newest)
}
