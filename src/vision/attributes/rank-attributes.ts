import type { ClassProbabilities } from '../predict/class-probabilities.ts'
import { type Ranked, rank, scaleRanked } from '../rank.ts'
import { itemOf } from '../taxonomy/item-types.ts'
import { catalogue } from './catalogue.ts'
import { type Catalogue, type Evidence, isRanked, type RankedEntry } from './catalogue-entry.ts'

/** By name, the values of each attribute that has a confidence; none where it does not apply to the item type. */
export function rankAttributes(evidence: Evidence, entries: Catalogue = catalogue): Record<string, Ranked> {
  return Object.fromEntries(entries.filter(isRanked).map((entry) => [entry.name, rankEntry(entry, evidence)]))
}

/** The values of one attribute. */
export function rankEntry(entry: RankedEntry, evidence: Evidence): Ranked {
  return scaleRanked(entry.rank?.(evidence) ?? rankHead(entry, evidence), entry.maxProbability ?? 1)
}

function rankHead(entry: RankedEntry, { heads, itemType }: Evidence): Ranked {
  const classes = heads[entry.head ?? '']
  if (classes === undefined) throw new Error(`${entry.name} is read from the head ${entry.head}, which does not exist`)
  const values = typeof entry.values === 'function' ? entry.values(itemOf(itemType)) : entry.values
  return typeof values === 'string' ? [] : rankClasses(classes, values)
}

/** The classes of a head that are among the values, best first. */
export function rankClasses<T extends string>(classes: ClassProbabilities, values: readonly T[]): Ranked<T> {
  const probabilities = new Map(classes)
  return rank(
    values.flatMap((value) => (probabilities.has(value) ? [[value, probabilities.get(value)!] as const] : [])),
  )
}
