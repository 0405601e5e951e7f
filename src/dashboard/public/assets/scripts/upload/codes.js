/* Photographed codes: stock labels name a garment or a reserved number. Other codes become the SKU or the barcode. */

const maxSkuLength = 100

/** Returns what a code means: `number` of a stock label, `Barcode` or `SKU`. */
export function readCode({ text, isQr }) {
  const number = /(?:^|[?&]search=)G-(\d{1,12})$/i.exec(text.trim())?.[1]
  if (number !== undefined) return { number: Number(number) }
  return isQr ? { SKU: text.trim().slice(0, maxSkuLength) } : { Barcode: text }
}

/** Numbers of one request. */
const maxNumbers = 100

/** True if the service has not said yet what a stock number is. */
export const isUnanswered = ({ number, status }) => number !== undefined && status === undefined

export const nameOfCode = ({ number, SKU, Barcode }) =>
  number === undefined ? (SKU === undefined ? `Barcode ${Barcode}` : `SKU ${SKU}`) : `G-${number}`

/**
 * Asks the service about the stock numbers of garments and adds the answer to each code: `status` is `garment`,
 * `reserved` or `unknown`.
 */
export async function lookUpNumbers(url, codes) {
  const unknown = codes.filter(isUnanswered)
  if (unknown.length === 0) return
  const numbers = [...new Set(unknown.map(({ number }) => number))].slice(0, maxNumbers)
  const response = await fetch(`${url}?numbers=${numbers.join(',')}`, {
    headers: { Accept: 'application/json' },
  }).catch(() => null)
  // Without an answer, the numbers are looked up again before the upload.
  if (response?.ok !== true) return
  const { numbers: found } = await response.json()
  for (const code of unknown) Object.assign(code, found[code.number])
  await lookUpNumbers(url, codes)
}
