import { namedFabrics } from '../attributes/rank-fabric.ts'
import { readGender } from '../attributes/wearer.ts'
import { confidenceOf, type Ranked } from '../rank.ts'
import type { Attribute } from '../tagging.ts'
import { type ItemType, itemOf } from '../taxonomy/item-types.ts'

/** With at most this probability by both opinions together, the picture contradicts a fabric. */
const maxUnlikely = 0.05

const categories: readonly (readonly [RegExp, 'Clothing' | 'Shoes' | 'Accessories'])[] = [
  [/^(clothing|clothes|apparel)$/i, 'Clothing'],
  [/^(shoes?|footwear)$/i, 'Shoes'],
  [/^accessor(y|ies)$/i, 'Accessories'],
]

interface Findings {
  readonly itemType: ItemType
  /** Of both opinions, without regard to what the client supplied. */
  readonly types: Ranked<ItemType>
  readonly fabrics: Ranked
}

/**
 * Which of the client's attributes the picture contradicts. They are only compared: nothing that is concluded from the
 * picture depends on them.
 */
export function findContradictions(attribute: Attribute, { itemType, types, fabrics }: Findings): readonly string[] {
  const item = itemOf(itemType)
  const isSure = confidenceOf(types[0]?.probability ?? 0) !== 'Low'
  const text = (attribute['Category'] ?? '').trim()
  const category = categories.find(([pattern]) => pattern.test(text))?.[1]
  const gender = readGender(attribute['Gender'] ?? '')
  const named = namedFabrics(attribute['Material'] ?? '').filter((fabric) =>
    fabrics.some(({ value }) => value === fabric),
  )
  const share = fabrics.reduce((sum, { value, probability }) => sum + (named.includes(value) ? probability : 0), 0)
  return [
    ...(isSure && category !== undefined && category !== item.category ? ['Category'] : []),
    ...(isSure && gender !== undefined && item.gender !== undefined && gender !== item.gender ? ['Gender'] : []),
    ...(isSure && named.length > 0 && share < maxUnlikely ? ['Material'] : []),
  ]
}
