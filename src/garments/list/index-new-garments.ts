import { and, eq, isNotNull, isNull, sql, type SQL } from 'drizzle-orm'
import { createYieldAfter } from '../../platform/limits/yield-to-event-loop.ts'
import { nextStepSize } from '../../platform/limits/step-size.ts'
import { batchRaw, type Database } from '../../platform/db/database.ts'
import { cursorOf } from '../../platform/db/page.ts'
import { garments, searchWords, tenantState } from '../../platform/db/schema.ts'
import { exportGarments } from './read-garments.ts'
import { rowWords } from './search-words.ts'
import { log } from '../../log.ts'
import { minuteMs } from '../../time.ts'

/** Garments in a step: with 50 attributes of 512 Chinese letters, twenty of them have 1.6 MB. */
const rowsAtFirst = 20
const mostInStep = { rows: 300, characters: 500_000 }

/** What finding the words of a garment costs beyond its attributes. */
const workOfGarment = 500

/** For the request that searches. */
const stepsOfRequest = 5

/** For one sweep: 151 queries. */
const stepsOfSweep = 30
const tenantsOfSweep = 10

/** Uploads are stored in the order of their times but for this long. */
const settlingMs = minuteMs

/** The interval after which a search adds the words of new uploads. */
export const freshMs = minuteMs

/**
 * Adds the words of the garments that were uploaded since the last time, oldest first; of all of them, the first time.
 * Corrections add their own. The sweep continues what these steps leave.
 */
export async function catchUp(db: Database, tenantId: string, nowMs: number, steps = stepsOfRequest): Promise<void> {
  let limit = rowsAtFirst
  for (let step = 0; step < steps; step++) {
    const { isCaughtUp, ...read } = await indexNext(db, tenantId, limit, nowMs)
    if (isCaughtUp) return
    limit = nextStepSize(read, mostInStep)
  }
}

/** When this isolate began to catch up each tenant for a search. */
const begun = new Map<string, number>()

/** A request that is broken off does not keep later ones from it for longer. */
const mostMs = minuteMs

/** Catches up for a search, unless this isolate is at it already: the same steps would be made at the same time. */
export async function catchUpForSearch(db: Database, tenantId: string, nowMs: number): Promise<void> {
  if ((begun.get(tenantId) ?? -mostMs) > nowMs - mostMs) return
  begun.set(tenantId, nowMs)
  try {
    await catchUp(db, tenantId, nowMs)
  } finally {
    begun.delete(tenantId)
  }
}

/**
 * Continues with tenants some of whose garments are not indexed yet. One that fails does not keep the others from it;
 * its error is thrown after them.
 */
export async function continueCatchingUp(db: Database, nowMs: number): Promise<void> {
  const behind = await db
    .select({ tenantId: tenantState.tenantId })
    .from(tenantState)
    .where(and(isNotNull(tenantState.searchCursor), isNull(tenantState.searchedAt)))
    .limit(tenantsOfSweep)
  const share = Math.floor(stepsOfSweep / Math.max(behind.length, 1))
  const errors: unknown[] = []
  for (const { tenantId } of behind)
    try {
      await catchUp(db, tenantId, nowMs, share)
    } catch (error) {
      log('error', 'search index failed', { tenant: tenantId, error })
      errors.push(error)
    }
  // For the record of the sweep, which names the parts that failed.
  if (errors.length > 0) throw errors[0]
}

async function indexNext(db: Database, tenantId: string, limit: number, nowMs: number) {
  const mine = eq(tenantState.tenantId, tenantId)
  const [tenant] = await db.select({ cursor: tenantState.searchCursor }).from(tenantState).where(mine)
  if (tenant === undefined) return { isCaughtUp: true, rows: 0, characters: 0 }
  const { rows, nextCursor } = await exportGarments(db, tenantId, {
    limit,
    cursor: tenant.cursor || undefined,
  })
  const yieldAfter = createYieldAfter()
  const words: [uuid: string, words: string[]][] = []
  let characters = 0
  for (const row of rows) {
    words.push([row.uuid, rowWords(row)])
    characters += row.attribute.length
    await yieldAfter(workOfGarment + row.attribute.length)
  }
  // The next time begins with those that may still be overtaken.
  const settled = rows.findLast(({ createdAt }) => createdAt < nowMs - settlingMs)
  const cursor =
    nextCursor ??
    (settled === undefined ? (tenant.cursor ?? '') : cursorOf({ at: settled.createdAt, id: settled.uuid }))
  await batchRaw(db, [
    removeEarlierWords(
      tenantId,
      rows.map(({ uuid }) => uuid),
    ),
    insertWords(tenantId, words, sql`1`),
    db
      .update(tenantState)
      .set({ searchCursor: cursor, searchedAt: nextCursor === null ? nowMs : null })
      .where(and(mine, sql`${tenantState.searchCursor} IS ${tenant.cursor}`))
      .getSQL(),
  ])
  return { isCaughtUp: nextCursor === null, rows: rows.length, characters }
}

/** Of garments that are still there. */
const insertWords = (tenantId: string, words: readonly unknown[], condition: SQL): SQL => sql`
  INSERT OR IGNORE INTO ${searchWords} (tenant_id, word, sort_time, uuid)
  SELECT ${tenantId}, word.value, -garment.created_at, garment.uuid
  FROM json_each(${JSON.stringify(words)}) AS given
    CROSS JOIN ${garments} AS garment ON garment.tenant_id = ${tenantId} AND garment.uuid = given.value ->> 0
    CROSS JOIN json_each(given.value -> 1) AS word
  WHERE ${condition}`

/** Of garments that failed and were uploaded again, the words of former uploads, of which there is no limit. */
const removeEarlierWords = (tenantId: string, uuids: readonly string[]): SQL => sql`
  DELETE FROM ${searchWords}
  WHERE tenant_id = ${tenantId} AND uuid IN (SELECT value FROM json_each(${JSON.stringify(uuids)}))
    AND sort_time <> (
      SELECT -garment.created_at FROM ${garments} AS garment
      WHERE garment.tenant_id = ${tenantId} AND garment.uuid = search_words.uuid)`

type Searched = Parameters<typeof rowWords>[0]

/**
 * The statements that add the words of a correction, for a tenant that searches. Words of the values just before it
 * stay in the index, so that the garment keeps its neighbours in a search; matches are checked against the garment.
 * Older ones go: whoever changes a value again and again would fill the database with them.
 */
export function changeWords(tenantId: string, [before, after]: readonly [Searched, Searched], condition: SQL): SQL[] {
  const [former, words] = [rowWords(before), rowWords(after)]
  if (former.join(' ') === words.join(' ')) return []
  return [
    sql`
      DELETE FROM ${searchWords}
      WHERE tenant_id = ${tenantId} AND uuid = ${after.uuid}
        AND word NOT IN (SELECT value FROM json_each(${JSON.stringify([...former, ...words])})) AND ${condition}`,
    addWords(tenantId, after, condition),
  ]
}

function addWords(tenantId: string, garment: Searched, condition: SQL): SQL {
  const isSearched = sql`EXISTS (
    SELECT 1 FROM ${tenantState} WHERE tenant_id = ${tenantId} AND search_cursor IS NOT NULL)`
  return insertWords(tenantId, [[garment.uuid, rowWords(garment)]], sql`${isSearched} AND ${condition}`)
}
