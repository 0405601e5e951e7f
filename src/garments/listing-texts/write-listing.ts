import { cutText } from './cut-text.ts'
import { type Language, type ListedAttribute, type ListingWords, listingWords, mainFibre } from './listing-words.ts'
import type { ParsedSize } from '../sizes/size-rules.ts'
import { fittingLetters } from '../sizes/fit-note.ts'
import { sizeText } from '../sizes/size-text.ts'
import { lineName } from '../corrections/allowed-values.ts'
import type { DescriptionBlock } from '../listing-values.ts'
import { readWearer, type Wearer } from '../../vision/attributes/wearer.ts'
import { isItemType, itemOf } from '../../vision/taxonomy/item-types.ts'

export interface ListingFacts {
  readonly tag: Readonly<Record<string, string | readonly string[]>>
  /** Centimetres by name, such as `Chest (cm)`. */
  readonly measurements: Readonly<Record<string, number>>
  /** True if the centimetres are estimated from usual sizes. */
  readonly isEstimated: boolean
  /** The client's own words; empty if missing. */
  readonly own: {
    readonly title: string
    readonly description: string
    readonly brand: string
    readonly size: ParsedSize | null
    readonly condition: string
    /** The wearer to assume if neither the client nor the item type names one. */
    readonly wearer?: Wearer | undefined
  }
}

export interface Listing {
  readonly title: string
  /** One or two generated sentences, or the client's whole description. */
  readonly lead: string
  readonly facts: readonly (readonly [label: string, value: string])[]
  /** Says which letter sizes the garment fits, from true centimetres; empty if they are unknown. */
  readonly fit: string
  /** Null if there are none, or if the description is the client's. */
  readonly measurements: {
    readonly label: string
    readonly values: readonly (readonly [name: string, length: string])[]
  } | null
  /** Separates a label from its value, including spaces. */
  readonly colon: string
}

const details = ['Neckline', 'Sleeve', 'Closure', 'Fit'] as const satisfies readonly ListedAttribute[]

/** The attributes that a title lists after its start, most distinguishing first. */
const titleDetails = [
  'Fabric Type',
  'Neckline',
  'Closure',
  'Fit',
  'Sleeve',
] as const satisfies readonly ListedAttribute[]

/** eBay's maximum, also used for listings outside of any market. */
const usualTitleLength = 80

export interface ListingOptions {
  readonly maxTitleLength?: number
  readonly without?: readonly DescriptionBlock[]
}

/**
 * Writes a garment's title of at most `maxLength` characters from brand, wearer, type, pattern, colour, as many details
 * as fit, and size. The client's own title replaces it.
 */
export function writeTitle(facts: ListingFacts, language: Language, maxLength: number): string {
  const words = listingWords[language]
  const { own } = facts
  if (own.title !== '') return cutText(own.title, maxLength)
  const start = capitalise(words.title(titleParts(facts, words)))
  const size = sizeInTitle(own.size, language)
  const condition = own.condition.startsWith('new') ? lookUp(words.conditions, own.condition) : ''
  const fibre = mainFibre(textOf(facts, 'Material'), language)
  const details = titleDetails.map((name) =>
    name === 'Fabric Type' && fibre !== '' ? fibre : wordOf(facts, words, name),
  )
  const join = (parts: readonly string[]) => parts.filter((part) => part !== '').join(', ')
  let listed: readonly string[] = []
  for (const detail of [...details, condition]) {
    const more = [...listed, detail]
    if (detail !== '' && join([start, ...more, size]).length <= maxLength) listed = more
  }
  return cutText(join([start, ...listed, size]), maxLength)
}

/** Writes a garment's listing. The client's title and description replace the generated ones unchanged. */
export function writeListing(
  facts: ListingFacts,
  language: Language,
  { maxTitleLength = usualTitleLength, without = [] }: ListingOptions = {},
): Listing {
  const words = listingWords[language]
  const { own } = facts
  const parts = titleParts(facts, words)
  const title = writeTitle(facts, language, maxTitleLength)
  if (own.description !== '')
    return { title, lead: own.description, facts: [], fit: '', measurements: null, colon: words.colon }
  const listed = details.map((name) => wordOf(facts, words, name)).filter((word) => word !== '')
  const sentences = [words.sentence(parts), listed.join(', ')].filter((sentence) => sentence !== '')
  const { labels } = words
  const material = textOf(facts, 'Material')
  const values: [string, string][] = [
    [labels.size, without.includes('size') || own.size === null ? '' : sizeText(own.size, language)],
    material === ''
      ? [labels.fabric, without.includes('material') ? '' : wordOf(facts, words, 'Fabric Type')]
      : [labels.material, without.includes('material') ? '' : material],
    [labels.condition, lookUp(words.conditions, own.condition)],
  ]
  return {
    title,
    lead: sentences.map((sentence) => `${capitalise(sentence)}.`).join(' '),
    facts: values.filter(([, value]) => value !== ''),
    fit: without.includes('size') ? '' : fitNote(facts, words),
    measurements: without.includes('measurements') ? null : measurementsOf(facts, words),
    colon: words.colon,
  }
}

function sizeInTitle(size: ParsedSize | null, language: Language): string {
  if (size === null) return ''
  const text = sizeText(size, language)
  return size.system === 'one_size' ? text : listingWords[language].size(text)
}

function titleParts(facts: ListingFacts, words: ListingWords) {
  const itemType = textOf(facts, 'Item Type')
  const wearer = readWearer(textOf(facts, 'Gender')) ?? facts.own.wearer
  return {
    brand: facts.own.brand,
    // Keeps an item type that the taxonomy does not know.
    itemType: isItemType(itemType) ? words.itemTypes[itemType] : itemType,
    wearer: wearer === undefined ? '' : words.wearers[wearer],
    pattern: wordOf(facts, words, 'Pattern'),
    colour: wordOf(facts, words, 'Colour'),
  }
}

const textOf = ({ tag }: ListingFacts, name: string): string => {
  const value = tag[name]
  return typeof value === 'string' ? value.trim() : ''
}

/** Returns the word for a value; empty for confidence Low. */
function wordOf(facts: ListingFacts, words: ListingWords, name: ListedAttribute): string {
  const isGuess = facts.tag[`${name} Confidence`] === 'Low'
  return isGuess ? '' : lookUp(words.values[name], textOf(facts, name))
}

/** Returns the table's word; empty if the table lacks the key. */
const lookUp = (table: Readonly<Record<string, string>>, key: string): string =>
  Object.hasOwn(table, key) ? (table[key] ?? '') : ''

function fitNote(facts: ListingFacts, words: ListingWords): string {
  const chestCm = facts.measurements['Chest (cm)']
  if (chestCm === undefined || facts.isEstimated) return ''
  const isKnownFit = facts.tag['Fit Confidence'] !== 'Low'
  const letters = fittingLetters({
    chestCm,
    itemType: textOf(facts, 'Item Type'),
    fit: isKnownFit ? textOf(facts, 'Fit') : '',
    wearer: readWearer(textOf(facts, 'Gender')) ?? facts.own.wearer,
  })
  return letters === undefined ? '' : words.fits(letters, formatCm(chestCm, words))
}

const formatCm = (cm: number, { decimalPoint }: ListingWords) => `${String(cm).replace('.', decimalPoint)} cm`

function measurementsOf(
  { measurements, isEstimated, tag }: ListingFacts,
  words: ListingWords,
): Listing['measurements'] {
  const values = Object.entries(measurements).flatMap(([key, cm]) => {
    const line = lineName(key)
    const name = line === 'Cuff' && !hasCuff(tag) ? words.labels.sleeveOpening : lookUp(words.measurements, line)
    return name === '' ? [] : [[name, formatCm(cm, words)] as const]
  })
  if (values.length === 0) return null
  const itemType = tag['Item Type']
  const isClothing = typeof itemType === 'string' && isItemType(itemType) && itemOf(itemType).category === 'Clothing'
  const { labels } = words
  const label = isClothing
    ? isEstimated
      ? labels.flatEstimated
      : labels.flat
    : isEstimated
      ? labels.estimated
      : labels.measurements
  return { label, values }
}

/** Only long sleeves have cuffs. Without a known length, sleeves of T-shirts and polo shirts count as short. */
const hasCuff = ({ Sleeve: sleeve, 'Item Type': itemType }: ListingFacts['tag']): boolean =>
  sleeve === undefined ? itemType !== 'T-Shirt' && itemType !== 'Polo Shirt' : sleeve === 'Long'

const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const factLines = ({ facts, fit, colon }: Pick<Listing, 'facts' | 'fit' | 'colon'>): string[] => [
  ...facts.map(([label, value]) => `${label}${colon}${value}`),
  ...(fit === '' ? [] : [fit]),
]

/** Formats a listing as plain text. */
export function toText({ measurements, colon, ...listing }: Listing): string {
  const lines = factLines({ ...listing, colon })
  const lengths = measurements?.values.map(([name, length]) => `${name}${colon}${length}`) ?? []
  const blocks = [
    [listing.lead],
    lines,
    measurements === null ? [] : [`${measurements.label}${colon.trimEnd()}`, ...lengths],
  ]
  return blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')
}

/** Formats a listing as HTML paragraphs and a list. */
export function toHtml({ lead, measurements, colon, ...others }: Listing): string {
  const lines = factLines({ ...others, colon }).map(escapeHtml)
  const lengths =
    measurements?.values.map(([name, length]) => `<li>${escapeHtml(`${name}${colon}${length}`)}</li>`) ?? []
  return [
    ...lead.split(/\n+/).map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    lines.length === 0 ? '' : `<p>${lines.join('<br>')}</p>`,
    measurements === null
      ? ''
      : `<p>${escapeHtml(measurements.label)}${colon.trimEnd()}</p><ul>${lengths.join('')}</ul>`,
  ].join('')
}

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
