import { writeRow } from '../../csv/write-csv.ts'
import { csvHeader, type Column } from '../csv.ts'
import type { ExportDefaults } from './defaults.ts'
import { ebayAction, ebayColumns, ebayInfo } from './ebay.ts'
import { ebaySites } from './ebay-sites.ts'
import { googleColumns } from './google.ts'
import type { Product } from './product.ts'
import { ebayRules } from './rules/ebay-rules.ts'
import { googleRules } from './rules/google-rules.ts'
import { rowProblems, type RowProblem, type ShopRules } from './rules/rule.ts'
import { shopifyRules } from './rules/shopify-rules.ts'
import { shopifyColumns } from './shopify.ts'

export const shopFormats = ['shopify', 'google', 'ebay'] as const

export type ShopFormat = (typeof shopFormats)[number]

interface Shop {
  readonly columns: readonly Column<Product>[]
  readonly rules: ShopRules
  /** The beginning of the file, including the header. */
  readonly start: string
}

const shopify = { columns: shopifyColumns(), rules: shopifyRules }
const google = { columns: googleColumns(), rules: googleRules }

/** A shop's import. eBay's depends on the tenant's site. */
export function shopOf(format: ShopFormat, { ebay_site: siteName }: ExportDefaults): Shop {
  if (format === 'shopify') return { ...shopify, start: csvHeader(shopify.columns) }
  if (format === 'google') return { ...google, start: csvHeader(google.columns) }
  const site = ebaySites.find(({ name }) => name === siteName) ?? ebaySites[0]
  const columns = ebayColumns(site)
  const info = ebayInfo(site).map((row) => writeRow(columns.map((_, index) => row[index] ?? '')))
  return { columns, rules: ebayRules(ebayAction(site)), start: [...info, csvHeader(columns)].join('') }
}

/** The problems of a product by the shop's rules. */
export const productProblems = ({ columns, rules }: Shop, product: Product): RowProblem[] =>
  rowProblems(rules, Object.fromEntries(columns.map(([name, valueOf]) => [name, valueOf(product)])))
