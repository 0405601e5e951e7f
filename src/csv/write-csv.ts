import { escapeFormula } from './formula.ts'

/** A row by RFC 4180, which spreadsheets show as text only. */
export const writeRow = (cells: readonly string[]): string => `${cells.map(writeCell).join(',')}\r\n`

function writeCell(text: string): string {
  const safe = escapeFormula(text)
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
