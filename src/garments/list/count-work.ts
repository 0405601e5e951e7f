import { sql } from 'drizzle-orm'
import type { Database } from '../../platform/db/database.ts'
import { garments } from '../../platform/db/schema.ts'
import type { Stage } from '../own-values.ts'
import { textHasTerms } from './parse-search.ts'
import { marked, marks } from './search-words.ts'

/** The newest garments, and those in doubt: nobody works through more, and every overview counts them. */
export const maxCounted = 1000

const countOf = (stage: Stage) =>
  sql<number>`coalesce(sum(${textHasTerms([[` ${marked(stage, marks.stage)} `]])}), 0)`.as(stage)

/** How many of a tenant's newest garments need something of a person; one more than `maxCounted` is more. */
export function countsQuery(db: Database, tenantId: string) {
  const doubtful = sql`
    SELECT count(*) FROM (
      SELECT 1 FROM ${garments} INDEXED BY garments_by_doubt WHERE tenant_id = ${tenantId} AND doubt <> 0
      LIMIT ${maxCounted + 1})`
  const failed = sql`
    SELECT count(*) FROM (
      SELECT 1 FROM ${garments} INDEXED BY garments_failed_of_tenant
      WHERE tenant_id = ${tenantId} AND status = 'failed' LIMIT ${maxCounted + 1})`
  const newest = sql`
    SELECT status, search_text, price FROM ${garments} INDEXED BY garments_ended
    WHERE tenant_id = ${tenantId} AND ended_at IS NOT NULL ORDER BY created_at DESC, uuid DESC LIMIT ${maxCounted}`
  return db
    .select({
      doubtful: sql<number>`(${doubtful})`,
      failed: sql<number>`(${failed})`,
      ready: countOf('ready'),
      listed: countOf('listed'),
      sold: countOf('sold'),
      unpriced: sql<number>`coalesce(sum(price IS NULL AND status = 'complete'), 0)`,
    })
    .from(sql`(${newest})`)
}

/** How many garments were added since each of these times, by the number of the latest of them, from 0. */
export function addedQuery(db: Database, tenantId: string, starts: readonly number[]) {
  const day = sql.join(
    starts.map((start) => sql`(created_at >= ${start})`),
    sql` + `,
  )
  const added = sql`
    SELECT created_at FROM ${garments} INDEXED BY garments_ended
    WHERE tenant_id = ${tenantId} AND ended_at IS NOT NULL AND created_at >= ${starts[0]} LIMIT ${maxAdded}`
  return db
    .select({ day: sql<number>`${day} - 1`.as('day'), count: sql<number>`count(*)`.as('count') })
    .from(sql`(${added})`)
    .groupBy(sql`1`)
}

/** Entries of the index that the chart of a week reads. */
const maxAdded = 10_000
