import { type Language, type ListedAttribute, type ListingWords, listingWords } from './listing-words.ts'
import { lineName } from '../corrections/allowed-values.ts'
import { readWearer, type Wearer } from '../../vision/attributes/wearer.ts'
import { isItemType, itemOf } from '../../vision/taxonomy/item-types.ts'

/** A garment's data as returned by the query, and as sent by the client. */
export interface ListingFacts {
  readonly tag: Readonly<Record<string, string | readonly string[]>>
  /** `Chest (cm)` to centimetres. */
  readonly measurements: Readonly<Record<string, number>>
  /** Whether the centimetres are estimated from usual sizes. */
  readonly isEstimated: boolean
  /** The client's own words; empty if it gave none. */
  readonly own: {
    readonly title: string
    readonly description: string
    readonly brand: string
    readonly size: string
    readonly condition: string
    /** The wearer, if neither the client nor the item type says so. */
    readonly wearer?: Wearer | undefined
  }
}

/** What customers read of a garment. */
export interface Listing {
  readonly title: string
  /** A sentence or two. */
  readonly lead: string
  readonly facts: readonly (readonly [label: string, value: string])[]
  /** Null without measurements. */
  readonly measurements: {
    readonly label: string
    readonly values: readonly (readonly [name: string, length: string])[]
  } | null
  /** Between a label and its value, with the spaces around it. */
  readonly colon: string
}

/** The attributes that the lead's second sentence lists. */
const details = ['Neckline', 'Sleeve', 'Closure', 'Fit'] as const satisfies readonly ListedAttribute[]

/** Writes a garment's listing. The client's own title and description stand in place of ours. */
export function writeListing(facts: ListingFacts, language: Language): Listing {
  const words = listingWords[language]
  const { own } = facts
  const parts = titleParts(facts, words)
  const title =
    own.title || capitalise([words.title(parts), own.size && words.size(own.size)].filter(Boolean).join(', '))
  const listed = details.map((name) => wordOf(facts, words, name)).filter((word) => word !== '')
  const sentences = [words.sentence(parts), listed.join(', ')].filter((sentence) => sentence !== '')
  const { labels } = words
  const material = textOf(facts, 'Material')
  const values: [string, string][] = [
    [labels.size, own.size],
    material === '' ? [labels.fabric, wordOf(facts, words, 'Fabric Type')] : [labels.material, material],
    [labels.condition, lookUp(words.conditions, own.condition)],
  ]
  return {
    title,
    lead: own.description || sentences.map((sentence) => `${capitalise(sentence)}.`).join(' '),
    facts: values.filter(([, value]) => value !== ''),
    measurements: measurementsOf(facts, words),
    colon: words.colon,
  }
}

function titleParts(facts: ListingFacts, words: ListingWords) {
  const itemType = textOf(facts, 'Item Type')
  const wearer = readWearer(textOf(facts, 'Gender')) ?? facts.own.wearer
  return {
    brand: facts.own.brand,
    // A type that the taxonomy does not know is written unchanged.
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

/** The word for a value; empty for a mere guess (confidence Low). */
function wordOf(facts: ListingFacts, words: ListingWords, name: ListedAttribute): string {
  const isGuess = facts.tag[`${name} Confidence`] === 'Low'
  return isGuess ? '' : lookUp(words.values[name], textOf(facts, name))
}

/** Empty for a key that the table does not have. */
const lookUp = (table: Readonly<Record<string, string>>, key: string): string =>
  Object.hasOwn(table, key) ? (table[key] ?? '') : ''

function measurementsOf(
  { measurements, isEstimated, tag }: ListingFacts,
  words: ListingWords,
): Listing['measurements'] {
  const values = Object.entries(measurements).flatMap(([key, cm]) => {
    const line = lineName(key)
    const name = line === 'Cuff' && !hasCuff(tag) ? words.labels.sleeveOpening : lookUp(words.measurements, line)
    return name === '' ? [] : [[name, `${String(cm).replace('.', words.decimalPoint)} cm`] as const]
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

/** A sleeve that ends above the wrist has an opening, and so has one that nobody knows of a T-shirt or polo shirt. */
const hasCuff = ({ Sleeve: sleeve, 'Item Type': itemType }: ListingFacts['tag']): boolean =>
  sleeve === undefined ? itemType !== 'T-Shirt' && itemType !== 'Polo Shirt' : sleeve === 'Long'

const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** A listing as plain text, in lines. */
export function toText({ lead, facts, measurements, colon }: Listing): string {
  const lines = facts.map(([label, value]) => `${label}${colon}${value}`)
  const lengths = measurements?.values.map(([name, length]) => `${name}${colon}${length}`) ?? []
  const blocks = [[lead], lines, measurements === null ? [] : [`${measurements.label}${colon.trimEnd()}`, ...lengths]]
  return blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')
}

/** A listing as HTML of paragraphs and a list. */
export function toHtml({ lead, facts, measurements, colon }: Listing): string {
  const lines = facts.map(([label, value]) => escapeHtml(`${label}${colon}${value}`))
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
