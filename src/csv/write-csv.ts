import { escapeFormula } from './formula.ts'

/** A row (RFC 4180), in which spreadsheets find no formulas. */
export const writeRow = (cells: readonly string[]): string => `${cells.map(writeCell).join(',')}\r\n`

function writeCell(text: string): string {
  const safe = escapeFormula(text)
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
