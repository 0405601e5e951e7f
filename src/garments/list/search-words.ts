/** Letters that Unicode does not decompose into base letter and accent. */
const plainLetters: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i' }

/** Joins initials such as `H&M` and separates words such as `Dolce&Gabbana`, because people type them that way. */
const withoutAmpersands = (text: string) =>
  text.replaceAll(/(?<![\p{L}\p{N}])(\p{L})\s?&\s?(?=\p{L}(?![\p{L}\p{N}]))/gu, '$1').replaceAll('&', ' ')

/** French and Italian words that lose a vowel before the next word, as in `d'été` and `dell'abito`. */
const elisions = /(?<![\p{L}\p{N}])(?:[dljcsnmt]|qu|dell|all|nell|sull|dall|quest)['’‘´`ʼ](?=\p{L}{2})/giu

/** Longer words are cut, and then found by their beginning. */
const maxWordLength = 32

/**
 * Returns the words of a text in lower case, without accents, apostrophes, elisions and `&`. `Levi’s d'Été-2026` gives
 * `levis`, `ete` and `2026`.
 */
export function foldWords(text: string): string[] {
  const plain = text
    .replaceAll(elisions, ' ')
    // Before the decomposition, in which a spacing accent would leave its blank.
    .replaceAll(/['’‘´`ʼ]/g, '')
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[ßæœøłđı]/g, (letter) => plainLetters[letter] ?? letter)
  return (withoutAmpersands(plain).match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.slice(0, maxWordLength))
}

/**
 * Returns further spellings under which people search for words of a text: `ZX-9981` as one word, `zx9981` as two, and
 * `d'été` with its elision.
 */
export function otherSpellings(text: string): string[] {
  const joined = (
    text.match(/(?<![\p{L}\p{N}])[\p{L}\p{N}]{1,32}(?:[-._/'’][\p{L}\p{N}]{1,32})+(?![\p{L}\p{N}])/gu) ?? []
  ).flatMap((token) => {
    const isElision = token.search(elisions) === 0
    return isElision || /\p{N}/u.test(token) ? foldWords(token.replaceAll(/[-._/'’]/g, '')) : []
  })
  const parts = foldWords(text).flatMap(
    (word) => /^(\p{L}{2,})(\p{N}{2,})$|^(\p{N}{2,})(\p{L}{2,})$/u.exec(word)?.slice(1) ?? [],
  )
  return [...joined, ...parts.filter((part) => part !== undefined)]
}

/** Marks for the kinds of values in a garment's text, so that a filter tells the colour `Orange` from a brand. */
export const marks = {
  itemType: '#t',
  colour: '#c',
  pattern: '#p',
  fabric: '#f',
  size: '#s',
  gender: '#g',
  brand: '#b',
  stage: '#y',
  is: '#x',
} as const

export type Mark = (typeof marks)[keyof typeof marks]

/** Joins a value to one word with its mark; empty if it has no letters or digits. */
export function marked(value: string, mark: Mark): string {
  const word = foldWords(value).join('')
  return word === '' ? '' : `${word}${mark}`
}
