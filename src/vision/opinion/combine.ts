import type { Opinion } from '../opinion.ts'
import type { Ranked } from '../rank.ts'
import table from './weights.json' with { type: 'json' }

/** Exponents of the two opinions about an attribute, each 0 or more. */
export interface Weights {
  readonly network: number
  readonly opinion: number
}

export interface WeightTable {
  /** Raise it with each change: it is stored with each result. */
  readonly version: string
  /** For attributes that have none of their own. */
  readonly standard: Weights
  readonly attributes: Readonly<Record<string, Weights>>
}

export const weightTable: WeightTable = table

/** Both give an option at least this probability: nobody can rule one out alone. */
const floorProbability = 0.005

/** Replaces the network's values of an attribute by those of both opinions. */
export type Combine = <T extends string>(attribute: string, ranked: Ranked<T>) => Ranked<T>

export const weightsOf = ({ attributes, standard }: WeightTable, attribute: string): Weights =>
  attributes[attribute] ?? standard

/** How much weight an option has: a logarithmic opinion pool (Genest and Zidek 1986), before it is scaled. */
export const pool = (network: number, opinion: number, weights: Weights): number =>
  Math.max(network, floorProbability) ** weights.network * Math.max(opinion, floorProbability) ** weights.opinion

/**
 * Combines an opinion with the network's values. Values that were no options keep their probability, and so do all of
 * an attribute that was not asked about.
 */
export function createCombine(opinion: Opinion | undefined, weights = weightTable): Combine {
  return (attribute, ranked) => {
    const answer = opinion?.answers[attribute]
    if (answer === undefined) return ranked
    const own = weightsOf(weights, attribute)
    const asked = ranked.filter(({ value }) => Object.hasOwn(answer, value))
    const mass = asked.reduce((sum, { probability }) => sum + probability, 0)
    // Of the options that apply to the item type; the opinion's may be those of several.
    const share = asked.reduce((sum, { value }) => sum + (answer[value] ?? 0), 0)
    if (mass === 0 || share === 0) return ranked
    const pooled = asked.map(({ value, probability }) => pool(probability / mass, (answer[value] ?? 0) / share, own))
    const total = pooled.reduce((sum, each) => sum + each, 0)
    return [
      ...ranked.filter(({ value }) => !Object.hasOwn(answer, value)),
      ...asked.map(({ value }, index) => ({ value, probability: (mass * (pooled[index] ?? 0)) / total })),
    ].sort((a, b) => b.probability - a.probability)
  }
}
