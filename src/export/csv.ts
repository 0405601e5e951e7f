import type { ExportedGarment } from './exported-garment.ts'

/** A column's name, and its text for a garment; empty where the garment has no such value. */
export type Column = readonly [name: string, valueOf: (garment: ExportedGarment) => string]

/** Spreadsheets run text that begins so as a formula; an apostrophe before it makes it text. */
const formula = /^[=+\-@\t\r]/

/** A cell by RFC 4180. */
export function csvCell(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const line = (cells: readonly string[]) => `${cells.map(csvCell).join(',')}\r\n`

export const csvHeader = (columns: readonly Column[]): string => line(columns.map(([name]) => name))

export const csvLine = (columns: readonly Column[], garment: ExportedGarment): string =>
  line(columns.map(([, valueOf]) => valueOf(garment)))
