import { type Ranked, rank } from '../rank.ts'
import { itemOf, type ItemType } from '../taxonomy/item-types.ts'

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
 * for it, because nobody can check a fabric on a photograph; so it is High only if the client supplies `Material`.
 */
export function rankFabric(itemType: ItemType, material: string | undefined): Ranked {
  const named = fabricsIn(material)
  const fabrics = Object.entries(itemOf(itemType).fabric)
  return rank(fabrics.map(([value, prior]) => [value, prior * (named.includes(value) ? namedWeight : 1)]))
}

/** Whether the client's material names a fabric that the item type can have. */
export function namesFabric(itemType: ItemType, material: string | undefined): boolean {
  const { fabric } = itemOf(itemType)
  return fabricsIn(material).some((value) => Object.hasOwn(fabric, value))
}

function fabricsIn(material = ''): readonly string[] {
  return fabricWords.flatMap(([pattern, values]) => (pattern.test(material) ? values : []))
}
