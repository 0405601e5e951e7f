import { createPageBudget } from '../bounds/step-size.ts'
import { createYieldAfter } from '../yield-to-event-loop.ts'
import type { Database } from '../db/client.ts'
import { cursorOf, type PageRequest } from '../db/page.ts'
import { positionOf, readSteps, type ExportFilter } from './export-garments.ts'
import { toExportResponse, type ExportedGarment } from './to-export-response.ts'

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
  filter: ExportFilter & PageRequest,
  { publicUrl, toText }: { readonly publicUrl: string | undefined; toText: (garment: ExportedGarment) => string },
): Promise<ExportPage> {
  const encoder = new TextEncoder()
  const page: Uint8Array[] = []
  const isOfPage = createPageBudget()
  const yieldAfter = createYieldAfter()
  let cursor: string | null = null
  for await (const { rows, nextCursor } of readSteps(db, tenantId, filter)) {
    for (const row of rows) {
      const bytes = encoder.encode(toText(toExportResponse(row, publicUrl)))
      if (!isOfPage(bytes)) return { rows: page, nextCursor: cursor }
      page.push(bytes)
      cursor = cursorOf(positionOf(row))
      await yieldAfter(workOfGarment + bytes.length)
    }
    cursor = nextCursor
  }
  return { rows: page, nextCursor: cursor }
}
