import { createWorkMeter } from '../bounds/create-work-meter.ts'
import type { Database } from '../db/client.ts'
import { exportGarments, type ExportFilter } from './export-garments.ts'
import { matchesFilter, type GarmentMatch } from './export-filter.ts'
import { toExportResponse, type ExportedGarment } from './to-export-response.ts'

/** How many garments are in memory at a time. */
const pageSize = 100

/** What reading a garment costs beyond its attributes. */
const workOfGarment = 1000

export type WalkedGarments = ExportFilter & GarmentMatch

/** Yields pages of a tenant's garments that match the filter, oldest first; empty where a page has none. */
export async function* walkGarments(
  db: Database,
  tenantId: string,
  filter: WalkedGarments,
  publicUrl: string | undefined,
  lookedThrough = { count: 0 },
): AsyncGenerator<readonly ExportedGarment[]> {
  let cursor: string | undefined
  const spendWork = createWorkMeter()
  do {
    const page = await exportGarments(db, tenantId, { ...filter, limit: pageSize, cursor })
    cursor = page.nextCursor ?? undefined
    lookedThrough.count += page.rows.length
    const garments: ExportedGarment[] = []
    for (const row of page.rows) {
      const garment = toExportResponse(row, publicUrl)
      if (matchesFilter(garment, row.doubt, filter)) garments.push(garment)
      await spendWork(row.attribute.length + workOfGarment)
    }
    yield garments
  } while (cursor !== undefined)
}
