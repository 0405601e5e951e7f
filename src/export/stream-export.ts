import { createTurns } from '../bounds/create-turns.ts'
import type { Database } from '../db/client.ts'
import { streamText } from '../http/stream-text.ts'
import { csvHeader, csvLine, type Column } from './csv.ts'
import { exportGarments, type ExportFilter } from './export-garments.ts'
import { toExportResponse, type ExportedGarment } from './to-export-response.ts'
import { resultColumns } from './result-columns.ts'
import { googleColumns, shopifyColumns } from './shop-columns.ts'

/** How many garments are in memory at a time. */
const pageSize = 100

/** What reading a garment costs beyond its attributes. */
const workOfGarment = 1000

export const exportFormats = ['csv', 'json', 'shopify', 'google'] as const

export type ExportFormat = (typeof exportFormats)[number]

const columnsOf: Readonly<Record<Exclude<ExportFormat, 'json'>, readonly Column[]>> = {
  csv: resultColumns(),
  shopify: shopifyColumns(),
  google: googleColumns(),
}

export interface StreamedExport extends ExportFilter {
  readonly format: ExportFormat
  /** After correction. */
  readonly itemType?: string | undefined
}

/**
 * Streams a file of all garments that match the filter, page by page. Garments that are uploaded meanwhile are not in
 * it.
 */
export function streamExport(
  db: Database,
  tenantId: string,
  { format, itemType, ...filter }: StreamedExport,
  { publicUrl, nowMs }: { readonly publicUrl: string | undefined; readonly nowMs: number },
): ReadableStream<Uint8Array> {
  const untilMs = Math.min(filter.untilMs ?? Infinity, nowMs + 1)
  const text = textOf(format)
  async function* chunks() {
    let cursor: string | undefined
    let separator = ''
    const spendWork = createTurns()
    yield text.start
    do {
      const page = await exportGarments(db, tenantId, { ...filter, untilMs, limit: pageSize, cursor })
      cursor = page.nextCursor ?? undefined
      let part = ''
      for (const row of page.rows) {
        const garment = toExportResponse(row, publicUrl)
        if (itemType !== undefined && garment.tag?.['Item Type'] !== itemType) continue
        part += separator + text.garment(garment)
        separator = text.separator
        await spendWork(row.attribute.length + workOfGarment)
      }
      if (part !== '') yield part
    } while (cursor !== undefined)
    if (text.end !== '') yield text.end
  }
  return streamText(chunks())
}

interface FileText {
  readonly start: string
  readonly garment: (garment: ExportedGarment) => string
  readonly separator: string
  readonly end: string
}

function textOf(format: ExportFormat): FileText {
  if (format === 'json')
    return { start: '[\n', garment: (garment) => JSON.stringify(garment), separator: ',\n', end: '\n]\n' }
  const columns = columnsOf[format]
  return { start: csvHeader(columns), garment: (garment) => csvLine(columns, garment), separator: '', end: '' }
}
