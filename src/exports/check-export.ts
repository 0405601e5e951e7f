import type { Database } from '../platform/db/database.ts'
import type { ExportDefaults } from './shops/export-defaults.ts'
import { productProblems, type ShopFormat, shopOf } from './shops/shop-formats.ts'
import { toProduct } from './shops/product.ts'
import type { RowProblem } from './shops/shop-rules.ts'
import { walkGarments, type WalkedGarments } from './walk-garments.ts'

/** How many garments one check finds, and how many of them it names. */
const usualMaxChecked = 2000
const maxNamed = 50

/** How many it reads to find them. Of the 1,000 queries that the platform allows a request, this takes half. */
export const usualMaxLookedThrough = 50_000

export interface ExportReport {
  readonly checked: number
  /** Whether there are more garments than one check reads. */
  readonly hasMore: boolean
  /** The garments that the shop would refuse, and how many lack something else. */
  readonly refused: number
  readonly lacking: number
  /** How many garments lack each thing, most first. */
  readonly counts: readonly (RowProblem & { readonly count: number })[]
  /** At most 50 of these garments. */
  readonly named: readonly { readonly uuid: string; readonly problems: readonly RowProblem[] }[]
}

interface CheckedExport extends WalkedGarments {
  readonly format: ShopFormat
  readonly defaults: ExportDefaults
  readonly publicUrl?: string | undefined
  readonly maxChecked?: number
  readonly maxLookedThrough?: number
}

/** Finds what garments lack for a shop's import. */
export async function checkExport(
  db: Database,
  tenantId: string,
  {
    format,
    defaults,
    publicUrl,
    maxChecked = usualMaxChecked,
    maxLookedThrough = usualMaxLookedThrough,
    ...filter
  }: CheckedExport,
): Promise<ExportReport> {
  const shop = shopOf(format, defaults)
  const named: { uuid: string; problems: readonly RowProblem[] }[] = []
  const counts = new Map<string, RowProblem & { count: number }>()
  let [checked, refused, lacking] = [0, 0, 0]
  const report = () => ({ checked, refused, lacking, counts: sorted(counts), named })
  const lookedThrough = { count: 0 }
  const complete = { ...filter, status: 'complete' } as const
  for await (const garments of walkGarments(db, tenantId, complete, publicUrl, lookedThrough)) {
    if ((checked >= maxChecked && garments.length > 0) || lookedThrough.count > maxLookedThrough)
      return { ...report(), hasMore: true }
    for (const garment of garments) {
      checked++
      const problems = productProblems(shop, toProduct(garment, defaults))
      if (problems.length === 0) continue
      if (problems.some(({ isRefused }) => isRefused)) refused++
      else lacking++
      if (named.length < maxNamed) named.push({ uuid: garment.uuid, problems })
      for (const problem of problems) count(counts, problem)
    }
  }
  return { ...report(), hasMore: false }
}

function count(counts: Map<string, RowProblem & { count: number }>, { column, problem, isRefused }: RowProblem) {
  // Values differ from garment to garment: only what is missing is counted together.
  const kind = problem === 'is missing' ? problem : 'is not as the shop asks for'
  const counted = counts.get(`${column} ${kind}`) ?? { column, problem: kind, isRefused, count: 0 }
  counts.set(`${column} ${kind}`, { ...counted, count: counted.count + 1 })
}

const sorted = (counts: ReadonlyMap<string, RowProblem & { count: number }>) =>
  [...counts.values()].sort((a, b) => b.count - a.count)
