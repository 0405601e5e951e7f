import { createPageBudget } from '../bounds/create-page-budget.ts'
import { createWorkMeter } from '../bounds/create-work-meter.ts'
import type { Database } from '../db/client.ts'
import { cursorOf, type PageRequest } from '../db/page.ts'
import { exportGarments, positionOf, type ExportFilter } from './export-garments.ts'
import { toExportResponse, type ExportedGarment } from './to-export-response.ts'

/** How many rows are in memory at a time: with 50 attributes of 512 characters, one has about 100 kB. */
const rowsInStep = 25

/** What reading a garment costs beyond its characters. */
const workOfGarment = 500

interface ExportPage {
  readonly garments: readonly ExportedGarment[]
  /** Each garment as `toText` gives it. */
  readonly texts: readonly string[]
  readonly nextCursor: string | null
}

/** A page of at most `limit` garments, and of fewer where their texts would have more bytes than a page may have. */
export async function readExportPage(
  db: Database,
  tenantId: string,
  { limit, ...filter }: ExportFilter & PageRequest,
  { publicUrl, toText }: { readonly publicUrl: string | undefined; toText: (garment: ExportedGarment) => string },
): Promise<ExportPage> {
  const [garments, texts]: [ExportedGarment[], string[]] = [[], []]
  const isOfPage = createPageBudget()
  const spendWork = createWorkMeter()
  let cursor = filter.cursor
  for (;;) {
    const step = { ...filter, cursor, limit: Math.min(rowsInStep, limit - garments.length) }
    const { rows, nextCursor } = await exportGarments(db, tenantId, step)
    for (const row of rows) {
      const garment = toExportResponse(row, publicUrl)
      const text = toText(garment)
      if (!isOfPage(text)) return { garments, texts, nextCursor: cursor ?? null }
      garments.push(garment)
      texts.push(text)
      cursor = cursorOf(positionOf(row))
      await spendWork(workOfGarment + text.length)
    }
    if (nextCursor === null || garments.length === limit) return { garments, texts, nextCursor }
  }
}
