import type { Database } from '../platform/db/database.ts'
import type { ExportDefaults } from './shops/export-defaults.ts'
import { toShopEntry } from './exported-garments.ts'
import { type ShopFormat, shopOf } from './shops/shop-formats.ts'
import type { RowProblem, ShopRules } from './shops/shop-rules.ts'
import { walkGarments, type WalkedGarments } from './walk-garments.ts'

/** Maximum number of garments that one check reports on, and that it lists with their problems. */
const usualMaxChecked = 2000
const maxNamed = 50

/** Maximum number of garments read to find them. Reading them takes half of the 1,000 queries per request. */
export const usualMaxLookedThrough = 50_000

export interface ExportReport {
  readonly checked: number
  readonly hasMore: boolean
  readonly refused: number
  readonly lacking: number
  /** Number of garments per problem, most frequent first. */
  readonly counts: readonly (RowProblem & { readonly count: number })[]
  readonly named: readonly CheckedGarment[]
  /** At most 50 garments that are sold or withdrawn, and whose listings the seller must end. */
  readonly toEnd: readonly NamedGarment[]
  /** Number of checked garments for which nothing tells who wears them. */
  readonly unknownWearers: number
  readonly rules: ShopRules
}

export interface NamedGarment {
  readonly uuid: string
  readonly number: number
  readonly title: string
  /** Path of the small picture. Empty without one. */
  readonly picture: string
}

interface CheckedGarment extends NamedGarment {
  readonly problems: readonly RowProblem[]
}

interface CheckedExport extends WalkedGarments {
  readonly format: ShopFormat
  readonly defaults: ExportDefaults
  readonly publicUrl?: string | undefined
  readonly maxChecked?: number
  readonly maxLookedThrough?: number
}

/** Checks garments against the rules of a shop's import. */
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
  const named: CheckedGarment[] = []
  const toEnd: NamedGarment[] = []
  const counts = new Map<string, RowProblem & { count: number }>()
  let [checked, refused, lacking, unknownWearers] = [0, 0, 0, 0]
  const { rules } = shop
  const report = () => ({ checked, refused, lacking, counts: sorted(counts), named, toEnd, unknownWearers, rules })
  const lookedThrough = { count: 0 }
  const complete = { ...filter, status: 'complete' } as const
  for await (const garments of walkGarments(db, tenantId, complete, publicUrl, lookedThrough)) {
    if ((checked >= maxChecked && garments.length > 0) || lookedThrough.count > maxLookedThrough)
      return { ...report(), hasMore: true }
    for (const garment of garments) {
      const entry = toShopEntry({ format, shop, defaults }, garment)
      const { uuid, number, thumbnail: picture } = garment
      const { product } = entry
      if (entry.kind === 'off sale') {
        if (entry.isToEnd && toEnd.length < maxNamed)
          toEnd.push({ uuid, number, title: product.listing.title, picture })
        continue
      }
      checked++
      if (product.wearer === undefined) unknownWearers++
      const { problems } = entry
      if (problems.length === 0) continue
      if (problems.some(({ isRefused }) => isRefused)) refused++
      else lacking++
      if (named.length < maxNamed) named.push({ uuid, number, title: product.listing.title, picture, problems })
      for (const problem of problems) count(counts, problem)
    }
  }
  return { ...report(), hasMore: false }
}

function count(counts: Map<string, RowProblem & { count: number }>, { column, problem, isRefused }: RowProblem) {
  // Sentences that quote a value are counted together per column.
  const kind = problem.includes('“') ? 'is not as the shop asks for' : problem
  const counted = counts.get(`${column} ${kind}`) ?? { column, problem: kind, isRefused, count: 0 }
  counts.set(`${column} ${kind}`, { ...counted, count: counted.count + 1 })
}

const sorted = (counts: ReadonlyMap<string, RowProblem & { count: number }>) =>
  [...counts.values()].sort((a, b) => b.count - a.count)
