import { sql, type SQL } from 'drizzle-orm'

/** Words from `start` on and before `end`. */
export interface WordRange {
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
