import { writeRow, writeUnguardedRow } from '../platform/csv/write-csv.ts'
import type { ExportedGarment } from './walk-garments.ts'
import { toIso } from '../time.ts'
import type { ColumnRule } from './shops/shop-rules.ts'
import { correctableNames, measurementNames, rankedNames } from '../garments/corrections/allowed-values.ts'
import { formatNumber } from '../garments/list/garment-number.ts'
import { listingNames, readListingValue } from '../garments/listing-values.ts'

/** A column's name, a function that returns its text for a garment (empty for no value), and the shop's rule. */
export type Column<T = ExportedGarment> = readonly [name: string, valueOf: (garment: T) => string, rule?: ColumnRule]

export const shopRow = <T>(columns: readonly Column<T>[], garment: T): string =>
  writeUnguardedRow(columns.map(([, valueOf]) => valueOf(garment)))

export const csvHeader = <T>(columns: readonly Column<T>[]): string => writeRow(columns.map(([name]) => name))

export const csvLine = <T>(columns: readonly Column<T>[], garment: T): string =>
  writeRow(columns.map(([, valueOf]) => valueOf(garment)))

type Result = Pick<ExportedGarment, 'tag' | 'measurements'> | null

export function tagText(result: Result, name: string): string {
  const value = result?.tag?.[name]
  return Array.isArray(value) ? value.join(', ') : (value ?? '')
}

const measurementText = (result: Result, name: string) => String(result?.measurements?.[name] ?? '')

/** Listing values such as the price, however the client spells their names. */
const ownColumns = Object.values(listingNames).map((names): Column => [
  `attribute.${names[0]}`,
  ({ attribute }) => readListingValue(attribute, names),
])

/**
 * The columns of our own CSV: each current value beside the predicted one. Imports read this file
 * (`imports/import-columns.ts`), and use `exported_at` to detect later changes.
 */
export const resultColumns = (exportedAtMs: number): readonly Column[] => [
  ['uuid', ({ uuid }) => uuid],
  ['exported_at', () => toIso(exportedAtMs)],
  ['status', ({ status }) => status],
  ['failure_reason', ({ failure_reason }) => failure_reason],
  ['failure_code', ({ failure_code }) => failure_code],
  ['created_at', ({ created_at }) => created_at],
  ['ended_at', ({ ended_at }) => ended_at],
  ['number', ({ number }) => formatNumber(number)],
  ['image_url', ({ image_url }) => image_url],
  ['original_img', ({ original_img }) => original_img],
  ['annotated_img', ({ annotated_img }) => annotated_img],
  ['images', ({ images }) => images.map(({ original_img }) => original_img).join('\n')],
  ['description', ({ description }) => description],
  ['shown', ({ shown }) => shown ?? ''],
  ['scale', ({ scale }) => scale ?? ''],
  ['notes', ({ notes }) => notes.join(' ')],
  ['tagger', ({ tagger }) => tagger],
  ['corrected', ({ corrected = [] }) => corrected.join(', ')],
  ...correctableNames().flatMap((name): Column[] => [
    [name, (garment) => tagText(garment, name)],
    ...(rankedNames().includes(name)
      ? [[`${name} Confidence`, (garment) => tagText(garment, `${name} Confidence`)] satisfies Column]
      : []),
    [`Machine ${name}`, ({ machine }) => tagText(machine, name)],
  ]),
  ...measurementNames.flatMap((name): Column[] => [
    [name, (garment) => measurementText(garment, name)],
    [`Machine ${name}`, ({ machine }) => measurementText(machine, name)],
  ]),
  ...ownColumns,
  ['attribute', ({ attribute }) => JSON.stringify(attribute)],
]
