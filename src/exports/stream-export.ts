import { createYieldAfter } from '../platform/limits/yield-to-event-loop.ts'
import type { Database } from '../platform/db/database.ts'
import { streamFile } from '../platform/http/stream-file.ts'
import { type Column, csvHeader, csvLine, resultColumns } from './export-columns.ts'
import { type OwnColumn, toColumns } from './own-files.ts'
import { type LastExport, rememberExport } from './last-exports.ts'
import type { ExportDefaults } from './shops/export-defaults.ts'
import { isForSale, recordWritten, toShopEntry, toWritten, type WrittenGarment } from './exported-garments.ts'
import { type ShopFormat, shopFormats, shopOf } from './shops/shop-formats.ts'
import { type Product, toProduct } from './shops/product.ts'
import { type ExportedGarment, toExportJson, type WalkedGarments, walkGarments } from './walk-garments.ts'

export const exportFormats = ['csv', 'json', ...shopFormats, 'own'] as const

export type ExportFormat = (typeof exportFormats)[number]

export const isShopFormat = (format: string): format is ShopFormat => shopFormats.some((shop) => shop === format)

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
 * garments only. Throws as `streamFile` does.
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
    const uuids: string[] = []
    yield text.start
    const shop = isShopFormat(format) ? format : undefined
    for await (const garments of walkGarments(db, tenantId, { ...filter, shop, status, untilMs }, publicUrl)) {
      let part = ''
      const written: WrittenGarment[] = []
      for (const garment of garments) {
        const line = text.garment(garment)
        await yieldAfter(workOfGarment + (line?.text.length ?? 0))
        if (line === undefined) continue
        remembered.add(garment, line.text === '')
        if (line.text === '') continue
        if (onWritten !== undefined && isForSale(garment)) uuids.push(garment.uuid)
        if (line.written !== undefined) written.push(line.written)
        part += separator + line.text
        separator = text.separator
      }
      if (shop !== undefined) await recordWritten(db, tenantId, shop, written)
      if (part !== '') yield part
    }
    if (text.end !== '') yield text.end
    const sent = remembered.end()
    if (sent !== null) await onSent?.(sent)
    if (uuids.length > 0) await onWritten?.(uuids)
  }
  return await streamFile(tenantId, chunks())
}

interface GarmentText {
  /** Empty for a garment that is omitted because of its problems. */
  readonly text: string
  /** Record of the garment. Only shops' files have one. */
  readonly written?: WrittenGarment
}

interface FileText {
  readonly start: string
  /** Returns undefined for a garment that is off sale. */
  readonly garment: (garment: ExportedGarment) => GarmentText | undefined
  readonly separator: string
  readonly end: string
}

/** Builds a tenant's own file. It includes every complete garment for sale, because no shop's rules apply. */
const ownText = (columns: readonly Column<Product>[], defaults: ExportDefaults): FileText => ({
  start: csvHeader(columns),
  garment: (garment) => (isForSale(garment) ? { text: csvLine(columns, toProduct(garment, defaults)) } : undefined),
  separator: '',
  end: '',
})

function textOf(
  format: Exclude<ExportFormat, 'own'>,
  defaults: ExportDefaults,
  withIncomplete: boolean,
  nowMs: number,
): FileText {
  if (format === 'json') {
    const garment = (each: ExportedGarment) => ({ text: toExportJson(each) })
    return { start: '[\n', garment, separator: ',\n', end: '\n]\n' }
  }
  if (format === 'csv') {
    const columns = resultColumns(nowMs)
    const garment = (each: ExportedGarment) => ({ text: csvLine(columns, each) })
    return { start: csvHeader(columns), garment, separator: '', end: '' }
  }
  const shop = shopOf(format, defaults)
  return {
    start: shop.start,
    garment(each) {
      const entry = toShopEntry({ format, shop, defaults, withIncomplete }, each)
      if (entry.kind === 'off sale') return undefined
      if (entry.kind === 'omitted') return { text: '' }
      return { text: entry.text, written: toWritten({ format, shop }, each, entry, nowMs) }
    },
    separator: '',
    end: '',
  }
}
