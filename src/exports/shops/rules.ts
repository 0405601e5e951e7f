import { targetProblem } from '../../platform/outbound/target.ts'

/** The published rules of one column of a shop's import. */
export interface ColumnRule {
  /** The shop refuses a row without it. */
  readonly isRequired?: true
  /** Nothing is sold without it, though a draft is accepted. */
  readonly isExpected?: true
  readonly maxLength?: number
  /** The only values, besides none. */
  readonly values?: readonly string[]
  readonly pattern?: RegExp
  /** A description of the pattern that follows “must be”. */
  readonly meaning?: string
  /** What separates addresses that the shop reads; empty for a single one. */
  readonly addresses?: string
}

export interface ShopRules {
  readonly name: string
  /** Where the rules are published. */
  readonly source: string
  /** The day on which they were read, and how. */
  readonly read: string
  /** All columns that the import knows and that we write. */
  readonly columns: Readonly<Record<string, ColumnRule>>
  /** Other columns that it knows, by what their names look like. */
  readonly otherColumns?: RegExp
}

export interface RowProblem {
  readonly column: string
  readonly problem: string
  /** Whether the shop would refuse the row. */
  readonly isRefused: boolean
}

/** The problems of a row by the shop's rules. */
export function rowProblems(rules: ShopRules, row: Readonly<Record<string, string>>): RowProblem[] {
  return Object.entries(rules.columns).flatMap(([column, rule]): RowProblem[] => {
    const text = row[column] ?? ''
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

/** Shops fetch pictures over the public internet; most of them by https only. */
function unreachableAddress(text: string, { addresses }: ColumnRule): string | undefined {
  if (addresses === undefined) return undefined
  for (const url of addresses === '' ? [text] : text.split(addresses)) {
    const problem = targetProblem(url, { allowLocal: false, ownHosts: [], protocols: 'https' })
    if (problem !== null) return `is “${shortened(url)}”, which no shop can reach: it ${problem}`
  }
  return undefined
}

const shortened = (text: string) => (text.length > 40 ? `${text.slice(0, 40).toWellFormed()}…` : text)

function textProblem(text: string, { maxLength, values, pattern, meaning }: ColumnRule): string | undefined {
  const shown = shortened(text)
  if (maxLength !== undefined && text.length > maxLength) return `has more than ${maxLength} characters: “${shown}”`
  if (values !== undefined && !values.includes(text)) return `is “${shown}”, but must be one of ${values.join(', ')}`
  if (pattern !== undefined && !pattern.test(text)) return `is “${shown}”, but must be ${meaning ?? 'otherwise'}`
  return undefined
}
