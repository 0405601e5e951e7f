import { writeRow } from '../csv/write-csv.ts'
import type { ExportedGarment } from './to-export-response.ts'

/** A column's name, and its text for a garment; empty where the garment has no such value. */
export type Column = readonly [name: string, valueOf: (garment: ExportedGarment) => string]

export const csvHeader = (columns: readonly Column[]): string => writeRow(columns.map(([name]) => name))

export const csvLine = (columns: readonly Column[], garment: ExportedGarment): string =>
  writeRow(columns.map(([, valueOf]) => valueOf(garment)))
