import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../platform/db/database.ts'
import { garments, searchWords } from '../../platform/db/schema.ts'
import { type GarmentFilter, neighbour, type Side } from './list-garments.ts'
import { matches, prefixEnd, spellings } from './plan-scan.ts'
import { hasWords, rowWords, termsOf } from './search-words.ts'
import { foundByWords, inRange, splitTerms } from './search-garments.ts'

type ListFilter = Omit<GarmentFilter, 'limit'>

/** Rows of the index and of garments that are read for one neighbour in a search. */
const maxRead = 30

/** Garments that may have the words, of which some had them formerly. */
const maxCandidates = 3

interface Candidate {
  readonly uuid: string | null
  /** Null where its words need not be compared. */
  readonly attribute: string | null
  readonly corrections: string | null
}

/** The query of what may be the garment before or after one in a list, the nearest first, for `firstNeighbour`. */
export function neighbourQuery(db: Database, tenantId: string, uuid: string, side: Side, filter: ListFilter) {
  const { search } = filter
  const rows =
    search === undefined
      ? sql`SELECT ${neighbour(side, tenantId, uuid, filter)} AS uuid, NULL AS attribute, NULL AS corrections`
      : inSearch({ side, tenantId, uuid, filter, search })
  const column = <T>(name: string) => sql<T>`${sql.identifier(name)}`
  return db
    .select({
      uuid: column<Candidate['uuid']>('uuid'),
      attribute: column<Candidate['attribute']>('attribute'),
      corrections: column<Candidate['corrections']>('corrections'),
    })
    .from(sql`(${rows})`)
}

/** Null if there is none near enough. */
export function firstNeighbour(candidates: readonly Candidate[], { search = '' }: ListFilter): string | null {
  const terms = termsOf(search)
  for (const { uuid, attribute, corrections } of candidates) {
    if (uuid === null) continue
    if (attribute === null || hasWords(rowWords({ uuid, attribute, corrections }), terms)) return uuid
  }
  return null
}

interface Searched {
  readonly side: Side
  readonly tenantId: string
  readonly uuid: string
  readonly filter: ListFilter
  readonly search: string
}

/** In the order of a search: those whose uuid begins with it, and then those that have its words. */
function inSearch(searched: Searched): SQL {
  const { side, tenantId, uuid, filter, search } = searched
  const byUuid = (from: string, by: ListFilter) => neighbour(side, tenantId, from, by)
  const asRow = (found: SQL) => sql`SELECT ${found} AS uuid, NULL AS attribute, NULL AS corrections`
  const hasTerms = termsOf(search).length > 0
  if (spellings(search).some((start) => uuid.startsWith(start))) {
    const row = asRow(byUuid(uuid, filter))
    if (side === 'previous' || !hasTerms) return row
    return sql`${row} UNION ALL SELECT * FROM (${byWords(searched, false)}) WHERE ${byUuid(uuid, { search })} IS NULL`
  }
  if (!hasTerms) return sql`SELECT NULL AS uuid, NULL AS attribute, NULL AS corrections`
  const rows = sql`SELECT * FROM (${byWords(searched, true)})`
  if (side === 'next') return rows
  const limit = entryLimit(search)
  const isBeginning = sql`(SELECT count(*) FROM (${entries(searched, true, limit)})) < ${limit}`
  return sql`${rows} UNION ALL ${asRow(byUuid(prefixEnd(''), filter))} WHERE ${isBeginning}`
}

/** The index before or after the garment, or from its beginning. */
function entries({ side, tenantId, uuid, search }: Searched, isBeside: boolean, limit: number): SQL {
  const { scanned } = splitTerms(termsOf(search))
  const [beyond, order] = side === 'next' ? [sql`>`, sql`ASC`] : [sql`<`, sql`DESC`]
  const sortTime = sql`(SELECT -created_at FROM ${garments} WHERE tenant_id = ${tenantId} AND uuid = ${uuid})`
  const position = sql`(word, sort_time, uuid) ${beyond}
    (${firstWord(tenantId, sql`${uuid}`, search)}, ${sortTime}, ${uuid})`
  // Only one bound on the side where the scan begins, because with two SQLite may start at the wrong one.
  const where = !isBeside
    ? inRange(sql`word`, scanned)
    : side === 'next'
      ? sql`${position} AND word < ${scanned.end}`
      : sql`${position} AND word >= ${scanned.start}`
  return sql`
    SELECT word, sort_time, uuid FROM ${searchWords} WHERE tenant_id = ${tenantId} AND ${where}
    ORDER BY word ${order}, sort_time ${order}, uuid ${order} LIMIT ${limit}`
}

/** A garment may have several of the words; it stands where the first one is. */
const firstWord = (tenantId: string, uuid: SQL, search: string) => sql`(
  SELECT min(own.word) FROM ${searchWords} AS own
  WHERE own.tenant_id = ${tenantId} AND own.uuid = ${uuid} AND ${inRange(sql`own.word`, splitTerms(termsOf(search)).scanned)})`

/** Of each entry, its other words are read, whether it is the garment's first, and its garment. */
const entryLimit = (search: string) => Math.floor(maxRead / (termsOf(search).length + 2))

function byWords(searched: Searched, isBeside: boolean): SQL {
  const { tenantId, filter, search } = searched
  const { others } = splitTerms(termsOf(search))
  // In the order of the inner select, which stays because nothing sorts it again.
  return sql`
    SELECT ${garments.uuid}, ${garments.attribute}, ${garments.corrections}
    FROM (${entries(searched, isBeside, entryLimit(search))}) AS entry
    CROSS JOIN ${garments} ON ${garments.tenantId} = ${tenantId} AND ${garments.uuid} = entry.uuid
      AND ${garments.createdAt} = -entry.sort_time
    WHERE entry.word = ${firstWord(tenantId, sql`entry.uuid`, search)}
      AND ${foundByWords(tenantId, search, others)} AND ${matches(filter)}
    LIMIT ${maxCandidates}`
}
