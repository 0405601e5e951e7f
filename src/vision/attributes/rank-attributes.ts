import type { Prediction } from '../predict/predict-picture.ts'
import { type Ranked, rank } from '../rank.ts'
import { isItemType, type ItemType, itemOf } from '../taxonomy/item-types.ts'
import { isPattern, isSleeve, type Pattern, type Sleeve } from '../taxonomy/values.ts'
import { rankClosure } from './rank-closure.ts'

/** What the network's answers say in our words, best first. Sleeve is empty for what has none to have. */
export interface SeenAttributes {
  readonly itemType: ItemType
  readonly types: Ranked<ItemType>
  readonly pattern: Ranked<Pattern>
  readonly sleeve: Ranked<Sleeve>
  readonly closure: Ranked
}

/** `undefined` where the network names no item type of ours. */
export function rankAttributes({ type, pattern, sleeve, closure }: Prediction): SeenAttributes | undefined {
  const types = rank(ours(type, isItemType))
  const itemType = types[0]?.value
  if (itemType === undefined) return undefined
  const { build } = itemOf(itemType)
  return {
    itemType,
    types,
    pattern: rank(ours(pattern, isPattern)),
    sleeve: build === 'top' || build === 'one-piece' ? rank(ours(sleeve, isSleeve)) : [],
    closure: rankClosure(itemType, closure),
  }
}

function ours<T extends string>(classes: Prediction['type'], isOurs: (name: string) => name is T) {
  return classes.flatMap(([name, probability]) => (isOurs(name) ? [[name, probability] as const] : []))
}
