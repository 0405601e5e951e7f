import type { Language } from '../garments/listing-texts/listing-words.ts'
import { positionOf } from '../garments/list/read-garments.ts'
import type { Database } from '../platform/db/database.ts'
import { cursorOf } from '../platform/db/page.ts'
import { usualMaxLookedThrough } from './check-export.ts'
import { isForSale, recordWritten } from './exported-garments.ts'
import type { ExportDefaults } from './shops/export-defaults.ts'
import { type Product, toProduct } from './shops/product.ts'
import { shopOf } from './shops/shop-formats.ts'
import { type WalkedGarments, walkGarments } from './walk-garments.ts'

interface CopiedPage extends WalkedGarments {
  readonly defaults: ExportDefaults
  readonly publicUrl: string | undefined
  /** Includes garments that are marked as on Vinted. */
  readonly withMarked: boolean
  readonly limit: number
}

/** Lists garments for sale, oldest first, whose values a seller copies to Vinted. */
export async function listForCopying(
  db: Database,
  tenantId: string,
  { defaults, publicUrl, withMarked, limit, ...filter }: CopiedPage,
): Promise<{ readonly products: readonly Product[]; readonly nextCursor: string | null }> {
  const { market } = shopOf('vinted', defaults)
  const products: Product[] = []
  const lookedThrough = { count: 0 }
  let last: string | null = null
  for await (const garments of walkGarments(
    db,
    tenantId,
    { ...filter, status: 'complete' },
    publicUrl,
    lookedThrough,
  )) {
    for (const garment of garments) {
      if (products.length === limit) return { products, nextCursor: last }
      const isMarked = garment.exportRecords['vinted'] !== undefined
      if (isForSale(garment) && (withMarked || !isMarked)) products.push(toProduct(garment, defaults, market))
      last = cursorOf(positionOf({ createdAt: Date.parse(garment.created_at), uuid: garment.uuid }))
    }
    if (lookedThrough.count > usualMaxLookedThrough) return { products, nextCursor: last }
  }
  return { products, nextCursor: null }
}

/** Records that the seller has copied a garment to Vinted, as a file for Vinted does. */
export async function markCopied(
  db: Database,
  tenantId: string,
  { uuid, language }: { readonly uuid: string; readonly language: Language },
  nowMs: number,
): Promise<void> {
  const now = { at: nowMs, handle: '', isEnded: false, language, title: '', description: '' }
  await recordWritten(db, tenantId, 'vinted', [{ uuid, before: undefined, now }])
}
