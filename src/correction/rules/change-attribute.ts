import { suppliedValue } from '../../vision/attributes/build-tag.ts'
import { catalogue } from '../../vision/attributes/catalogue.ts'
import { type Catalogue, isRanked } from '../../vision/attributes/catalogue-entry.ts'
import type { Attribute } from '../../vision/tagging.ts'
import { isItemType, itemOf } from '../../vision/taxonomy/item-types.ts'
import { itemTypeOf, type MachineResult } from './apply-corrections.ts'

type Tag = Readonly<Record<string, string | string[]>>

/** The client's new attributes by name; null removes one. */
export type AttributePatch = Readonly<Record<string, string | null>>

export function mergeAttribute(current: Attribute, patch: AttributePatch): Attribute {
  const merged = new Map(Object.entries(current))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, value)
  }
  return Object.fromEntries(merged)
}

/** They affect the scale and the ranking of fabrics. */
const readByTagger = ['Gender', 'Material', 'Studio']

/** Whether the picture must be tagged again with the client's new attributes. */
export const needsTagging = (before: Attribute, after: Attribute): boolean =>
  readByTagger.some((name) => before[name] !== after[name])

/** The predicted tag with the client's new attributes, in the order of the catalogue. */
export function supplyAttribute(
  machine: Pick<MachineResult, 'tag' | 'measuredAs'>,
  attribute: Attribute,
  entries: Catalogue = catalogue,
): Tag {
  const { tag } = machine
  const itemType = itemTypeOf(machine)
  const item = typeof itemType === 'string' && isItemType(itemType) ? itemOf(itemType) : undefined
  const rest = new Map(Object.entries(tag))
  const known = entries.flatMap((entry): [string, string | string[]][] => {
    const keys = [entry.name, `${entry.name} Alternatives`, `${entry.name} Confidence`]
    const stored = keys.map((key) => [key, rest.get(key)] as const)
    for (const key of keys) rest.delete(key)
    if (!isRanked(entry) && entry.source.client === true) {
      const value = suppliedValue(attribute, entry.name) ?? (item && entry.source.itemType?.(item))
      return value === undefined ? [] : [[entry.name, value]]
    }
    return stored.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]))
  })
  return Object.fromEntries([...known, ...rest])
}
