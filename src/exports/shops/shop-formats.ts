import { valueOf } from '../../platform/value-of.ts'
import { readNumber } from '../../garments/list/garment-number.ts'
import { detectLanguage } from '../../garments/listing-texts/detect-language.ts'
import { languageNames } from '../../garments/listing-texts/listing-words.ts'
import { writeUnguardedRow } from '../../platform/csv/write-csv.ts'
import { type Column, shopRow } from '../export-columns.ts'
import { ebaySites, type ExportDefaults } from './export-defaults.ts'
import { ebayColumns, ebayInfo, ebayRules, findEbayProblems } from './ebay.ts'
import { findGoogleProblems, googleColumns, googleRules } from './google.ts'
import type { Market, Product } from './product.ts'
import { type RowProblem, rowProblems, type ShopRules } from './shop-rules.ts'
import { shopifyColumns, shopifyImageRows, shopifyRules } from './shopify.ts'
import { vintedColumns, vintedRules } from './vinted.ts'
import { wooCommerceColumns, wooCommerceRules } from './woocommerce.ts'

/** Formats, fewest required fields first. */
export const shopFormats = ['vinted', 'woocommerce', 'shopify', 'ebay', 'google'] as const

export type ShopFormat = (typeof shopFormats)[number]

export interface Shop {
  readonly columns: readonly Column<Product>[]
  readonly rules: ShopRules
  readonly start: string
  readonly market: Required<Market>
  readonly sizeColumn: string
  /** Finds what the rules of single columns cannot tell. */
  readonly findProblems: (product: Product) => readonly RowProblem[]
}

export function productRows(format: ShopFormat, { columns }: Shop, product: Product): string {
  const more = format === 'shopify' ? shopifyImageRows(product) : []
  const rows = more.map((row) => writeUnguardedRow(columns.map(([name]) => valueOf(row, name) ?? '')))
  return shopRow(columns, product) + rows.join('')
}

const header = (columns: readonly Column<Product>[]) => writeUnguardedRow(columns.map(([name]) => name))

const shopify = { columns: shopifyColumns(), rules: shopifyRules, sizeColumn: 'Option1 value', findProblems: () => [] }
const google = { columns: googleColumns(), rules: googleRules, sizeColumn: 'size', findProblems: findGoogleProblems }

/** Returns the columns and rules of a format. Those of eBay depend on the site. */
export function shopOf(format: ShopFormat, { ebay_site: siteName, language }: ExportDefaults): Shop {
  if (format === 'shopify')
    return { ...shopify, start: header(shopify.columns), market: { language, maxTitleLength: 255 } }
  if (format === 'woocommerce' || format === 'vinted') {
    const columns = format === 'woocommerce' ? wooCommerceColumns(language) : vintedColumns(language)
    return {
      columns,
      rules: format === 'woocommerce' ? wooCommerceRules : vintedRules,
      start: header(columns),
      market: { language, maxTitleLength: 150 },
      sizeColumn: format === 'woocommerce' ? 'Attribute 1 value(s)' : 'Size',
      findProblems: () => [],
    }
  }
  if (format === 'google')
    return { ...google, start: header(google.columns), market: { language, maxTitleLength: 150 } }
  const site = ebaySites.find(({ name }) => name === siteName) ?? ebaySites[0]
  const columns = ebayColumns(site)
  const info = ebayInfo(site).map((row) => writeUnguardedRow(columns.map((_, index) => row[index] ?? '')))
  return {
    columns,
    rules: ebayRules,
    start: [...info, header(columns)].join(''),
    market: { language: site.language, maxTitleLength: 80 },
    sizeColumn: columns.find(([name]) => name.startsWith('C:') && name !== 'C:Brand')?.[0] ?? 'C:Size',
    findProblems: findEbayProblems(site),
  }
}

export function productProblems(shop: Shop, product: Product): RowProblem[] {
  const { columns, rules, findProblems } = shop
  const row = Object.fromEntries(columns.map(([name, valueOf]) => [name, valueOf(product)]))
  const more = rules === shopifyRules ? shopifyImageRows(product) : []
  const found = [row, ...more.map((image) => ({ ...row, ...image }))].flatMap((each) => rowProblems(columns, each))
  return [
    ...skuProblems(product),
    ...sizeProblems(shop, product),
    ...findProblems(product),
    ...found,
    ...languageProblems(shop, product),
  ].filter(({ column }, at, all) => all.findIndex((other) => other.column === column) === at)
}

/** A seller's SKU in the form of another garment's stock number, under which a later import would find that garment. */
function skuProblems({ sku, garment }: Product): RowProblem[] {
  const number = readNumber(sku)
  if (number === undefined || number === garment.number) return []
  return [{ column: 'SKU', problem: `is “${sku}”, the stock number of another garment`, isRefused: true }]
}

/** A size in words that are none. */
const sizeProblems = ({ sizeColumn, rules }: Shop, { size, sizeWords }: Product): RowProblem[] =>
  sizeWords === '' || size !== null
    ? []
    : [
        {
          column: sizeColumn,
          problem: `is left out, because “${sizeWords}” is no size`,
          isRefused: rules === googleRules,
        },
      ]

/** The seller's own title or description, in another language than the market's. */
const languageProblems = ({ market, columns }: Shop, { listing }: Product): RowProblem[] =>
  (
    [
      ['title', listing.title],
      ['description', listing.lead],
    ] as const
  ).flatMap(([name, text]) => {
    const language = detectLanguage(text)
    const column = columns.find(([each]) => each.toLowerCase() === name)?.[0]
    if (column === undefined || language === undefined || language === market.language) return []
    const problem = `seems to be in ${languageNames[language]}, but the file is in ${languageNames[market.language]}`
    return [{ column, problem, isRefused: false }]
  })
