import { recordExports } from '../garments/transitions.ts'
import { stageOf } from '../garments/listing-values.ts'
import { fingerprintWords } from '../garments/listing-texts/plain-text.ts'
import { toText } from '../garments/listing-texts/write-listing.ts'
import type { ExportRecord } from '../garments/export-record.ts'
import { type Database, runBatch } from '../platform/db/database.ts'
import type { ExportDefaults } from './shops/export-defaults.ts'
import { type Product, toProduct } from './shops/product.ts'
import { productProblems, productRows, type Shop, type ShopFormat } from './shops/shop-formats.ts'
import type { RowProblem } from './shops/shop-rules.ts'
import type { ExportedGarment } from './walk-garments.ts'

/** Shops that take a garment off sale if a file says that none is left. On the others, sellers end listings by hand. */
const endingFormats: readonly ShopFormat[] = ['shopify', 'woocommerce', 'google']

/** A garment's treatment in a shop's file. */
export type ShopEntry =
  | {
      readonly kind: 'written'
      readonly product: Product
      readonly text: string
      /** Problems that do not stop the import, or that the user wants to ignore. */
      readonly problems: readonly RowProblem[]
      readonly isEnded: boolean
    }
  | { readonly kind: 'omitted'; readonly product: Product; readonly problems: readonly RowProblem[] }
  /** Sold or withdrawn. `isToEnd`: an earlier file listed the garment, and its seller must end the listing. */
  | { readonly kind: 'off sale'; readonly product: Product; readonly isToEnd: boolean }

interface ShopFile {
  readonly format: ShopFormat
  readonly shop: Shop
  readonly defaults: ExportDefaults
  readonly withIncomplete?: boolean | undefined
}

/** Decides what a shop's file does with a complete garment. */
export function toShopEntry(
  { format, shop, defaults, withIncomplete = false }: ShopFile,
  garment: ExportedGarment,
): ShopEntry {
  const product = toProduct(garment, defaults, shop.market)
  const isEnded = !isForSale(garment)
  const wasExported = garment.exportRecords[format] !== undefined
  if (isEnded && (!wasExported || !endingFormats.includes(format)))
    return { kind: 'off sale', product, isToEnd: wasExported }
  const written = isEnded ? { ...product, stock: '0', availability: 'out_of_stock' } : product
  const problems = productProblems(shop, written)
  if (!withIncomplete && problems.some(({ isRefused }) => isRefused)) return { kind: 'omitted', product, problems }
  return { kind: 'written', product, text: productRows(format, shop, written), problems, isEnded }
}

/** False for garments in the stages sold and withdrawn. */
export const isForSale = ({ attribute }: Pick<ExportedGarment, 'attribute'>): boolean =>
  !['sold', 'withdrawn'].includes(stageOf(attribute))

export interface WrittenGarment {
  readonly uuid: string
  readonly before: ExportRecord | undefined
  readonly now: ExportRecord
}

/** Builds the record of a garment that a shop's file contains. */
export function toWritten(
  { format, shop }: Pick<ShopFile, 'format' | 'shop'>,
  { uuid, exportRecords }: ExportedGarment,
  { product, isEnded }: Pick<Extract<ShopEntry, { kind: 'written' }>, 'product' | 'isEnded'>,
  nowMs: number,
): WrittenGarment {
  const { listing, handle } = product
  const now = {
    at: nowMs,
    handle: format === 'shopify' ? handle : '',
    isEnded,
    language: shop.market.language,
    title: fingerprintWords(listing.title),
    description: fingerprintWords(toText(listing)),
  }
  return { uuid, before: exportRecords[format], now }
}

/** Records which garments a shop's file contained. Writes only what has changed since the file before. */
export async function recordWritten(
  db: Database,
  tenantId: string,
  format: ShopFormat,
  written: readonly WrittenGarment[],
): Promise<void> {
  const changes = written.flatMap(({ uuid, before, now: { at, handle, ...latest } }) => {
    if (before !== undefined && JSON.stringify({ ...before, ...latest }) === JSON.stringify(before)) return []
    return [{ uuid, first: { [format]: { at, handle } }, latest: { [format]: latest } }]
  })
  if (changes.length > 0) await runBatch(db, { recorded: recordExports(tenantId, JSON.stringify(changes)) })
}
