const symbols: Readonly<Record<string, string>> = { '€': 'EUR', $: 'USD', '£': 'GBP' }

interface Amount {
  /** `1299.00`, or the text itself if it is not an amount, so that a check can name it. */
  readonly amount: string
  /** ISO 4217, if the text names it. */
  readonly currency: string | undefined
}

/**
 * Reads a price such as `12.5`, `12,50 €`, `EUR 1.299,00` or `1,299`. The last point or comma is the decimal one where
 * one or two digits follow it.
 */
export function readAmount(text: string): Amount {
  const [code] = /\b[A-Z]{3}\b/.exec(text.toUpperCase()) ?? []
  const symbol = /[€$£]/.exec(text)?.[0] ?? ''
  const currency = code ?? symbols[symbol]
  const digits = text.replaceAll(/[€$£\s']|\b[A-Za-z]{3}\b/g, '')
  const [, whole = '', point = '', decimals = ''] = /^(\d[\d.,]*?)(?:([.,])(\d{1,2}))?$/.exec(digits) ?? []
  const isGrouped = /^\d{1,3}(?:[.,]\d{3})*$/.test(whole) || /^\d+$/.test(whole)
  // No country groups thousands and begins decimals with the same sign.
  if (!isGrouped || (point !== '' && whole.includes(point)) || whole.length > 12) return { amount: text, currency }
  return { amount: `${Number(whole.replaceAll(/[.,]/g, ''))}.${decimals.padEnd(2, '0')}`, currency }
}
