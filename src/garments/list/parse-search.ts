import { and, type Column, or, sql, type SQL } from 'drizzle-orm'
import { garments } from '../../platform/db/schema.ts'
import { foldWords, marked, marks } from './search-words.ts'
import { markedNumber, readNumber } from './garment-number.ts'
import { fillers, letterSizes, meaningsOf, sizeWords, splitCompound } from './synonyms.ts'

/** Alternative texts. A garment matches if its search text contains at least one. */
export type Term = readonly string[]

/** These limits keep a statement below its 100 parameters. */
const maxTerms = 6
const maxAlternatives = 12

const longestPhrase = 3

/** Matches a whole word, with or without a mark. */
const wholeWord = (word: string): Term => [` ${word} `, ` ${word}#`]

/**
 * Parses a search into terms. A garment must match all of them. A taxonomy word matches itself and its values in any
 * language. The last unknown word also matches as a prefix. `size M` matches the size only.
 */
export const parseSearch = (search: string): Term[] => parseWords(search).map(({ term }) => term)

interface SearchedWord {
  readonly text: string
  readonly term: Term
}

/** Parses a search into its words and phrases with their terms. */
export function parseWords(search: string): SearchedWord[] {
  const number = readNumber(search)
  // A seller's uuids may look like stock numbers.
  if (number !== undefined)
    return [{ text: search, term: [` ${markedNumber(number)} `, ` ${foldWords(search).join(' ')}`] }]
  const words = foldWords(joinInitials(search))
  // A search without letters and digits matches nothing.
  if (words.length === 0) return [{ text: search, term: [` ${search} `] }]
  const meant = words.filter((word) => !fillers.has(word))
  return toTerms(meant.length === 0 ? words : meant, umlautSpellings(search)).slice(0, maxTerms)
}

/** Writes `h and m` and `h + m` as `h&m`. */
const joinInitials = (search: string) =>
  search.replaceAll(/(?<![\p{L}\p{N}])(\p{L})\s+(?:\+|and|n|und|et|y|e)\s+(?=\p{L}(?![\p{L}\p{N}]))/giu, '$1&')

/** Maps `muller` to `mueller` if the search contains `Müller`, and likewise each word with an umlaut. */
function umlautSpellings(search: string): ReadonlyMap<string, string> {
  const words = search.toLowerCase().match(/[\p{L}\p{N}]*[äöü][\p{L}\p{N}]*/gu) ?? []
  const transcribed = { ä: 'ae', ö: 'oe', ü: 'ue' } as const
  return new Map(
    words.map((word) => [
      foldWords(word).join(''),
      foldWords(word.replaceAll(/[äöü]/g, (letter) => transcribed[letter as keyof typeof transcribed])).join(''),
    ]),
  )
}

function toTerms(words: readonly string[], spellings: ReadonlyMap<string, string>): SearchedWord[] {
  const terms: SearchedWord[] = []
  for (let i = 0; i < words.length;) {
    const [word = '', next] = words.slice(i)
    if (sizeWords.has(word) && next !== undefined) {
      terms.push({ text: `${word} ${next}`, term: [` ${marked(next, marks.size)} `] })
      i += 2
      continue
    }
    const length = phraseLength(words.slice(i))
    const phrase = words.slice(i, i + length)
    const meanings = isMaterialOf(word, words[i + 1] ?? '') ? [` ${denim} `] : meaningTerms(phrase.join(' '))
    i += length
    const isLast = i === words.length
    const parts = meanings.length > 0 ? [] : splitCompound(word)
    const text = phrase.join(' ')
    if (meanings.length > 0) terms.push({ text, term: [...literally(phrase), ...meanings].slice(0, maxAlternatives) })
    else if (letterSizes.has(word)) terms.push({ text, term: wholeWord(word) })
    else if (parts.length > 0)
      for (const [place, part] of parts.entries()) {
        const meant = isMaterialOf(part, parts[place + 1] ?? '') ? [` ${denim} `] : meaningTerms(part)
        terms.push({ text: part, term: [` ${word}`, ...meant].slice(0, maxAlternatives) })
      }
    else terms.push({ text, term: spelledTerm(word, isLast, spellings) })
  }
  return terms
}

const denim = marked('Denim', marks.fabric)
const jeans = marked('Jeans', marks.itemType)

/** Returns true for `jeans` before another type, as in `jeans jacket` and `Jeansjacke`. */
const isMaterialOf = (word: string, next: string): boolean =>
  meaningsOf(word).has(jeans) &&
  !meaningsOf(next).has(jeans) &&
  [...meaningsOf(next)].some((value) => value.endsWith(marks.itemType))

const meaningTerms = (phrase: string): string[] => [...meaningsOf(phrase)].map((value) => ` ${value} `)

/** Matches a word that the taxonomy does not know, also with `ä` for `ae` and the other way round. */
function spelledTerm(word: string, isPrefix: boolean, spellings: ReadonlyMap<string, string>): Term {
  const other = spellings.get(word) ?? word.replaceAll(/([aou])e/g, '$1')
  return [...new Set([word, other])].flatMap((each) => (isPrefix ? [` ${each}`] : wholeWord(each)))
}

const literally = (phrase: readonly string[]): Term =>
  phrase.length === 1 ? wholeWord(phrase.join('')) : [` ${phrase.join(' ')} `]

function phraseLength(words: readonly string[]): number {
  for (let length = Math.min(longestPhrase, words.length); length > 1; length--)
    if (meaningsOf(words.slice(0, length).join(' ')).size > 0) return length
  return 1
}

export const hasTerms = (text: string, terms: readonly Term[]): boolean =>
  terms.every((term) => term.some((each) => text.includes(each)))

/** Returns true for a part that may belong to a UUID, which garments' texts leave out. */
const isHex = (part: string) => /^ [\da-f]+ ?$/.test(part)

export const contains = (text: SQL | Column, part: string) => sql`instr(${text}, ${part}) > 0`

const uuidText = sql`' ' || replace(lower(uuid), '-', ' ') || ' '`

/** Returns the SQL condition equivalent to `hasTerms`. */
export const textHasTerms = (terms: readonly Term[], text: Column = garments.searchText) =>
  and(
    ...terms.map((term) =>
      or(...term.flatMap((each) => [contains(text, each), ...(isHex(each) ? [contains(uuidText, each)] : [])])),
    ),
  )

/** Returns how many comparisons `textHasTerms` makes per garment. */
export const comparisonsOf = (terms: readonly Term[]): number =>
  terms.flat().reduce((sum, each) => sum + (isHex(each) ? 2 : 1), 0)
