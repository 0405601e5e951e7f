import { sql, type SQL } from 'drizzle-orm'
import { foldWords, marked, marks } from './search-words.ts'
import { markedNumber, readNumber } from './garment-number.ts'
import { fillers, letterSizes, meaningsOf, sizeWords } from './synonyms.ts'

/** What a garment's text must contain: at least one of these. */
export type Term = readonly string[]

/** A statement takes 100 parameters. */
const maxTerms = 6
const maxAlternatives = 12

/** Words that mean one thing together, as `polo shirt`. */
const longestPhrase = 3

/** A whole word, alone or with a mark. */
const wholeWord = (word: string): Term => [` ${word} `, ` ${word}#`]

/**
 * What is searched for. A word that the listings know finds its values in any language and itself; of other words, the
 * last one may be the beginning of a longer one. `size M` finds the size only.
 */
export function parseSearch(search: string): Term[] {
  const number = readNumber(search)
  // Somebody's own number may have as many digits.
  if (number !== undefined) return [[` ${markedNumber(number)} `, ...wholeWord(number)]]
  const words = foldWords(search)
  // Nothing has such a word.
  if (words.length === 0) return [[` ${search} `]]
  const said = words.filter((word) => !fillers.has(word))
  return toTerms(said.length === 0 ? words : said).slice(0, maxTerms)
}

function toTerms(words: readonly string[]): Term[] {
  const terms: Term[] = []
  for (let i = 0; i < words.length;) {
    const [word = '', next] = words.slice(i)
    if (sizeWords.has(word) && next !== undefined) {
      terms.push([` ${marked(next, marks.size)} `])
      i += 2
      continue
    }
    const length = phraseLength(words.slice(i))
    const phrase = words.slice(i, i + length)
    const meanings = [...meaningsOf(phrase.join(' '))].map((value) => ` ${value} `)
    i += length
    const isLast = i === words.length
    if (meanings.length > 0) terms.push([...meanings, ...literally(phrase)].slice(0, maxAlternatives))
    else if (letterSizes.has(word)) terms.push(wholeWord(word))
    else terms.push(isLast ? [` ${word}`] : wholeWord(word))
  }
  return terms
}

/** As the shop may have written it. */
const literally = (phrase: readonly string[]): Term =>
  phrase.length === 1 ? wholeWord(phrase.join('')) : [` ${phrase.join(' ')} `]

function phraseLength(words: readonly string[]): number {
  for (let length = Math.min(longestPhrase, words.length); length > 1; length--)
    if (meaningsOf(words.slice(0, length).join(' ')).size > 0) return length
  return 1
}

/** Whether a garment's text has all terms. */
export const hasTerms = (text: string, terms: readonly Term[]): boolean =>
  terms.every((term) => term.some((each) => text.includes(each)))

/** Whether it may be of a UUID, which garments' texts leave out. */
const isHex = (part: string) => /^ [\da-f]+ ?$/.test(part)

/** The same in SQL. */
export const textHasTerms = (terms: readonly Term[]): SQL =>
  conjunction(
    terms.map(
      (term) =>
        sql`(${sql.join(
          term.flatMap((each) => [
            sql`instr(search_text, ${each}) > 0`,
            ...(isHex(each) ? [sql`instr(' ' || replace(lower(uuid), '-', ' ') || ' ', ${each}) > 0`] : []),
          ]),
          sql` OR `,
        )})`,
    ),
  )

export const conjunction = (conditions: readonly SQL[]): SQL =>
  conditions.length === 0 ? sql`1` : sql`(${sql.join([...conditions], sql` AND `)})`
