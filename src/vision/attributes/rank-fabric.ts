import { itemOf, type ItemType } from '../taxonomy/item-types.ts'
import { rankByPrior } from './rank-closure.ts'
import { type Ranked, rank } from '../rank.ts'

/** Words in the client's `Material` and the fabrics that they speak for. A fibre alone (cotton) speaks for none. */
const SPOKEN: readonly (readonly [RegExp, readonly string[]])[] = [
  [/denim/i, ['Denim']],
  [/leather/i, ['Leather']],
  [/suede/i, ['Suede']],
  [/linen|flax/i, ['Linen']],
  [/silk/i, ['Silk', 'Satin', 'Chiffon']],
  [/satin/i, ['Satin']],
  [/chiffon/i, ['Chiffon']],
  [/flannel/i, ['Flannel']],
  [/fleece/i, ['Sweatshirt Fleece']],
  [/jersey/i, ['Jersey']],
  [/cashmere|merino|mohair|acrylic/i, ['Knit']],
  [/wool/i, ['Knit', 'Wool']],
  [/nylon|polyamide|technical/i, ['Technical / Nylon']],
  [/canvas/i, ['Canvas']],
  [/mesh/i, ['Mesh']],
  [/twill|chino|gabardine/i, ['Twill']],
  [/poplin/i, ['Poplin']],
  [/piqu[eé]/i, ['Piqué']],
]

/** How many times likelier a fabric becomes when the client's material speaks for it. */
const SPOKEN_WEIGHT = 25

/**
 * The look of the cloth: the item's usual fabrics and the client's material where it names a fabric. Jeans are told from
 * other trousers by their denim, so there the item's certainty is the fabric's.
 */
export function rankFabric(itemType: ItemType, itemProbability: number, material: string | undefined): Ranked {
  const { fabric } = itemOf(itemType)
  const spoken = new Set(
    SPOKEN.flatMap(([pattern, fabrics]) => (material !== undefined && pattern.test(material) ? fabrics : [])),
  )
  if (Object.keys(fabric).some((value) => spoken.has(value))) {
    return rank(
      Object.fromEntries(
        Object.entries(fabric).map(([value, prior]) => [value, prior * (spoken.has(value) ? SPOKEN_WEIGHT : 1)]),
      ),
    )
  }
  if (itemType === 'Jeans')
    return rank(fabric).map(({ value, probability }) => ({ value, probability: probability * itemProbability }))
  return rankByPrior(fabric)
}
