import { createYieldAfter } from '../platform/limits/yield-to-event-loop.ts'
import type { Database } from '../platform/db/database.ts'
import { streamText } from '../platform/http/stream-text.ts'
import { type Column, csvHeader, csvLine, resultColumns } from './export-columns.ts'
import { type OwnColumn, toColumns } from './own-files.ts'
import { type LastExport, rememberExport } from './last-exports.ts'
import type { ExportDefaults } from './shops/export-defaults.ts'
import { productProblems, productRows, type ShopFormat, shopFormats, shopOf } from './shops/shop-formats.ts'
import { isForSale, type Product, toProduct } from './shops/product.ts'
import { type ExportedGarment, type WalkedGarments, walkGarments } from './walk-garments.ts'

export const exportFormats = ['csv', 'json', ...shopFormats, 'own'] as const

export type ExportFormat = (typeof exportFormats)[number]

export const isShopFormat = (format: ExportFormat): format is ShopFormat => shopFormats.some((shop) => shop === format)

/** CPU cost of writing a garment, in characters, added to its length. */
const workOfGarment = 500

export interface StreamedExport extends WalkedGarments {
  readonly format: ExportFormat
  readonly defaults: ExportDefaults
  readonly columns?: readonly OwnColumn[] | undefined
  readonly withIncomplete?: boolean | undefined
}

interface StreamDeps {
  readonly publicUrl: string | undefined
  readonly nowMs: number
  /** Called after the complete file was sent, with the state for the next export. */
  readonly onSent?: ((sent: LastExport) => Promise<void>) | undefined
  /** Called after the complete file was sent, with the uuids of its garments. */
  readonly onWritten?: ((uuids: readonly string[]) => Promise<void>) | undefined
}

/**
 * Streams a file of all garments that match the filter, except garments uploaded meanwhile. Shop files contain complete
 * garments only. Throws as `streamText` does.
 */
export async function streamExport(
  db: Database,
  tenantId: string,
  { format, defaults, columns = [], withIncomplete, ...filter }: StreamedExport,
  { publicUrl, nowMs, onSent, onWritten }: StreamDeps,
): Promise<ReadableStream<Uint8Array>> {
  const untilMs = Math.min(filter.untilMs ?? Infinity, nowMs + 1)
  const ownColumns = toColumns(columns)
  const text =
    format === 'own' ? ownText(ownColumns, defaults) : textOf(format, defaults, withIncomplete ?? false, nowMs)
  const isShopFile = format === 'own' || isShopFormat(format)
  const status = isShopFile ? 'complete' : filter.status
  async function* chunks() {
    let separator = ''
    const yieldAfter = createYieldAfter()
    const remembered = rememberExport(nowMs, filter.since)
    const written: string[] = []
    yield text.start
    for await (const garments of walkGarments(db, tenantId, { ...filter, status, untilMs }, publicUrl)) {
      let part = ''
      for (const garment of garments) {
        if (isShopFile && !isForSale(garment)) continue
        const line = text.garment(garment)
        await yieldAfter(workOfGarment + line.length)
        remembered.add(garment, line === '')
        if (line === '') continue
        if (onWritten !== undefined) written.push(garment.uuid)
        part += separator + line
        separator = text.separator
      }
      if (part !== '') yield part
    }
    if (text.end !== '') yield text.end
    const sent = remembered.end()
    if (sent !== null) await onSent?.(sent)
    if (written.length > 0) await onWritten?.(written)
  }
  return await streamText(tenantId, chunks())
}

interface FileText {
  readonly start: string
  /** Returns empty text for an omitted garment. */
  readonly garment: (garment: ExportedGarment) => string
  readonly separator: string
  readonly end: string
}

/** Builds a tenant's own file. It includes every complete garment for sale, because no shop's rules apply. */
const ownText = (columns: readonly Column<Product>[], defaults: ExportDefaults): FileText => ({
  start: csvHeader(columns),
  garment: (garment) => csvLine(columns, toProduct(garment, defaults)),
  separator: '',
  end: '',
})

function textOf(
  format: Exclude<ExportFormat, 'own'>,
  defaults: ExportDefaults,
  withIncomplete: boolean,
  nowMs: number,
): FileText {
  if (format === 'json')
    return { start: '[\n', garment: (garment) => JSON.stringify(garment), separator: ',\n', end: '\n]\n' }
  if (format === 'csv') {
    const columns = resultColumns(nowMs)
    const line = (garment: ExportedGarment) => csvLine(columns, garment)
    return { start: csvHeader(columns), garment: line, separator: '', end: '' }
  }
  const shop = shopOf(format, defaults)
  const line = (garment: ExportedGarment) => {
    const product = toProduct(garment, defaults, shop.market)
    const isLeftOut = !withIncomplete && productProblems(shop, product).some(({ isRefused }) => isRefused)
    return isLeftOut ? '' : productRows(format, shop, product)
  }
  return { start: shop.start, garment: line, separator: '', end: '' }
}
