import { valueOf } from '../../platform/value-of.ts'
import { targetProblem } from '../../platform/outbound/target.ts'

/** The published rules of one column of a shop's import. */
export interface ColumnRule {
  /** The shop refuses rows without this value. */
  readonly isRequired?: true
  /** The shop accepts a draft without this value, but cannot sell it. */
  readonly isExpected?: true
  readonly maxLength?: number
  /** The only values that the shop accepts, besides an empty cell. */
  readonly values?: readonly string[]
  readonly pattern?: RegExp
  /** Returns what is wrong with a text that fits the pattern. */
  readonly findProblem?: (text: string) => string | undefined
  /** Describes the pattern, to follow “must be”. */
  readonly meaning?: string
  /** For picture URLs, the separator between them; empty for a single URL. */
  readonly addresses?: string
}

export interface ShopRules {
  readonly source: string
  readonly read: string
  /** Sentences about values that could not be compared with the shop's own lists. */
  readonly unverified?: string
}

export const address: ColumnRule = { pattern: /^https?:\/\/\S+$/, meaning: 'an address' }
export const number: ColumnRule = { pattern: /^\d+$/, meaning: 'a number' }
export const amount: ColumnRule = {
  pattern: /^\d+\.\d\d$/,
  meaning: 'an amount, such as 12.50',
  findProblem: (text) => (Number.parseFloat(text) > 0 ? undefined : 'is 0'),
}

/** True if the last digit of a GTIN is the check digit of the others. */
function hasCheckDigit(gtin: string): boolean {
  const digits = [...gtin].map(Number).reverse()
  return digits.reduce((sum, digit, place) => sum + digit * (place % 2 === 0 ? 1 : 3), 0) % 10 === 0
}

/**
 * Prefixes of GTIN-13 that are no products of the whole world: numbers for use inside a shop, and coupons. See
 * https://support.google.com/merchants/answer/6324461, read on 2026-11-29.
 */
const restrictedPrefix = /^(02|04|05|2|98[1-4]|99)/

export const barcode: ColumnRule = {
  pattern: /^(\d{8}|\d{12,14})$/,
  meaning: 'a GTIN of 8, 12, 13 or 14 digits',
  findProblem: (text) => (hasCheckDigit(text) ? undefined : `is “${text}”, whose last digit is not its check digit`),
}

/** Google also refuses restricted prefixes. A GTIN-8 has prefixes of its own. */
export const globalBarcode: ColumnRule = {
  ...barcode,
  findProblem: (text) =>
    barcode.findProblem?.(text) ??
    (text.length > 8 && restrictedPrefix.test(text.padStart(14, '0').slice(1))
      ? `is “${text}”, a number for use inside a shop, or a coupon`
      : undefined),
}

export interface RowProblem {
  readonly column: string
  readonly problem: string
  /** True if the shop would refuse the row. */
  readonly isRefused: boolean
}

export function rowProblems(
  columns: readonly (readonly [name: string, valueOf: unknown, rule?: ColumnRule])[],
  row: Readonly<Record<string, string>>,
): RowProblem[] {
  return columns.flatMap(([column, , rule = {}]): RowProblem[] => {
    const text = valueOf(row, column) ?? ''
    if (text === '')
      return rule.isRequired === true || rule.isExpected === true
        ? [{ column, problem: 'is missing', isRefused: rule.isRequired === true }]
        : []
    const problem = textProblem(text, rule)
    if (problem !== undefined) return [{ column, problem, isRefused: true }]
    const unreachable = unreachableAddress(text, rule)
    return unreachable === undefined ? [] : [{ column, problem: unreachable, isRefused: false }]
  })
}

/** Describes the first URL that shops cannot fetch. Most shops fetch over https only. */
function unreachableAddress(text: string, { addresses }: ColumnRule): string | undefined {
  if (addresses === undefined) return undefined
  for (const url of addresses === '' ? [text] : text.split(addresses)) {
    const problem = targetProblem(url, { allowLocal: false, ownHosts: [], protocols: 'https' })
    if (problem !== null) return `is “${shortened(url)}”, which no shop can reach, because it ${problem}`
  }
  return undefined
}

const shortened = (text: string) => (text.length > 40 ? `${text.slice(0, 40).toWellFormed()}…` : text)

function textProblem(text: string, rule: ColumnRule): string | undefined {
  const { maxLength, values, pattern, meaning, findProblem } = rule
  const shown = shortened(text)
  if (maxLength !== undefined && text.length > maxLength) return `has more than ${maxLength} characters: “${shown}”`
  if (values !== undefined && !values.includes(text)) return `is “${shown}”, but must be one of ${values.join(', ')}`
  if (pattern !== undefined && !pattern.test(text)) return `is “${shown}”, but must be ${meaning ?? 'otherwise'}`
  return findProblem?.(text)
}
