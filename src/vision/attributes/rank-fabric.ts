import { type Ranked, rank, scaleRanked } from '../rank.ts'
import { itemOf, type ItemType } from '../taxonomy/item-types.ts'

/** With the item type alone to go by, confidence is Low, but for what the type all but implies (jeans are denim). */
const priorTrust = 0.62

/** Words in the client's `Material` and the fabrics that they name. A fibre alone (cotton) names none. */
const fabricWords: readonly (readonly [RegExp, readonly string[]])[] = [
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
  [/felt/i, ['Felt']],
  [/straw/i, ['Straw']],
]

/** How many times likelier a fabric becomes when the client's material names it. */
const namedWeight = 25

/**
 * The fabric: what is usual for the item type, and the client's material where it names a fabric. No network was trained
 * for it, because nobody can check a fabric on a photograph; so it is never High without the client's word.
 */
export function rankFabric(itemType: ItemType, material: string | undefined): Ranked {
  const fabrics = Object.entries(itemOf(itemType).fabric)
  const named = new Set(
    fabricWords.flatMap(([pattern, values]) => (material !== undefined && pattern.test(material) ? values : [])),
  )
  if (!fabrics.some(([value]) => named.has(value))) return scaleRanked(rank(fabrics), priorTrust)
  return rank(fabrics.map(([value, prior]) => [value, prior * (named.has(value) ? namedWeight : 1)]))
}
