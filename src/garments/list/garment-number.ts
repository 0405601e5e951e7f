/** Formats a stock number as on labels: `G-1042`. */
export const formatNumber = (number: number): string => `G-${number}`

/** Marks a stock number in a search text, so that it differs from sizes and prices. */
export const markedNumber = (number: number): string => `#n${number}`

/** Parses a stock number such as `G-1042` or `g 1042`, or the URL in a label's QR code. */
export function readNumber(search: string): number | undefined {
  const text = /[?&]search=([^&]+)$/.exec(search)?.[1] ?? search
  const digits = /^\s*G[-\s]?(\d{1,12})\s*$/i.exec(text)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** Matches random UUIDs, which nobody types. */
const randomUuids = /(?<![\w-])[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(?![\w-])/gi

export const shortenUuids = (text: string): string => text.replaceAll(randomUuids, (uuid) => uuid.slice(0, 8))

/** Returns the client's own uuid, or the stock number if the uuid is random. */
export const shownNumber = ({ uuid, number }: { readonly uuid: string; readonly number: number }): string =>
  shortenUuids(uuid) === uuid ? uuid : formatNumber(number)
