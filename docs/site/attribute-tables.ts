import {
  allValues,
  attributes,
  type Catalogue,
  type CatalogueEntry,
  isRanked,
} from '../../src/vision/attributes/attribute-catalogue.ts'

/** Builds a Markdown table. */
export const table = (header: readonly string[], rows: readonly (readonly string[])[]) =>
  [header, header.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')

/** Builds two tables: attributes with a confidence, and all others. */
export function attributeTables(): readonly [ranked: string, others: string] {
  const tableOf = (some: Catalogue) =>
    table(
      ['key', 'meaning', 'values'],
      some.map((entry) => [`\`${entry.name}\``, entry.meaning, valuesText(entry)]),
    )
  return [tableOf(attributes.filter(isRanked)), tableOf(attributes.filter((entry) => !isRanked(entry)))]
}

function valuesText(entry: CatalogueEntry): string {
  const values = allValues(entry)
  if (values === 'text') return 'any text'
  if (values === 'hex') return '`#rrggbb`'
  return `${values.join(', ')}${typeof entry.values === 'function' ? ' (depending on the item type)' : ''}`
}
