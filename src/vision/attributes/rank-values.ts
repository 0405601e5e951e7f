import { type ClassProbabilities, probabilityOf, rank, type Ranked, scaleRanked } from '../rank.ts'
import { itemOf, type ItemType } from '../taxonomy/item-types.ts'

/** Words in the client's `Material` and the fabrics that they name. A fibre such as cotton names no fabric. */
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

/** Network class of each fabric that looks like another one. Such a fabric is returned only if the client names it. */
const classOfFinerFabric: Readonly<Record<string, string>> = {
  Poplin: 'Woven',
  Twill: 'Woven',
  Flannel: 'Woven',
  Silk: 'Satin',
  Piqué: 'Jersey',
  Felt: 'Wool',
}

const namedWeight = 25

/**
 * Additional factor for the fabric of a worn garment, unless the client's material names the fabric. With the factor
 * for all values of worn garments, it keeps the fabric below High.
 */
const wornFabricDoubt = 0.88

const namedFabrics = (material: string): readonly string[] =>
  fabricWords.flatMap(([pattern, values]) => (pattern.test(material) ? values : []))

/**
 * Ranks the item type's fabrics by the network and the client's material. Fabrics that the type cannot have lower all
 * others, because the fabric or the type must be wrong. `worn` is the probability that somebody wears it.
 */
export function rankFabric(itemType: ItemType, probabilities: ClassProbabilities, material = '', worn = 0): Ranked {
  const named = namedFabrics(material)
  const byName = new Map(probabilities)
  const { fabric } = itemOf(itemType)
  const ownClasses = new Set(fabric.map((value) => classOfFinerFabric[value] ?? value))
  const otherProbability = probabilities.reduce(
    (sum, [name, probability]) => sum + (ownClasses.has(name) ? 0 : probability),
    0,
  )
  const ranked = rank(
    fabric.flatMap((value) => {
      const seenAs = classOfFinerFabric[value]
      if (seenAs !== undefined && !named.includes(value)) return []
      const probability = byName.get(seenAs ?? value) ?? 0
      return [[value, probability * (named.includes(value) ? namedWeight : 1)]]
    }),
    otherProbability,
  )
  return named.length > 0 ? ranked : scaleRanked(ranked, 1 - (1 - wornFabricDoubt) * worn)
}

const classesOf: Readonly<Record<string, readonly string[]>> = {
  Pullover: ['None'],
  'Open Front': ['Open', 'None'],
  Open: ['Open', 'None'],
  Button: ['Buttons', 'Placket'],
  Snap: ['Snap'],
  Zip: ['Zip', 'Half Zip'],
  'Button & Zip': ['Fly'],
  Elasticated: ['Elastic'],
  Drawstring: ['Drawstring'],
  Tie: ['Lace'],
  'Lace-Up': ['Lace'],
  Buckle: ['Buckle'],
  'Slip-On': ['Slip-On', 'None'],
}

/** Weight of closures that the network does not know, such as a toggle. */
const minWeight = 0.005

/** Ranks the item type's closures by the network. Other closures lower all values by the doubt about the item type. */
export function rankClosure(itemType: ItemType, probabilities: ClassProbabilities, types: ClassProbabilities): Ranked {
  const { closure } = itemOf(itemType)
  const shareOf = (classes: readonly string[]) =>
    probabilities.reduce((sum, [name, share]) => sum + (classes.includes(name) ? share : 0), 0)
  const otherProbability = 1 - shareOf(closure.flatMap((value) => classesOf[value] ?? []))
  return rank(
    closure.map((value) => [value, shareOf(classesOf[value] ?? []) + minWeight]),
    otherProbability * (1 - probabilityOf(types, itemType)),
  )
}
