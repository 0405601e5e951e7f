/** Letters that Unicode does not decompose. */
const plainLetters: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i' }

/**
 * Joins initials, as of `H&M`, and separates whole words, as of `Dolce&Gabbana`, so that either is found as people type
 * it.
 */
const withoutAmpersands = (text: string) =>
  text.replaceAll(/(?<![\p{L}\p{N}])(\p{L})\s?&\s?(?=\p{L}(?![\p{L}\p{N}]))/gu, '$1').replaceAll('&', ' ')

/** Longer words are found by their beginning. */
const maxWordLength = 32

/**
 * The words of a text, in lower case without accents, apostrophes and `&`: `Levi’s Été-2026` is `levis`, `ete` and
 * `2026`.
 */
export function foldWords(text: string): string[] {
  const plain = text
    // First, because a spaced accent would leave its blank.
    .replaceAll(/['’‘´`ʼ]/g, '')
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[ßæœøłđı]/g, (letter) => plainLetters[letter] ?? letter)
  return (withoutAmpersands(plain).match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.slice(0, maxWordLength))
}

/**
 * What a value is of, written behind it in a garment's text, so that a filter tells the colour `Orange` from a brand of
 * that name.
 */
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

/** A value as one word with its mark; empty for one without letters and digits. */
export function marked(value: string, mark: Mark): string {
  const word = foldWords(value).join('')
  return word === '' ? '' : `${word}${mark}`
}
