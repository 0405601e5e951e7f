import { itemTypes, typeMeanings } from '../../src/vision/taxonomy/item-types.ts'

/** Markdown in which the comment `item types` is replaced by a table of the item types. */
export function withItemTypes(markdown: string): string {
  const rows = itemTypes.map((itemType) => `| ${itemType} | ${typeMeanings[itemType]} |`)
  return markdown.replace('<!-- item types -->', ['| item type | meaning |', '| --- | --- |', ...rows].join('\n'))
}
