import { eq, sql, type SQL } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { cursorOf, cutPage, parseCursor } from '../db/page.ts'
import { garments, tenantState, searchWords } from '../db/schema.ts'
import {
  batchedScan,
  listColumns,
  matchesFilter,
  type GarmentFilter,
  type ListedGarment,
} from '../garment/list/list-garments.ts'
import { spellings } from '../garment/list/plan-scan.ts'
import { rowWords, hasWords, termsOf } from '../garment/words.ts'
import { splitTerms } from './word-range.ts'

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
