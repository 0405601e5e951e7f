import type { Tag } from '../tagging.ts'
import { type ItemType, itemOf } from '../taxonomy/item-types.ts'
import { catalogue } from './catalogue.ts'
import { type Catalogue, type CatalogueEntry, isRanked } from './catalogue-entry.ts'
import { spoken, withArticle } from './phrases.ts'

/** One or two sentences that say what the tag says and leave out what is of confidence Low. */
export function describeGarment(itemType: ItemType, tag: Tag, entries: Catalogue = catalogue): string {
  const { plural } = itemOf(itemType)
  const phrases = (place: string) =>
    entries.flatMap((entry) => (entry.phrase?.[0] === place ? phraseOf(entry, tag) : []))
  const thing = [...phrases('before'), spoken(itemType), ...phrases('after'), ...phrases('end')].join(' ')
  const first = capitalise(plural === true ? thing : withArticle(thing))
  const details = phrases('detail')
  if (details.length === 0) return `${first}.`
  return `${first}. ${plural === true ? 'They have' : 'It has'} ${list(details)}.`
}

/** What is said of an attribute, if anything. */
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
