import { ITEM_TYPES, type ItemType } from '../../taxonomy/item-types.ts'
import { type Pattern, PATTERNS } from '../../taxonomy/values.ts'
import type { Features } from '../detail/read-features.ts'
import { CLASSES, type GarmentClass } from '../item-type/forward.ts'
import { type Ranked, rank } from '../../rank.ts'
import { featureVector } from './feature-vector.ts'
import { judge, type JudgeModel } from './model.ts'
import weights from './weights.json' with { type: 'json' }

export interface Conclusions {
  readonly itemType: Ranked<ItemType>
  readonly pattern: Ranked<Pattern>
  /** Share of certainty that the front shows a zip, buttons, a short placket, or none of these. */
  readonly front: Readonly<Record<'none' | 'placket' | 'buttons' | 'zip', number>>
  /** Share of certainty that what is seen is no garment. */
  readonly nothing: number
}

/** Footwear is told by the network alone: no flat lay of it was drawn to learn more from. */
const FOOTWEAR: Readonly<Partial<Record<GarmentClass, ItemType>>> = {
  Sandal: 'Sandals',
  Sneaker: 'Trainers',
  'Ankle boot': 'Boots',
}

/** A shoe from the side has no mirror line; what is more symmetric than this is taken for clothing. */
const FOOTWEAR_SYMMETRY = 0.86

/** What the judge calls pictures without a garment. */
const NOTHING = 'Nothing'

/**
 * Item type, pattern and front from the features. The judges learnt from drawn flat lays, the network from photographs;
 * its answer is one of the judges' features.
 * @param symmetry share of the garment that its mirror image covers
 */
export function conclude(features: Features, symmetry: number): Conclusions {
  const vector = featureVector(features)
  const types = judge(weights.itemType satisfies JudgeModel, vector)
  const nothing = types[NOTHING] ?? 0
  const shoes = footwear(features.network, symmetry)
  const shod = Object.values(shoes).reduce((sum, share) => sum + share, 0)
  const clothes = Object.fromEntries(
    ITEM_TYPES.flatMap((type) =>
      types[type] === undefined ? [] : [[type, (types[type] * (1 - shod)) / Math.max(1e-6, 1 - nothing)]],
    ),
  )
  const patterns = judge(weights.pattern satisfies JudgeModel, vector)
  const front = judge(weights.front satisfies JudgeModel, vector)
  return {
    itemType: rank(ITEM_TYPES.map((type) => [type, shoes[type] ?? clothes[type] ?? 0])),
    pattern: rank(PATTERNS.map((pattern) => [pattern, patterns[pattern] ?? 0])),
    front: {
      none: front['none'] ?? 0,
      placket: front['placket'] ?? 0,
      buttons: front['buttons'] ?? 0,
      zip: front['zip'] ?? 0,
    },
    nothing: nothing * (1 - shod),
  }
}

function footwear(network: Float32Array, symmetry: number): Record<string, number> {
  if (symmetry > FOOTWEAR_SYMMETRY) return {}
  return Object.fromEntries(
    CLASSES.flatMap((name, index) => {
      const type = FOOTWEAR[name]
      return type === undefined ? [] : [[type, network[index]!]]
    }),
  )
}
