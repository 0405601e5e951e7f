import { editDistance } from '../../platform/edit-distance.ts'
import { hasTerms, parseWords } from './parse-search.ts'
import { foldWords } from './search-words.ts'
import { fillers, knownWords, meaningsOf, splitCompound } from './synonyms.ts'

/** Shorter words have too many neighbours. */
const [minTyped, minMeant] = [4, 5]

/**
 * Corrects words of a search that are one typing error away from a word of the shop or of the taxonomy. Two letters in
 * the wrong order count as one error. Returns null if there is nothing to correct.
 * @param texts the search texts of the shop's garments
 */
export function correctTypos(search: string, texts: readonly string[]): string | null {
  const words = foldWords(search)
  const shopWords = new Set(texts.flatMap((text) => text.split(/[ ~]+/)).filter((word) => !word.includes('#')))
  const isKnown = (word: string) =>
    word.length < minTyped ||
    fillers.has(word) ||
    shopWords.has(word) ||
    meaningsOf(word).size > 0 ||
    splitCompound(word).length > 0
  const isNear = (word: string) => (meant: string) =>
    meant.length >= minMeant && Math.abs(meant.length - word.length) <= 1 && editDistance(word, meant) === 1
  const corrected = words.map((word) =>
    isKnown(word) ? word : ([...shopWords, ...knownWords()].find(isNear(word)) ?? word),
  )
  return corrected.join(' ') === words.join(' ') ? null : corrected.join(' ')
}

/** Returns the words and phrases of a search that match none of the texts, with the search that lacks each of them. */
export function unmatchedWords(search: string, texts: readonly string[]) {
  const words = parseWords(search)
  return words
    .filter(({ term }) => !texts.some((text) => hasTerms(text, [term])))
    .map((unmatched) => ({
      text: unmatched.text,
      rest: words
        .filter((word) => word !== unmatched)
        .map(({ text }) => text)
        .join(' '),
    }))
}
