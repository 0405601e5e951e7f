import { writeRow } from '../../platform/csv/write-csv.ts'
import { type Column, csvHeader, csvLine } from '../export-columns.ts'
import { ebaySites, type ExportDefaults } from './export-defaults.ts'
import { ebayColumns, ebayInfo, ebayRules } from './ebay.ts'
import { googleColumns, googleRules } from './google.ts'
import type { Product } from './product.ts'
import { type RowProblem, rowProblems, type ShopRules } from './shop-rules.ts'
import { shopifyColumns, shopifyImageRows, shopifyRules } from './shopify.ts'

/** Formats, fewest required fields first. */
export const shopFormats = ['shopify', 'ebay', 'google'] as const

export type ShopFormat = (typeof shopFormats)[number]

interface Shop {
  readonly columns: readonly Column<Product>[]
  readonly rules: ShopRules
  /** The start of the file, including the header. */
  readonly start: string
}

/** Formats a product as CSV rows. */
export function productLines(format: ShopFormat, { columns }: Shop, product: Product): string {
  const more = format === 'shopify' ? shopifyImageRows(product) : []
  const lines = more.map((row) => writeRow(columns.map(([name]) => row[name] ?? '')))
  return csvLine(columns, product) + lines.join('')
}

const shopify = { columns: shopifyColumns(), rules: shopifyRules }
const google = { columns: googleColumns(), rules: googleRules }

/** Returns the columns and rules of a format. eBay's depend on the site. */
export function shopOf(format: ShopFormat, { ebay_site: siteName }: ExportDefaults): Shop {
  if (format === 'shopify') return { ...shopify, start: csvHeader(shopify.columns) }
  if (format === 'google') return { ...google, start: csvHeader(google.columns) }
  const site = ebaySites.find(({ name }) => name === siteName) ?? ebaySites[0]
  const columns = ebayColumns(site)
  const info = ebayInfo(site).map((row) => writeRow(columns.map((_, index) => row[index] ?? '')))
  return { columns, rules: ebayRules, start: [...info, csvHeader(columns)].join('') }
}

/** Checks a product against the shop's rules and returns the first problem of each column. */
export function productProblems({ columns, rules }: Shop, product: Product): RowProblem[] {
  const row = Object.fromEntries(columns.map(([name, valueOf]) => [name, valueOf(product)]))
  const more = rules === shopifyRules ? shopifyImageRows(product) : []
  return [row, ...more.map((image) => ({ ...row, ...image }))]
    .flatMap((each) => rowProblems(columns, each))
    .filter(({ column }, at, all) => all.findIndex((other) => other.column === column) === at)
}
