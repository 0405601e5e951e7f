import { type ClassProbabilities, rank, type Ranked, toEntries } from '../rank.ts'
import type { Attribute, Tag } from '../tagging.ts'
import { itemOf, type ItemType } from '../taxonomy/item-types.ts'
import { attributes, type CatalogueEntry, type Evidence, isRanked, type RankedEntry } from './attribute-catalogue.ts'
import { spoken, withArticle } from './phrases.ts'

export const suppliedValue = (attribute: Attribute, name: string) => attribute[name]?.trim() || undefined

export function buildTag(
  ranked: Readonly<Record<string, Ranked>>,
  { attribute, colour, heads, itemType }: Evidence,
): Tag {
  const tag: Record<string, string | readonly string[]> = {}
  for (const entry of attributes) {
    if (isRanked(entry)) {
      Object.assign(tag, toEntries(entry.name, ranked[entry.name] ?? []))
      continue
    }
    const { name, source } = entry
    const supplied = source.client === true ? suppliedValue(attribute, name) : undefined
    const item = itemOf(itemType)
    const value = supplied ?? source.itemType?.(item) ?? source.picture?.(colour) ?? source.types?.(item, heads.type)
    if (value !== undefined) tag[name] = value
  }
  return tag
}

/** Describes the garment in one or two sentences. Values of Low confidence are omitted. */
export function describeGarment(itemType: ItemType, tag: Tag): string {
  const { plural } = itemOf(itemType)
  const phrases = (place: string) =>
    attributes.flatMap((entry) => (entry.phrase?.[0] === place ? phraseOf(entry, tag) : []))
  const thing = [...phrases('before'), spoken(itemType), ...phrases('after'), ...phrases('end')].join(' ')
  const first = capitalise(plural === true ? thing : withArticle(thing))
  const details = phrases('detail')
  if (details.length === 0) return `${first}.`
  return `${first}. ${plural === true ? 'They have' : 'It has'} ${list(details)}.`
}

function phraseOf(entry: CatalogueEntry, tag: Tag): string[] {
  const value = tag[entry.name]
  if (typeof value !== 'string') return []
  const isGuess = isRanked(entry) && entry.isAlwaysDescribed !== true && tag[`${entry.name} Confidence`] === 'Low'
  const words = isGuess ? undefined : entry.phrase?.[1](value)
  return words === undefined ? [] : [words]
}

function list(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Ranks the values of each attribute that has a confidence. The list is empty if the attribute does not apply. */
export function rankAttributes(evidence: Evidence): Record<string, Ranked> {
  return Object.fromEntries(attributes.filter(isRanked).map((entry) => [entry.name, rankEntry(entry, evidence)]))
}

export const rankEntry = (entry: RankedEntry, evidence: Evidence): Ranked =>
  entry.rank?.(evidence) ?? rankHead(entry, evidence)

function rankHead(entry: RankedEntry, { heads, itemType }: Evidence): Ranked {
  const classes = heads[entry.head ?? '']
  if (classes === undefined) throw new Error(`${entry.name} is read from the head ${entry.head}, which does not exist`)
  const values = typeof entry.values === 'function' ? entry.values(itemOf(itemType)) : entry.values
  return typeof values === 'string' ? [] : rankClasses(classes, values)
}

export function rankClasses<T extends string>(classes: ClassProbabilities, values: readonly T[]): Ranked<T> {
  const probabilities = new Map(classes)
  return rank(
    values.flatMap((value) => (probabilities.has(value) ? [[value, probabilities.get(value)!] as const] : [])),
  )
}
