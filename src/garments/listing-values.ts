import { sql, type SQL } from 'drizzle-orm'
import { readWearer } from '../vision/attributes/wearer.ts'
import type { Attribute, Child } from '../vision/tagging.ts'
import { toIso } from '../time.ts'

/** Maps each value of a listing to the attributes that may hold it. The first attribute with a value counts. */
export const listingNames = {
  title: ['Title'],
  description: ['Description'],
  omits: ['Description omits'],
  brand: ['Brand'],
  size: ['Size', 'Size label'],
  condition: ['Condition'],
  stage: ['Stage'],
  soldPrice: ['Sold price'],
  soldCurrency: ['Sold currency'],
  soldAt: ['Sold at', 'Sold date'],
  soldChannel: ['Sold channel'],
  price: ['Price'],
  currency: ['Currency'],
  sku: ['SKU', 'Article number'],
  stock: ['Stock', 'Quantity'],
  availability: ['Availability'],
  barcode: ['Barcode', 'GTIN', 'EAN', 'UPC'],
  mpn: ['MPN'],
  shelf: ['Shelf', 'Location'],
  link: ['Link', 'URL'],
  ageGroup: ['Age group'],
  ebayCategory: ['eBay category'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Blocks of a generated description, which a garment or the tenant's defaults can omit. */
export const descriptionBlocks = ['size', 'material', 'measurements'] as const

export type DescriptionBlock = (typeof descriptionBlocks)[number]

/** Formats the blocks that a garment's description omits. `nothing` keeps all blocks, whatever the defaults omit. */
export const formatOmitted = (blocks: readonly DescriptionBlock[]): string => blocks.join(', ') || 'nothing'

/** Parses blocks such as `size, material`, or `nothing`. Returns undefined for other text. */
export function parseOmitted(text: string): readonly DescriptionBlock[] | undefined {
  const names = text.toLowerCase().split(/[\s,;]+/)
  if (names.length === 1 && names[0] === 'nothing') return []
  const known = (name: string) => descriptionBlocks.some((block) => block === name)
  return names.every(known) ? descriptionBlocks.filter((block) => names.includes(block)) : undefined
}

/** Folds case, spaces, `-` and `_`, to compare attribute names. */
export const plainKey = (key: string) => key.toLowerCase().replaceAll(/[\s_-]/g, '')

/** Does in SQL what `plainKey` does to keys whose only white space is the space. */
export const plainKeyOf = (key: SQL): SQL => sql`replace(replace(replace(lower(${key}), ' ', ''), '_', ''), '-', '')`

const hasName = (name: string, names: readonly string[]) => names.some((each) => plainKey(each) === plainKey(name))

/** Returns the first value under one of these names, trimmed, or an empty string. */
export function readListingValue(attribute: Readonly<Record<string, string>>, names: readonly string[]): string {
  const values = new Map(Object.entries(attribute).map(([key, value]) => [plainKey(key), value.trim()]))
  return names.map((name) => values.get(plainKey(name)) ?? '').find((value) => value !== '') ?? ''
}

const symbols: Readonly<Record<string, string>> = { '€': 'EUR', EURO: 'EUR', EUROS: 'EUR', $: 'USD', '£': 'GBP' }

/** Returns the ISO 4217 code for text such as `eur`, `€` or `Euro`; undefined for other text. */
function parseCurrency(text: string): string | undefined {
  const code = symbols[text.toUpperCase()] ?? text.toUpperCase()
  return Intl.supportedValuesOf('currency').includes(code) ? code : undefined
}

/**
 * Parses a price such as `12.5`, `12,50 €`, `EUR 1.299,00` or `1,299`, with its currency. The last point or comma
 * starts the decimals if one or two digits follow. Returns undefined for other text.
 */
function parsePrice(text: string): { readonly amount: string; readonly currency: string | undefined } | undefined {
  const [, before = '', digits = '', after = ''] =
    /^([^\d\s.,-]*)\s*([\d.,\s']+?)(?:[.,]-+)?\s*([^\d\s.,-]*)$/.exec(text) ?? []
  const named = before + after
  const currency = parseCurrency(named)
  const [, whole = '', point = '', decimals = ''] =
    /^(\d[\d.,]*?)(?:([.,])(\d{1,2}))?$/.exec(digits.replaceAll(/[\s']/g, '')) ?? []
  const isGrouped = /^\d{1,3}(?:[.,]\d{3})*$/.test(whole) || /^\d+$/.test(whole)
  // No country uses one sign for both thousands and decimals.
  if (!isGrouped || (point !== '' && whole.includes(point)) || whole.length > 12) return undefined
  if (named !== '' && currency === undefined) return undefined
  return { amount: `${Number(whole.replaceAll(/[.,]/g, ''))}.${decimals.padEnd(2, '0')}`, currency }
}

const maxSizeLength = 100

/** Sizes such as `10-12` and `4/6` that a spreadsheet has turned into dates: `10. Dez`, `Oct-12`, `04.06.2026`. */
const dates =
  /^(?=.*\d)(\d{1,4}[-./ ]+)?(jan|gen|ene|feb|fev|mar|apr|avr|abr|mai|may|mag|jun|juin|giu|jul|juil|lug|aug|aou|ago|sep|set|okt|oct|ott|nov|dez|dec|dic)[a-z]*[-./ ]*\d*$|^\d{1,4}[-./]\d{1,2}[-./]\d{2,4}$/

function parseSize(text: string): string | undefined {
  const size = text.replaceAll(/\s+/g, ' ').replace(/^(\d+),(5)$/, '$1.$2')
  const isSize = /[\p{L}\p{N}]/u.test(size) && !size.startsWith('-') && size.length <= maxSizeLength
  return isSize && !dates.test(plainText(size)) ? size : undefined
}

export const stages = ['draft', 'ready', 'listed', 'sold', 'withdrawn'] as const

export type Stage = (typeof stages)[number]

const parseStage = (text: string) => stages.find((stage) => stage === text.toLowerCase())

export const stageOf = (attribute: Readonly<Record<string, string>>): Stage =>
  parseStage(readListingValue(attribute, listingNames.stage)) ?? 'draft'

/** The sale of a garment in the stage `sold`. Unknown values are empty. */
export interface Sale {
  readonly price: string
  readonly currency: string
  readonly at: string
  /** Where it was sold, such as `eBay`. */
  readonly channel: string
}

/** Returns null unless the stage is `sold`. Price and currency default to the listing's, the time to the upload's. */
export function saleOf(attribute: Attribute, createdAtMs: number): Sale | null {
  if (stageOf(attribute) !== 'sold') return null
  return {
    price: readListingValue(attribute, listingNames.soldPrice) || readListingValue(attribute, listingNames.price),
    currency:
      readListingValue(attribute, listingNames.soldCurrency) || readListingValue(attribute, listingNames.currency),
    at: readListingValue(attribute, listingNames.soldAt) || toIso(createdAtMs),
    channel: readListingValue(attribute, listingNames.soldChannel),
  }
}

export const saleNames = {
  price: listingNames.soldPrice,
  currency: listingNames.soldCurrency,
  at: listingNames.soldAt,
  channel: listingNames.soldChannel,
} as const satisfies Readonly<Record<keyof Sale, readonly string[]>>

const isSaleName = (name: string) => hasName(name, Object.values(saleNames).flat())

/** Stores the sale when a garment becomes sold, so that later changes of the listing do not affect it. */
export function updateSale(before: Attribute, after: Attribute, nowMs: number): Attribute {
  const wasSold = stageOf(before) === 'sold'
  const sale = saleOf(after, nowMs)
  if (sale !== null && !wasSold) {
    const others = Object.entries(after).filter(([name]) => !isSaleName(name))
    const values = Object.entries(sale).map(([key, value]) => [saleNames[key as keyof Sale][0], value] as const)
    return Object.fromEntries([...others, ...values.filter(([, value]) => value !== '')])
  }
  if (sale === null && wasSold) return Object.fromEntries(Object.entries(after).filter(([name]) => !isSaleName(name)))
  return after
}

/** Returns the sale attributes of a patch, if the garment is not in the stage `sold`. */
export const misplacedSale = (attribute: Attribute, patch: Readonly<Record<string, string | null>>): string[] =>
  stageOf(attribute) === 'sold' ? [] : Object.keys(patch).filter((name) => isSaleName(name) && patch[name])

/** Parses a date such as `2026-11-29`, with or without a time, to ISO 8601 in UTC. Returns undefined for other text. */
function parseTime(text: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/.test(text))
    return undefined
  const hasZone = /Z$|[T ].*[+-]\d{2}:?\d{2}$/.test(text)
  const ms = Date.parse(text.length === 10 || hasZone ? text : `${text}Z`)
  return Number.isNaN(ms) ? undefined : toIso(ms)
}

/** Parses a whole number, also written `3,0` by a spreadsheet. */
const parseStock = (text: string) => (/^\d{1,6}(?:[.,]0+)?$/.test(text) ? String(Number.parseInt(text, 10)) : undefined)

const plainText = (text: string) =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .trim()

interface Parsed<T> {
  readonly values: Readonly<Record<string, T>>
  /** Maps names to problems, such as `must be a whole number`. */
  readonly problems: ReadonlyMap<string, string>
}

/**
 * Parses prices, currencies, sizes, conditions, stages, blocks, stock and times of sale to their stored form. A price
 * that names a currency also sets the currency. Empty values and null stay unchanged.
 * @param spelled the garment's spelling of the name `Currency`
 */
export function parseListingValues<T extends string | null>(
  given: Readonly<Record<string, T>>,
  spelled = 'Currency',
): Parsed<T | string> {
  const values = new Map<string, T | string>(Object.entries(given))
  const problems = new Map<string, string>()
  for (const [name, value] of Object.entries(given)) {
    const text = value?.trim() ?? ''
    if (text === '') continue
    const set = (parsed: string | undefined, problem: string) =>
      parsed === undefined ? problems.set(name, problem) : values.set(name, parsed)
    if (hasName(name, [...listingNames.currency, ...listingNames.soldCurrency]))
      set(parseCurrency(text), 'must be a code of three letters, such as EUR')
    if (hasName(name, listingNames.size))
      set(
        parseSize(text),
        `must be a size of at most ${maxSizeLength} characters, such as M or 38; of one that looks like a date, ` +
          'spreadsheets make a date',
      )
    if (hasName(name, listingNames.condition)) set(readCondition(text), `must be one of ${conditions.join(', ')}`)
    if (hasName(name, listingNames.stage)) set(parseStage(text), `must be one of ${stages.join(', ')}`)
    if (hasName(name, listingNames.omits)) {
      const blocks = parseOmitted(text)
      set(blocks && formatOmitted(blocks), `must be “nothing”, or some of ${descriptionBlocks.join(', ')}`)
    }
    if (hasName(name, listingNames.stock)) set(parseStock(text), 'must be a whole number, such as 1')
    if (hasName(name, listingNames.soldAt))
      set(parseTime(text), 'must be a date such as 2026-11-29 or 2026-11-29T10:30:00Z')
    if (hasName(name, [...listingNames.price, ...listingNames.soldPrice]))
      set(parsePrice(text)?.amount, 'must be an amount, such as 12.50 or 12,50 €')
  }
  for (const [name, value] of Object.entries(given)) {
    const isSold = hasName(name, listingNames.soldPrice)
    if (!isSold && !hasName(name, listingNames.price)) continue
    const currency = parsePrice(value?.trim() ?? '')?.currency
    if (currency === undefined) continue
    const names = isSold ? listingNames.soldCurrency : listingNames.currency
    const key = [...values.keys()].find((each) => hasName(each, names)) ?? (isSold ? names[0] : spelled)
    if (values.get(key) && values.get(key) !== currency)
      problems.set(name, `names ${currency}, but ${key} is ${values.get(key)}`)
    else values.set(key, currency)
  }
  return { values: Object.fromEntries(values), problems }
}

/** Smallest and largest body height in cm that is used as a children's size. */
const [minHeight, maxHeight] = [50, 176]

/** Heights in cm at 7 years and at 9 months, for children whose size is unknown. */
const usualHeights = { child: 122, baby: 74 }

/**
 * Returns the child that a garment is for, from its gender and size, or undefined for adults. Sizes are body heights
 * (`128`, `122/128`), years (`7-8 years`) or months (`18 M`). A body height takes precedence.
 */
export function readChild(attribute: Readonly<Record<string, string>>): Child | undefined {
  const wearer = readWearer(attribute['Gender'] ?? '')
  if (wearer !== 'boys' && wearer !== 'girls' && wearer !== 'children' && wearer !== 'babies') return undefined
  const height = readHeight(attribute['Size'] ?? '')
  if (height !== undefined) return { height, isSized: true }
  return { height: wearer === 'babies' ? usualHeights.baby : usualHeights.child, isSized: false }
}

function readHeight(size: string): number | undefined {
  const numbers = (size.match(/\d+/g) ?? []).map(Number)
  const height = meanOf(numbers.filter((number) => number >= minHeight && number <= maxHeight))
  if (height !== undefined) return height
  const value = meanOf(numbers)
  if (value === undefined) return undefined
  if (/\d\s*(m|mo|mth|mths|months?|mois|monate?|mesi|meses)\b/i.test(size))
    return value <= 24 ? heightAt(value) : undefined
  if (/\d\s*(y|yr|yrs|years?|ans?|jahre?|anni|anos|años|t)\b/i.test(size))
    return value <= 16 ? heightAt(value * 12) : undefined
  return undefined
}

/** Returns the number, or the mean of two numbers. */
function meanOf([from, to = from, ...others]: readonly number[]): number | undefined {
  return from === undefined || to === undefined || others.length > 0 ? undefined : (from + to) / 2
}

/** Sizes step by 6 cm: every three months in the first year, every six in the second, then every year. */
function heightAt(months: number): number {
  if (months <= 12) return 56 + 2 * months
  return months <= 24 ? 68 + months : Math.min(maxHeight, 80 + months / 2)
}

/** Conditions from best to worst. `used` stands for an unknown condition. */
export const conditions = [
  'new with tags',
  'new without tags',
  'new with defects',
  'refurbished',
  'excellent',
  'good',
  'fair',
  'used',
] as const

export type Condition = (typeof conditions)[number]

/** Matches clients' words, in lower case and without accents. The first matching pattern decides. */
const patterns: readonly (readonly [RegExp, Condition])[] = [
  [/^(nwt|new|neu|neuf|neuve|nuevo|nueva|nuovo|nuova|brand new|neuware)$/, 'new with tags'],
  [
    /(new|neu|neuf|neuve|nuev[oa]|nuov[oa]).*(defect|imperfection|fehler|mangel|defaut|difett|defecto)/,
    'new with defects',
  ],
  [/^nwot$|(new|neu|neuf|neuve|nuev[oa]|nuov[oa]).*(without|no tag|ohne|sans|sin|senza)/, 'new without tags'],
  [/(new|neu|neuf|neuve|nuev[oa]|nuov[oa]).*(tag|etikett|etiquet|cartellin|box|karton)/, 'new with tags'],
  [/refurbished|aufgearbeitet|reconditionne|reacondicionad|ricondizionat/, 'refurbished'],
  [
    /excellent|very good|like new|as new|mint|sehr gut|wie neu|neuwertig|tres bon|comme neuf|muy buen|como nuev|ottim|come nuov/,
    'excellent',
  ],
  [
    /fair|acceptable|poor|worn|akzeptabel|getragen|stark gebraucht|correct|satisfaisant|aceptable|discret|accettabil/,
    'fair',
  ],
  [/good|gut|bon|bueno|buen|buon/, 'good'],
  [/used|pre-?owned|pre-?loved|second|segunda|vintage|gebraucht|occasion|usad|usat/, 'used'],
]

export function readCondition(text: string): Condition | undefined {
  const plain = plainText(text)
  return conditions.find((condition) => condition === plain) ?? patterns.find(([pattern]) => pattern.test(plain))?.[1]
}
