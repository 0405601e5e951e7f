import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../platform/db/database.ts'
import { exportDefaults, tenants } from '../platform/db/schema.ts'
import { cursorOf, type PageRequest } from '../platform/db/page.ts'
import { createPageBudget } from '../platform/limits/step-size.ts'
import { createYieldAfter } from '../platform/limits/yield-to-event-loop.ts'
import { type ExportFilter, positionOf, readSteps } from '../garments/list/read-garments.ts'
import { type ExportDefaults, parseExportDefaults } from './shops/export-defaults.ts'
import { isForSale, toProduct } from './shops/product.ts'
import { productProblems, productRows, type ShopFormat, shopOf } from './shops/shop-formats.ts'
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
}

/** CPU cost of writing a garment, in characters, added to its length. */
const workOfGarment = 500

interface ShopPageRequest extends Pick<ExportFilter, 'fromMs' | 'untilMs'>, PageRequest {
  readonly format: ShopFormat
  readonly defaults: ExportDefaults
}

/**
 * Reads a page of at most `limit` complete garments for a shop, and fewer if the page would exceed its byte budget. It
 * leaves out what is sold or withdrawn, and what the shop would refuse.
 */
export async function readShopPage(
  db: Database,
  tenantId: string,
  { format, defaults, ...filter }: ShopPageRequest,
  publicUrl: string | undefined,
): Promise<ShopPage> {
  const shop = shopOf(format, defaults)
  const encoder = new TextEncoder()
  const isOfPage = createPageBudget()
  const yieldAfter = createYieldAfter()
  const [rows, omitted, lacking]: [Uint8Array[], ReportedGarment[], ReportedGarment[]] = [[], [], []]
  let cursor: string | null = null
  const page = () => ({ start: shop.start, rows, omitted, lacking })
  for await (const step of readSteps(db, tenantId, { ...filter, status: 'complete' })) {
    for (const row of step.rows) {
      const garment = toExportResponse(row, publicUrl)
      const product = toProduct(garment, defaults, shop.market)
      const problems = isForSale(garment) ? productProblems(shop, product) : [stageProblem(garment)]
      const isOmitted = problems.some(({ isRefused }) => isRefused)
      const bytes = encoder.encode(isOmitted ? '' : productRows(format, shop, product))
      if (!isOfPage(bytes)) return { ...page(), nextCursor: cursor }
      if (isOmitted) omitted.push({ uuid: garment.uuid, problems })
      else rows.push(bytes)
      if (!isOmitted && problems.length > 0) lacking.push({ uuid: garment.uuid, problems })
      cursor = cursorOf(positionOf(row))
      await yieldAfter(workOfGarment + bytes.length)
    }
    cursor = step.nextCursor
  }
  return { ...page(), nextCursor: cursor }
}

const stageProblem = ({ stage }: ExportedGarment): RowProblem => ({
  column: 'Stage',
  problem: `is ${stage}, so no shop gets the garment`,
  isRefused: true,
})
