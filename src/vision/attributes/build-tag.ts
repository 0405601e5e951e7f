import { type Ranked, toEntries } from '../rank.ts'
import type { Attribute, Tag } from '../tagging.ts'
import type { Item } from '../taxonomy/types.ts'

/** The tag: what the client said and the picture cannot tell, and each ranked attribute with its three entries. */
export function buildTag(
  ranked: Readonly<Record<string, Ranked>>,
  colourHex: string,
  attribute: Attribute,
  { category, gender }: Item,
): Tag {
  const tag: Record<string, string | readonly string[]> = { Category: category }
  if (gender !== undefined) tag['Gender'] = gender
  for (const key of ['Brand', 'Category', 'Gender', 'Material']) {
    const said = attribute[key]
    if (said !== undefined) tag[key] = said
  }
  for (const [name, values] of Object.entries(ranked)) Object.assign(tag, toEntries(name, values))
  return { ...tag, 'Colour Hex': colourHex }
}
