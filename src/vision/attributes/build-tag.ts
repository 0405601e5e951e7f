import { type Ranked, toEntries } from '../rank.ts'
import type { Attribute, Tag } from '../tagging.ts'
import { itemOf } from '../taxonomy/item-types.ts'
import { catalogue } from './catalogue.ts'
import { type Catalogue, type Evidence, isRanked } from './catalogue-entry.ts'

/** The client's value; undefined where it gave none, or a blank one. */
export const suppliedValue = (attribute: Attribute, name: string) => attribute[name]?.trim() || undefined

/** The tag, in the catalogue's order. `ranked` has the values by name of attribute. */
export function buildTag(
  ranked: Readonly<Record<string, Ranked>>,
  { attribute, colour, heads, itemType }: Evidence,
  entries: Catalogue = catalogue,
): Tag {
  const tag: Record<string, string | readonly string[]> = {}
  for (const entry of entries) {
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
