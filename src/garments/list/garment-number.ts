/** The stock number as people read it and labels have it: `G-1042`. */
export const formatNumber = (number: number): string => `G-${number}`

/** Stands before a number in a garment's search text, so that no size or price is taken for a number. */
export const markedNumber = (number: number): string => `#n${number}`

/** The number that was typed or scanned: `G-1042`, `g 1042`, or the address in a label's code. */
export function readNumber(search: string): number | undefined {
  const text = /[?&]search=([^&]+)$/.exec(search)?.[1] ?? search
  const digits = /^\s*G[-\s]?(\d{1,12})\s*$/i.exec(text)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** UUIDs that nobody chose, reads or types. */
const randomUuids = /(?<![\w-])[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(?![\w-])/gi

/** Shortens the random UUIDs in a text to their first eight characters. */
export const shownNumber = (text: string): string => text.replaceAll(randomUuids, (uuid) => uuid.slice(0, 8))
