import { valueOf } from '../../platform/value-of.ts'
import { z } from 'zod'
import { suppliedValue } from '../../vision/attributes/build-tag.ts'
import { attributes, isRanked } from '../../vision/attributes/attribute-catalogue.ts'
import type { Attribute } from '../../vision/tagging.ts'
import { isItemType, itemOf } from '../../vision/taxonomy/item-types.ts'
import { itemTypeOf, type MachineResult } from './apply-corrections.ts'
import { listingNames, plainKey } from '../listing-values.ts'
import { knownAttributes } from '../garment-fields.ts'
import { type ChangeAuthorship, correctorSchema } from './correction.ts'
import { certainValue, type StoredLabel } from '../label.ts'

type Tag = Readonly<Record<string, string | string[]>>

/** Maps attributes to new values; null removes one. */
export type AttributePatch = Readonly<Record<string, string | null>>

export function mergeAttribute(current: Attribute, patch: AttributePatch): Attribute {
  const merged = new Map(Object.entries(current))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, value)
  }
  return Object.fromEntries(merged)
}

/** Attributes that affect the scale and the ranking of fabrics. */
const readByTagger = ['Gender', 'Material', 'Studio']

export const needsTagging = (before: Attribute, after: Attribute): boolean =>
  readByTagger.some((name) => valueOf(before, name) !== valueOf(after, name))

/** Adds the client's attributes, or else values of a label, to the predicted tag, in the catalogue's order. */
export function supplyAttribute(
  machine: Pick<MachineResult, 'tag' | 'measuredAs'>,
  attribute: Attribute,
  label?: StoredLabel,
): Tag {
  const { tag } = machine
  const itemType = itemTypeOf(machine)
  const item = typeof itemType === 'string' && isItemType(itemType) ? itemOf(itemType) : undefined
  const rest = new Map(Object.entries(tag))
  const known = attributes.flatMap((entry): [string, string | string[]][] => {
    const keys = [entry.name, `${entry.name} Alternatives`, `${entry.name} Confidence`]
    const stored = keys.map((key) => [key, rest.get(key)] as const)
    for (const key of keys) rest.delete(key)
    if (!isRanked(entry) && entry.source.client === true) {
      const supplied = suppliedValue(attribute, entry.name)
      const read = supplied === undefined ? certainValue(label, entry.name) : undefined
      if (read !== undefined)
        return [
          [entry.name, read.value],
          [`${entry.name} Confidence`, read.confidence],
        ]
      const value = supplied ?? (item && entry.source.itemType?.(item))
      return value === undefined ? [] : [[entry.name, value]]
    }
    return stored.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]))
  })
  return Object.fromEntries([...known, ...rest])
}

const attributeOf = new Map([
  ...[...knownAttributes, ...Object.values(listingNames).flat()].map((name) => [plainKey(name), name] as const),
  ['text', 'Description'],
])

/** Prefix of a listing's keys that are the client's own columns. */
const ownPrefix = 'own.'

export const isListingKey = (name: string): boolean =>
  attributeOf.has(plainKey(name)) || (name.startsWith(ownPrefix) && name.length > ownPrefix.length)

/** Returns the attribute that holds a value of a listing: `price` is `Price`, and `own.rack` is `rack`. */
const toAttributeName = (name: string) =>
  attributeOf.get(plainKey(name)) ?? (name.startsWith(ownPrefix) ? name.slice(ownPrefix.length) : name)

/** Merges both patches. `listing` takes precedence if both contain the same name in any spelling. */
export function withListing(current: Attribute, attribute: AttributePatch, listing: AttributePatch): AttributePatch {
  const listingValues = Object.fromEntries(
    Object.entries(listing).map(([name, value]) => [toAttributeName(name), value]),
  )
  const named = Object.keys(listingValues).map(plainKey)
  const others = Object.entries(attribute).filter(([name]) => !named.includes(plainKey(name)))
  return { ...Object.fromEntries(others), ...inSpellingOf(current, listingValues) }
}

/**
 * Uses the garment's spelling of each name, so that a garment with `price` gets no `Price` beside it. A removal removes
 * all spellings. Names that the service reads are not respelled.
 */
export function inSpellingOf(current: Attribute, patch: AttributePatch): AttributePatch {
  const spellings = (key: string) => Object.keys(current).filter((name) => plainKey(name) === plainKey(key))
  const spelled = (key: string) => (knownAttributes.includes(key) ? key : (spellings(key).at(-1) ?? key))
  return Object.fromEntries(
    Object.entries(patch).flatMap(([key, value]) =>
      (value === null ? spellings(key) : [spelled(key)]).map((name) => [name, value] as const),
    ),
  )
}

const changeSchema = z.object({
  at: z.int(),
  by: correctorSchema,
  /** Former values of the changed attributes; null for a new attribute. */
  before: z.record(z.string(), z.string().nullable()),
  importId: z.string().optional(),
  /** Changed attributes whose former values were too long to store. */
  omitted: z.array(z.string()).optional(),
})

export type AttributeChange = z.infer<typeof changeSchema>

/** Maximum length of a garment's stored history, in characters. The oldest changes are dropped first. */
const maxLength = 2000

const spareLength = 600
const maxOmitted = 5

/** Parses a garment's history, oldest change first. */
export const parseChanges = (stored: string | null): readonly AttributeChange[] =>
  stored === null ? [] : z.array(changeSchema).parse(JSON.parse(stored))

const changedNames = (before: Attribute, after: Attribute): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => valueOf(before, name) !== valueOf(after, name),
  )

export function addChange(
  stored: string | null,
  [attribute, next]: readonly [Attribute, Attribute],
  authorship: ChangeAuthorship,
): string {
  const former = changedNames(attribute, next).map((name) => [name, valueOf(attribute, name) ?? null] as const)
  const lengthOf = ([name, value]: (typeof former)[number]) => JSON.stringify([name, value]).length
  const short: typeof former = []
  let room = maxLength - spareLength
  for (const each of former.toSorted((a, b) => lengthOf(a) - lengthOf(b))) {
    room -= lengthOf(each)
    if (room >= 0) short.push(each)
  }
  const omitted = former.filter((each) => !short.includes(each)).map(([name]) => name)
  const before = Object.fromEntries(short)
  const change = { ...authorship, before, ...(omitted.length > 0 && { omitted: omitted.slice(0, maxOmitted) }) }
  const changes = [...parseChanges(stored), change]
  while (changes.length > 1 && JSON.stringify(changes).length > maxLength) changes.shift()
  return JSON.stringify(changes)
}

/** Formats a change such as `Price: 10 → 12`. Null means no value. */
export function describeChange(name: string, before: string | number | null, after: string | number | null): string {
  if (after === null) return `${name}: ${before ?? ''}, removed`
  return before === null ? `${name}: ${after}, added` : `${name}: ${before} → ${after}`
}

export const describeChanges = (before: Attribute, after: Attribute): string =>
  changedNames(before, after)
    .map((name) => describeChange(name, valueOf(before, name) ?? null, valueOf(after, name) ?? null))
    .join('; ')
