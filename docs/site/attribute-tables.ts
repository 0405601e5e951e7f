import {
  allValues,
  catalogue,
  type Catalogue,
  type CatalogueEntry,
  isRanked,
} from '../../src/vision/attributes/catalogue.ts'
import { confidenceOf } from '../../src/vision/rank.ts'

/**
 * Markdown in which the comments `ranked attributes` and `other attributes` are replaced by tables of the attributes.
 */
export function withAttributeTables(markdown: string, entries: Catalogue = catalogue): string {
  return markdown
    .replace('<!-- ranked attributes -->', () => tableOf(entries.filter(isRanked)))
    .replace('<!-- other attributes -->', () => tableOf(entries.filter((entry) => !isRanked(entry))))
}

function tableOf(entries: Catalogue): string {
  const rows = entries.map((entry) => `| \`${entry.name}\` | ${meaningOf(entry)} | ${valuesText(entry)} |`)
  return ['| key | meaning | values |', '| --- | --- | --- |', ...rows].join('\n')
}

function meaningOf(entry: CatalogueEntry): string {
  const isCapped = isRanked(entry) && confidenceOf(entry.maxProbability ?? 1) !== 'High'
  return isCapped ? `${entry.meaning}; never High from a picture alone` : entry.meaning
}

function valuesText(entry: CatalogueEntry): string {
  const values = allValues(entry)
  if (values === 'text') return 'any text'
  if (values === 'hex') return '`#rrggbb`'
  return `${values.join(', ')}${typeof entry.values === 'function' ? ': those that the item type can have' : ''}`
}
