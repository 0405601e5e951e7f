import { readWearer } from '../vision/attributes/wearer.ts'
import type { Child } from '../vision/tagging.ts'

/**
 * The client's own values of a garment beyond its tags, by the names of the attributes that can hold them. Names are
 * compared as by `plainKey`. The first name that has a value counts.
 */
export const ownNames = {
  title: ['Title'],
  description: ['Description'],
  brand: ['Brand'],
  size: ['Size', 'Size label'],
  condition: ['Condition'],
  stage: ['Stage'],
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

/** The spelling in which the names of a client's attributes are compared: lower case, without spaces, `-` and `_`. */
export const plainKey = (key: string) => key.toLowerCase().replaceAll(/[\s_-]/g, '')

/** The value that an upload's `attribute` has under one of the names, trimmed; empty if it has none. */
export function readOwn(attribute: Readonly<Record<string, string>>, names: readonly string[]): string {
  const values = new Map(Object.entries(attribute).map(([key, value]) => [plainKey(key), value.trim()]))
  return names.map((name) => values.get(plainKey(name)) ?? '').find((value) => value !== '') ?? ''
}

const symbols: Readonly<Record<string, string>> = { '€': 'EUR', EURO: 'EUR', EUROS: 'EUR', $: 'USD', '£': 'GBP' }

/** `eur`, `€` or `Euro` as an ISO 4217 code; undefined for anything else. */
function parseCurrency(text: string): string | undefined {
  const code = symbols[text.toUpperCase()] ?? text.toUpperCase()
  return Intl.supportedValuesOf('currency').includes(code) ? code : undefined
}

/**
 * Reads a price such as `12.5`, `12,50 €`, `EUR 1.299,00` or `1,299`, with the currency that it names. The last point
 * or comma is the decimal one where one or two digits follow it. Undefined for anything else.
 */
function parsePrice(text: string): { readonly amount: string; readonly currency: string | undefined } | undefined {
  const [, before = '', digits = '', after = ''] =
    /^([^\d\s.,-]*)\s*([\d.,\s']+?)(?:[.,]-+)?\s*([^\d\s.,-]*)$/.exec(text) ?? []
  const named = before + after
  const currency = parseCurrency(named)
  const [, whole = '', point = '', decimals = ''] =
    /^(\d[\d.,]*?)(?:([.,])(\d{1,2}))?$/.exec(digits.replaceAll(/[\s']/g, '')) ?? []
  const isGrouped = /^\d{1,3}(?:[.,]\d{3})*$/.test(whole) || /^\d+$/.test(whole)
  // No country groups thousands and begins decimals with the same sign.
  if (!isGrouped || (point !== '' && whole.includes(point)) || whole.length > 12) return undefined
  if (named !== '' && currency === undefined) return undefined
  return { amount: `${Number(whole.replaceAll(/[.,]/g, ''))}.${decimals.padEnd(2, '0')}`, currency }
}

const maxSizeLength = 100

/** What spreadsheets make of sizes such as `10-12` and `4/6`: `10. Dez`, `Oct-12`, `04.06.2026`. */
const dates =
  /^(?=.*\d)(\d{1,4}[-./ ]+)?(jan|gen|ene|feb|fev|mar|apr|avr|abr|mai|may|mag|jun|juin|giu|jul|juil|lug|aug|aou|ago|sep|set|okt|oct|ott|nov|dez|dec|dic)[a-z]*[-./ ]*\d*$|^\d{1,4}[-./]\d{1,2}[-./]\d{2,4}$/

function parseSize(text: string): string | undefined {
  const size = text.replaceAll(/\s+/g, ' ').replace(/^(\d+),(5)$/, '$1.$2')
  const isSize = /[\p{L}\p{N}]/u.test(size) && !size.startsWith('-') && size.length <= maxSizeLength
  return isSize && !dates.test(plainText(size)) ? size : undefined
}

/** How far the sale of a garment is. */
export const stages = ['draft', 'ready', 'listed', 'sold', 'withdrawn'] as const

export type Stage = (typeof stages)[number]

const parseStage = (text: string) => stages.find((stage) => stage === text.toLowerCase())

/** A garment of which nobody has said a stage is a draft. */
export const stageOf = (attribute: Readonly<Record<string, string>>): Stage =>
  parseStage(readOwn(attribute, ownNames.stage)) ?? 'draft'

/** `3`, also where a spreadsheet wrote `3,0`. */
const parseStock = (text: string) => (/^\d{1,6}(?:[.,]0+)?$/.test(text) ? String(Number.parseInt(text, 10)) : undefined)

const plainText = (text: string) =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .trim()

interface Parsed<T> {
  readonly values: Readonly<Record<string, T>>
  /** By name: `must be a whole number`. */
  readonly problems: ReadonlyMap<string, string>
}

/**
 * The price, currency, size, condition and stock among a client's values, each in the one form in which it is stored.
 * A price that names a currency sets that, too. Empty values and null, which removes one, stay as they are.
 * @param spelled how the garment spells the name `Currency`
 */
export function parseOwn<T extends string | null>(
  given: Readonly<Record<string, T>>,
  spelled = 'Currency',
): Parsed<T | string> {
  const values = new Map<string, T | string>(Object.entries(given))
  const problems = new Map<string, string>()
  const has = (name: string, names: readonly string[]) => names.some((each) => plainKey(each) === plainKey(name))
  for (const [name, value] of Object.entries(given)) {
    const text = value?.trim() ?? ''
    if (text === '') continue
    const set = (parsed: string | undefined, problem: string) =>
      parsed === undefined ? problems.set(name, problem) : values.set(name, parsed)
    if (has(name, ownNames.currency)) set(parseCurrency(text), 'must be a code of three letters, such as EUR')
    if (has(name, ownNames.size))
      set(
        parseSize(text),
        `must be a size of at most ${maxSizeLength} characters, such as M or 38; of one that looks like a date, ` +
          'spreadsheets make a date',
      )
    if (has(name, ownNames.condition)) set(readCondition(text), `must be one of ${conditions.join(', ')}`)
    if (has(name, ownNames.stage)) set(parseStage(text), `must be one of ${stages.join(', ')}`)
    if (has(name, ownNames.stock)) set(parseStock(text), 'must be a whole number, such as 1')
    if (has(name, ownNames.price)) set(parsePrice(text)?.amount, 'must be an amount, such as 12.50 or 12,50 €')
  }
  for (const [name, value] of Object.entries(given)) {
    const currency = has(name, ownNames.price) ? parsePrice(value?.trim() ?? '')?.currency : undefined
    if (currency === undefined) continue
    const key = [...values.keys()].find((each) => has(each, ownNames.currency)) ?? spelled
    if (values.get(key) && values.get(key) !== currency)
      problems.set(name, `names ${currency}, but ${key} is ${values.get(key)}`)
    else values.set(key, currency)
  }
  return { values: Object.fromEntries(values), problems }
}

/** Body heights in cm that sizes for children are named after, from newborn to the last before adult sizes. */
const [minHeight, maxHeight] = [50, 176]

/** For children of unknown size: those at 7 years, and at 9 months. */
const usualHeights = { child: 122, baby: 74 }

/**
 * The child that a garment is for, by the words of a client for its gender and size; undefined where those do not speak
 * of one. Sizes are body heights (EN 13402: `128`, `122/128`), years (`7-8 years`) or months (`18 M`). Of several
 * systems (`110 (4-5Y)`) the body height counts.
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

/** The size that one number names, or two between which it lies. */
function meanOf([from, to = from, ...others]: readonly number[]): number | undefined {
  return from === undefined || to === undefined || others.length > 0 ? undefined : (from + to) / 2
}

/** Sizes step by 6 cm: every three months in the first year, twice in the second one, and then every year. */
function heightAt(months: number): number {
  if (months <= 12) return 56 + 2 * months
  return months <= 24 ? 68 + months : Math.min(maxHeight, 80 + months / 2)
}

/** The condition of a garment, from best to worst; `used` where nothing more is known. */
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

/** What clients write, in lower case and without accents. The first pattern that matches decides. */
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

/** Undefined for words that none of the languages has for a condition. */
export function readCondition(text: string): Condition | undefined {
  const plain = plainText(text)
  return conditions.find((condition) => condition === plain) ?? patterns.find(([pattern]) => pattern.test(plain))?.[1]
}
