import { eq, sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../platform/db/database.ts'
import { cursorOf, cutPage, parseCursor } from '../../platform/db/page.ts'
import { garments, searchWords, tenantState } from '../../platform/db/schema.ts'
import {
  batchedScan,
  countGarments,
  type GarmentCount,
  type GarmentFilter,
  listColumns,
  type ListedGarment,
  matchesFilter,
  maxCounted,
} from './list-garments.ts'
import { matches, planScan, prefixEnd, spellings } from './plan-scan.ts'
import { hasWords, rowWords, termsOf } from './search-words.ts'

/** Words from `start` on and before `end`. */
interface WordRange {
  readonly start: string
  readonly end: string
}

/** The words that a term stands for: itself, or all that begin with it if it is the last of the search. */
const rangeOf = (term: string, isLast: boolean): WordRange => ({
  start: term,
  end: isLast ? `${term}\u{10ffff}` : `${term}\u{0}`,
})

/** By which term a search scans the index: the longest, since few garments have it. The other terms are compared. */
export function splitTerms(terms: readonly string[]): { readonly scanned: WordRange; readonly others: WordRange[] } {
  const ranges = terms.map((term, i) => rangeOf(term, i === terms.length - 1))
  // Of several that are as long, the last one, because its words may be longer.
  const [scanned, ...others] = ranges.toReversed().toSorted((a, b) => b.start.length - a.start.length)
  return { scanned: scanned ?? { start: '', end: '' }, others }
}

export const inRange = (word: SQL, { start, end }: WordRange) => sql`${word} >= ${start} AND ${word} < ${end}`

/** Index entries that are read for a page. */
const maxLookedAt = 30

export interface SearchFilter extends GarmentFilter {
  readonly search: string
  /** The word that the page before ended with; absent until the garments found by their uuid have been shown. */
  readonly word?: string | undefined
}

type FoundGarment = ListedGarment & {
  readonly corrections: string | null
}

/** Entries of the index with their garments. */
type Entry = { readonly word: string; readonly entryAt: number; readonly entryUuid: string } & {
  readonly [Name in keyof FoundGarment]: FoundGarment[Name] | null
}

/** Before every word. */
const noWord = ''

/**
 * Finds garments whose uuid begins with the search, and then those that have all of its words in their uuid, brand or
 * the owner's values, newest first; the last one may be a word's beginning, and longer words come later. One round
 * trip. A page may have fewer garments than the limit, or none, and still have a next page, with `nextWord`.
 */
export async function searchGarments(db: Database, tenantId: string, { word, ...filter }: SearchFilter) {
  const { search, limit, cursor, ...others } = filter
  const terms = termsOf(search)
  const [byUuid, entries, [state]] = await db.batch([
    batchedScan(db, tenantId, {
      search,
      limit: word === undefined ? limit + 1 : 0,
      cursor: word === undefined ? cursor : undefined,
    }),
    entriesOf(db, tenantId, terms, word === undefined ? undefined : { word, cursor }),
    db.select({ caughtUpAt: tenantState.searchedAt }).from(tenantState).where(eq(tenantState.tenantId, tenantId)),
  ])
  const caughtUpAt = state?.caughtUpAt ?? null
  const uuids = cutPage(byUuid, limit, ({ at, uuid }) => ({ at, id: uuid }))
  const first = uuids.rows.filter((garment) => matchesFilter(garment, others))
  if (uuids.nextCursor !== null)
    return { garments: first, nextCursor: uuids.nextCursor, nextWord: undefined, caughtUpAt }

  const starts = spellings(search)
  const lookedAt = entries.slice(0, maxLookedAt)
  const found = lookedAt.flatMap((entry, i) => {
    if (!isFound(entry) || starts.some((start) => entry.uuid.startsWith(start))) return []
    // Words of former values stay in the index.
    if (!hasWords(rowWords(entry), terms) || !matchesFilter(entry, others)) return []
    return [{ entry, i }]
  })
  const room = limit - first.length
  const shown = found.slice(0, room)
  const garmentsShown = new Map(
    [...first, ...shown.map(({ entry }) => entry)].map((garment) => [garment.uuid, garment]),
  )
  const last =
    found.length > room ? (shown.at(-1)?.i ?? -1) : entries.length > maxLookedAt ? maxLookedAt - 1 : undefined
  const end = last === undefined ? undefined : lookedAt[last]
  const next =
    last === undefined
      ? { nextCursor: null, nextWord: undefined }
      : { nextCursor: cursorOf({ at: end?.entryAt ?? 0, id: end?.entryUuid ?? noWord }), nextWord: end?.word ?? noWord }
  return { garments: [...garmentsShown.values()], ...next, caughtUpAt }
}

/** The garment may be gone, or uploaded again since. */
const isFound = (entry: Entry): entry is Entry & FoundGarment => entry.uuid !== null

interface LastEntry {
  readonly word: string
  readonly cursor: string | undefined
}

function entriesOf(db: Database, tenantId: string, terms: readonly string[], before: LastEntry | undefined) {
  const { start, end } = splitTerms(terms).scanned
  const position = parseCursor(before?.cursor)
  // One lower bound only, because of two SQLite may start at the first.
  const isAfter =
    before === undefined || before.word === noWord || position === undefined
      ? sql`word >= ${start}`
      : sql`(word, sort_time, uuid) > (${before.word}, ${-position.at}, ${position.id})`
  const fields = { ...listColumns, corrections: garments.corrections }
  const named = Object.entries(fields).map(([name, column]) => sql`${column} AS ${sql.identifier(name)}`)
  const rows = sql`(
    SELECT entry.word, -entry.sort_time AS entryAt, entry.uuid AS entryUuid, ${sql.join(named, sql`, `)}
    FROM (
      SELECT word, sort_time, uuid FROM ${searchWords}
      WHERE tenant_id = ${tenantId} AND ${isAfter} AND word < ${end} AND ${start} <> ''
      ORDER BY word, sort_time, uuid LIMIT ${maxLookedAt + 1}
    ) AS entry
    LEFT JOIN ${garments} ON garments.tenant_id = ${tenantId} AND garments.uuid = entry.uuid
      AND garments.created_at = -entry.sort_time
    ORDER BY entry.word, entry.sort_time, entry.uuid)`
  const selected = Object.fromEntries(
    ['word', 'entryAt', 'entryUuid', ...Object.keys(fields)].map((name) => [name, sql`${sql.identifier(name)}`]),
  )
  return db.select(selected as { [Name in keyof Entry]: SQL<Entry[Name]> }).from(rows)
}

/**
 * Whether the garment of `entry`, a row of the index that has one word of the search, has the others as well and is not
 * also found by its uuid.
 */
export function foundByWords(tenantId: string, search: string, others: readonly WordRange[]): SQL {
  const notByUuid = spellings(search).map(
    (start) => sql`NOT (entry.uuid >= ${start} AND entry.uuid < ${prefixEnd(start)})`,
  )
  const hasOthers = others.map(
    (range) => sql`EXISTS (
      SELECT 1 FROM ${searchWords} AS own
      WHERE own.tenant_id = ${tenantId} AND own.uuid = entry.uuid AND ${inRange(sql`own.word`, range)})`,
  )
  return sql.join([...notByUuid, ...hasOthers], sql` AND `)
}

type CountedFilter = Omit<GarmentFilter, 'limit' | 'cursor' | 'sort'>

/**
 * How many garments a filter finds, with a search about: the index has words of former values, too. Reads at most
 * `maxCounted` rows, of indexes too: first of the garments whose uuid begins with the search, and then of its words, as
 * many entries as that leaves. Nothing that was read is stored and read again, since that would count once more.
 */
export async function countFound(db: Database, tenantId: string, filter: CountedFilter): Promise<GarmentCount> {
  const { search, ...others } = filter
  const terms = search === undefined ? [] : termsOf(search)
  if (search === undefined || terms.length === 0) return await countGarments(db, tenantId, filter)
  const hasOthers = Object.values(others).some((value) => value !== undefined && value !== false)
  // A garment's row is found by an entry of an index.
  const ofRow = hasOthers ? 2 : 0
  const readByUuid = 1 + (hasOthers ? 1 : 0)
  const readByWord = terms.length + ofRow
  const maxByUuid = Math.floor(maxCounted / readByUuid)

  const byUuid = planScan({ search, limit: 1 }).scans.map(
    ({ where }) => sql`
      SELECT ${matches(others)} AS is_found FROM ${garments} WHERE ${garments.tenantId} = ${tenantId} AND ${where}`,
  )
  const { scanned, others: otherRanges } = splitTerms(terms)
  const isFound = [
    foundByWords(tenantId, search, otherRanges),
    ...(hasOthers
      ? [
          sql`EXISTS (
            SELECT 1 FROM ${garments}
            WHERE ${garments.tenantId} = ${tenantId} AND ${garments.uuid} = entry.uuid AND ${matches(others)})`,
        ]
      : []),
  ]
  const [row] = await db.all<{ found: number; looked: number; room: number; byUuid: number }>(sql`
    WITH by_uuid AS MATERIALIZED (
      SELECT count(*) AS looked, coalesce(sum(is_found), 0) AS found
      FROM (${sql.join(byUuid, sql` UNION ALL `)} LIMIT ${maxByUuid})),
    room AS MATERIALIZED (
      SELECT CAST((${maxCounted} - looked * ${readByUuid}) / ${readByWord} AS INTEGER) AS entries FROM by_uuid)
    SELECT
      (SELECT found FROM by_uuid) + count(DISTINCT iif(${sql.join(isFound, sql` AND `)}, uuid, NULL)) AS found,
      count(*) AS looked, (SELECT entries FROM room) AS room, (SELECT looked FROM by_uuid) AS byUuid
    FROM (
      SELECT uuid FROM ${searchWords} WHERE tenant_id = ${tenantId} AND ${inRange(sql`word`, scanned)}
      LIMIT (SELECT entries FROM room)
    ) AS entry`)
  if (row === undefined) return { count: 0, isAll: false }
  return { count: row.found, isAll: row.byUuid < maxByUuid && row.looked < row.room }
}
