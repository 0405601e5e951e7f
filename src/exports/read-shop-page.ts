import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../platform/db/database.ts'
import { exportDefaults, tenants } from '../platform/db/schema.ts'
import { cursorOf, type PageRequest } from '../platform/db/page.ts'
import { createPageBudget } from '../platform/limits/step-size.ts'
import { createYieldAfter } from '../platform/limits/yield-to-event-loop.ts'
import { type ExportFilter, positionOf, readSteps } from '../garments/list/read-garments.ts'
import { type ExportDefaults, parseExportDefaults } from './shops/export-defaults.ts'
import { recordWritten, toShopEntry, toWritten, type WrittenGarment } from './exported-garments.ts'
import { type ShopFormat, shopOf } from './shops/shop-formats.ts'
import type { RowProblem } from './shops/shop-rules.ts'
import { type ExportedGarment, toExportResponse } from './walk-garments.ts'

const currencySchema = z.object({ currency: z.string().default('USD') })

/** Finds a tenant's defaults for shops. Its currency is in the accounts database. */
export async function findExportDefaults(accounts: Database, db: Database, tenantId: string): Promise<ExportDefaults> {
  const [[tenant], [stored]] = await Promise.all([
    accounts.select({ settings: tenants.settings }).from(tenants).where(eq(tenants.id, tenantId)),
    db.select({ defaults: exportDefaults.defaults }).from(exportDefaults).where(eq(exportDefaults.tenantId, tenantId)),
  ])
  return parseExportDefaults(stored?.defaults ?? null, currencySchema.parse(tenant?.settings ?? {}).currency)
}

interface ReportedGarment {
  readonly uuid: string
  readonly problems: readonly RowProblem[]
}

export interface ShopPage {
  readonly start: string
  readonly rows: readonly Uint8Array[]
  readonly nextCursor: string | null
  readonly omitted: readonly ReportedGarment[]
  /** Garments of the file with problems that do not stop the import. */
  readonly lacking: readonly ReportedGarment[]
  /** Uuids of garments that are sold or withdrawn, and whose listings the seller must end. */
  readonly toEnd: readonly string[]
}

/** CPU cost of writing a garment, in characters, added to its length. */
const workOfGarment = 500

interface ShopPageRequest extends Pick<ExportFilter, 'fromMs' | 'untilMs'>, PageRequest {
  readonly format: ShopFormat
  readonly defaults: ExportDefaults
  readonly isReport: boolean
}

/**
 * Reads a page of at most `limit` complete garments for a shop, and fewer if the page would exceed its byte budget.
 * Omits what is sold or withdrawn, unless an earlier file contained it, and what the shop would refuse. Records which
 * garments the page contains, except for a report.
 */
export async function readShopPage(
  db: Database,
  tenantId: string,
  { format, defaults, isReport, ...filter }: ShopPageRequest,
  { publicUrl, nowMs }: { readonly publicUrl: string | undefined; readonly nowMs: number },
): Promise<ShopPage> {
  const shop = shopOf(format, defaults)
  const encoder = new TextEncoder()
  const isOfPage = createPageBudget()
  const yieldAfter = createYieldAfter()
  const [rows, omitted, lacking, toEnd]: [Uint8Array[], ReportedGarment[], ReportedGarment[], string[]] = [
    [],
    [],
    [],
    [],
  ]
  const written: WrittenGarment[] = []
  async function endPage(nextCursor: string | null): Promise<ShopPage> {
    if (!isReport) await recordWritten(db, tenantId, format, written)
    return { start: shop.start, rows, omitted, lacking, toEnd, nextCursor }
  }
  let cursor: string | null = null
  for await (const step of readSteps(db, tenantId, { ...filter, status: 'complete' })) {
    for (const row of step.rows) {
      const garment = toExportResponse(row, publicUrl)
      const { uuid } = garment
      const entry = toShopEntry({ format, shop, defaults }, garment)
      const bytes = encoder.encode(entry.kind === 'written' ? entry.text : '')
      if (!isOfPage(bytes)) return await endPage(cursor)
      if (entry.kind === 'written') {
        rows.push(bytes)
        written.push(toWritten({ format, shop }, garment, entry, nowMs))
        if (entry.problems.length > 0) lacking.push({ uuid, problems: entry.problems })
      } else if (entry.kind === 'omitted') omitted.push({ uuid, problems: entry.problems })
      else {
        omitted.push({ uuid, problems: [stageProblem(garment)] })
        if (entry.isToEnd) toEnd.push(uuid)
      }
      cursor = cursorOf(positionOf(row))
      await yieldAfter(workOfGarment + bytes.length)
    }
    cursor = step.nextCursor
  }
  return await endPage(cursor)
}

const stageProblem = ({ stage }: ExportedGarment): RowProblem => ({
  column: 'Stage',
  problem: `is ${stage}, so no shop gets the garment`,
  isRefused: true,
})
