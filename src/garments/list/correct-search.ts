import { editDistance } from '../../platform/edit-distance.ts'
import { hasTerms, parseSearch, parseWords } from './parse-search.ts'
import { foldWords } from './search-words.ts'
import { fillers, knownWords, meaningsOf, splitCompound, stems } from './synonyms.ts'

/** Shorter words have too many neighbours. */
const [minTyped, minMeant] = [4, 5]

const isNear = (word: string, meant: string) =>
  meant.length >= minMeant && Math.abs(meant.length - word.length) <= 1 && editDistance(word, meant) === 1

/** The word itself, without its transcribed umlauts, and without endings. */
const formsOf = (word: string) =>
  [...new Set([word, word.replaceAll(/([aou])e/g, '$1'), ...stems(word)])].filter((form) => form.length >= minTyped)

/** Corrects words that are one typing error away from a word of `texts` or of the taxonomy. Null if there are none. */
export function correctTypos(search: string, texts: readonly string[]): string | null {
  const words = foldWords(search)
  const shopWords = new Set(texts.flatMap((text) => text.split(/[ ~]+/)).filter((word) => !word.includes('#')))
  const vocabulary = [...shopWords, ...knownWords()]
  const isKnown = (word: string) =>
    word.length < minTyped ||
    fillers.has(word) ||
    shopWords.has(word) ||
    meaningsOf(word).size > 0 ||
    splitCompound(word).length > 0
  const finds = (word: string) => {
    const terms = parseSearch(word)
    return texts.some((text) => hasTerms(text, terms))
  }
  const correct = (word: string) => {
    const near = [
      ...formsOf(word).flatMap((form) => vocabulary.filter((meant) => isNear(form, meant))),
      ...nearCompounds(word),
    ]
    // Among several neighbours, a word that finds something is meant.
    return near.find(finds) ?? near[0] ?? word
  }
  const corrected = words.map((word) => (isKnown(word) ? word : correct(word)))
  return corrected.join(' ') === words.join(' ') ? null : corrected.join(' ')
}

/** Shorter words have no compound of two words with a typing error. */
const minPart = 3

/**
 * Returns compounds that are one typing error away from a word, such as `lederjacke` for `lederjake`. The error is in
 * the part that is no known word. In `sommerklied`, it is in the last part.
 */
function nearCompounds(word: string): string[] {
  const splits = Array.from({ length: Math.max(0, word.length - 2 * minPart + 1) }, (_, i) => i + minPart)
  const known = knownWords()
  return splits
    .flatMap((at) => {
      const [first, last] = [word.slice(0, at), word.slice(at)]
      const isFirst = meaningsOf(first).size > 0
      const isLast = meaningsOf(last).size > 0
      if (isFirst && isLast) return []
      return isLast
        ? known.filter((meant) => isNear(first, meant)).map((meant) => meant + last)
        : known.filter((meant) => isNear(last, meant)).map((meant) => first + meant)
    })
    .filter((compound) => splitCompound(compound).length > 0)
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
