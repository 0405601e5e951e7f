import { parseCorrections } from '../corrections/correction.ts'
import { attributeSchema } from '../fields.ts'
import type { GarmentRow } from '../garment.ts'

/** Longer words are found by their beginning. Words beyond the limit are not found. */
const maxWords = 50
const maxLength = 32

/** Letters and digits in lower case without accents, so that `Été-2026` is found as `ete 2026`. */
function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.slice(0, maxLength))
}

interface SearchedGarment {
  readonly uuid: string
  /** After correction. */
  readonly brand: string
  readonly attribute: Readonly<Record<string, string>>
}

/**
 * The words by which a garment is found: of its brand, its title and all other values of its owner's, and of its uuid
 * but the first, because beginnings of uuids are found without them.
 */
export const garmentWords = ({ uuid, brand, attribute }: SearchedGarment): string[] =>
  [...new Set([...wordsOf(uuid).slice(1), ...[brand, ...Object.values(attribute)].flatMap(wordsOf)])].slice(0, maxWords)

export const rowWords = ({ uuid, attribute, corrections }: Pick<GarmentRow, 'uuid' | 'attribute' | 'corrections'>) =>
  garmentWords({
    uuid,
    brand: parseCorrections(corrections).tag['Brand']?.value ?? '',
    attribute: attributeSchema.parse(JSON.parse(attribute)),
  })

/** Whether a garment has all of these words, the last of which may be the beginning of one. */
export function hasWords(words: readonly string[], terms: readonly string[]): boolean {
  const last = terms.at(-1)
  if (last === undefined) return false
  return terms.slice(0, -1).every((term) => words.includes(term)) && words.some((word) => word.startsWith(last))
}

const maxTerms = 5

/** The words that are searched for. */
export const termsOf = (search: string): string[] => [...new Set(wordsOf(search))].slice(0, maxTerms)
