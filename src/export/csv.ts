import { writeRow } from '../csv/write-csv.ts'
import type { ExportedGarment } from './to-export-response.ts'

/** A column's name, and its text for a garment; empty where the garment has no such value. */
export type Column<T = ExportedGarment> = readonly [name: string, valueOf: (garment: T) => string]

export const csvHeader = <T>(columns: readonly Column<T>[]): string => writeRow(columns.map(([name]) => name))

export const csvLine = <T>(columns: readonly Column<T>[], garment: T): string =>
  writeRow(columns.map(([, valueOf]) => valueOf(garment)))
