import { createYieldAfter } from '../yield-to-event-loop.ts'
import type { Database } from '../db/client.ts'
import { readSteps, type ExportFilter } from './export-garments.ts'
import { matchesFilter, type GarmentMatch } from './export-filter.ts'
import { toExportResponse, type ExportedGarment } from './to-export-response.ts'

/** What reading a garment costs beyond its attributes. */
const workOfGarment = 1000

export type WalkedGarments = ExportFilter & GarmentMatch

/** Yields a tenant's garments that match the filter, oldest first, step by step; empty where a step has none. */
export async function* walkGarments(
  db: Database,
  tenantId: string,
  filter: WalkedGarments,
  publicUrl: string | undefined,
  lookedThrough = { count: 0 },
): AsyncGenerator<readonly ExportedGarment[]> {
  const yieldAfter = createYieldAfter()
  for await (const { rows } of readSteps(db, tenantId, { ...filter, limit: Infinity, cursor: undefined })) {
    lookedThrough.count += rows.length
    const garments: ExportedGarment[] = []
    for (const row of rows) {
      const garment = toExportResponse(row, publicUrl)
      if (matchesFilter(garment, row.doubt, filter)) garments.push(garment)
      await yieldAfter(row.attribute.length + workOfGarment)
    }
    yield garments
  }
}
