import { createPageBudget } from '../bounds/create-page-budget.ts'
import { createWorkMeter } from '../bounds/create-work-meter.ts'
import { rowsThatFit } from '../bounds/rows-that-fit.ts'
import type { Database } from '../db/client.ts'
import { cursorOf, type PageRequest } from '../db/page.ts'
import { exportGarments, positionOf, type ExportFilter } from './export-garments.ts'
import { toExportResponse, type ExportedGarment } from './to-export-response.ts'

/** How many rows are read at a time: with 50 attributes of 512 characters, ten of them have half a megabyte. */
const rowsAtFirst = 10
const mostInStep = { rows: 100, characters: 250_000 }

/** What reading a garment costs beyond its characters. */
const workOfGarment = 500

interface ExportPage {
  /** Each garment as `toText` gives it, in UTF-8: to encode a page of megabytes at its end would take long at once. */
  readonly rows: readonly Uint8Array[]
  readonly nextCursor: string | null
}

/** A page of at most `limit` garments, and of fewer where their texts would have more bytes than a page may have. */
export async function readExportPage(
  db: Database,
  tenantId: string,
  { limit, ...filter }: ExportFilter & PageRequest,
  { publicUrl, toText }: { readonly publicUrl: string | undefined; toText: (garment: ExportedGarment) => string },
): Promise<ExportPage> {
  const encoder = new TextEncoder()
  const page: Uint8Array[] = []
  const isOfPage = createPageBudget()
  const spendWork = createWorkMeter()
  let cursor = filter.cursor
  let rowsInStep = rowsAtFirst
  for (;;) {
    const step = { ...filter, cursor, limit: Math.min(rowsInStep, limit - page.length) }
    const { rows, nextCursor } = await exportGarments(db, tenantId, step)
    let characters = 0
    for (const row of rows) {
      const text = toText(toExportResponse(row, publicUrl))
      const bytes = encoder.encode(text)
      if (!isOfPage(bytes)) return { rows: page, nextCursor: cursor ?? null }
      page.push(bytes)
      characters += text.length
      cursor = cursorOf(positionOf(row))
      await spendWork(workOfGarment + text.length)
    }
    if (nextCursor === null || page.length === limit) return { rows: page, nextCursor }
    rowsInStep = rowsThatFit({ rows: rows.length, characters }, mostInStep)
  }
}
