import type { ClassProbabilities } from '../predict/class-probabilities.ts'
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
  [/fleece/i, ['Sweatshirt Fleece', 'Fleece']],
  [/jersey/i, ['Jersey']],
  [/cashmere|merino|mohair|acrylic/i, ['Knit']],
  [/wool/i, ['Knit', 'Wool']],
  [/nylon|polyamide|technical/i, ['Technical']],
  [/canvas/i, ['Canvas']],
  [/mesh/i, ['Mesh']],
  [/twill|chino|gabardine/i, ['Twill']],
  [/poplin/i, ['Poplin']],
  [/piqu[eé]/i, ['Piqué']],
  [/felt/i, ['Felt']],
  [/corduroy|\bcord\b/i, ['Corduroy']],
  [/velvet|velour/i, ['Velvet']],
  [/lace\b/i, ['Lace']],
  [/rubber/i, ['Rubber']],
  [/straw/i, ['Straw']],
]

/** Fabrics that look like the class of another one. They are answered only if the client's material names them. */
const classOfFinerFabric: Readonly<Record<string, string>> = {
  Poplin: 'Woven',
  Twill: 'Woven',
  Flannel: 'Woven',
  Silk: 'Satin',
  Piqué: 'Jersey',
  Felt: 'Wool',
}

/** How many times likelier a fabric becomes when the client's material names it. */
const namedWeight = 25

/** The fabrics that the client's material names. */
export const namedFabrics = (material: string): readonly string[] =>
  fabricWords.flatMap(([pattern, values]) => (pattern.test(material) ? values : []))

/**
 * Ranks the fabrics that the item type can have by what the network sees, and by the client's material if it names one
 * of them. What it sees of other fabrics lowers every probability: the fabric is in doubt, or the type.
 */
export function rankFabric(itemType: ItemType, seen: ClassProbabilities, material = ''): Ranked {
  const named = namedFabrics(material)
  const probabilities = new Map(seen)
  const { fabric } = itemOf(itemType)
  const ownClasses = new Set(fabric.map((value) => classOfFinerFabric[value] ?? value))
  const ofOtherTypes = seen.reduce((sum, [name, probability]) => sum + (ownClasses.has(name) ? 0 : probability), 0)
  return rank(
    fabric.flatMap((value) => {
      const seenAs = classOfFinerFabric[value]
      if (seenAs !== undefined && !named.includes(value)) return []
      const probability = probabilities.get(seenAs ?? value) ?? 0
      return [[value, probability * (named.includes(value) ? namedWeight : 1)]]
    }),
    ofOtherTypes,
  )
}
