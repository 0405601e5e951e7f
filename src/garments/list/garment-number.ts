import { createHash } from 'node:crypto'

const digits = 9

/**
 * The short number of a garment on its label, which follows from its uuid. Of 20 shops with 10,000 garments, one has
 * two with the same; then a search shows both.
 */
export const garmentNumber = (uuid: string): string =>
  String(createHash('sha256').update(uuid).digest().readUIntBE(0, 6) % 10 ** digits).padStart(digits, '0')

/** Uuids that nobody chose, and nobody reads or types. */
const randomUuids = /(?<![\w-])[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(?![\w-])/gi

/** What people call a garment that has no title, or a text that names some: numbers in place of random uuids. */
export const shownNumber = (text: string): string =>
  text.replaceAll(randomUuids, (uuid) => spacedNumber(garmentNumber(uuid)))

/** Stands before a number in a garment's text, so that no size or price is the beginning of one. */
export const markedNumber = (number: string): string => `#n${number}`

/** `412 086 553`, for people. */
export const spacedNumber = (number: string): string => number.replaceAll(/(\d{3})(?=\d)/g, '$1 ')

/** The number that was typed or scanned, alone or in the address that a label's code has. */
export function readNumber(search: string): string | undefined {
  const text = /[?&]search=(\d+)$/.exec(search)?.[1] ?? search.replaceAll(/[\s.-]/g, '')
  return /^\d+$/.test(text) && text.length === digits ? text : undefined
}
