import type { ClassProbabilities, Ranked } from './rank.ts'
import table from './opinion-weights.json' with { type: 'json' }
import type { Presentation } from './scene.ts'

/**
 * A second opinion: what somebody else than the embedded network answers to closed questions about a picture. Who that
 * is and how it is reached is not known here.
 */

/** `doubtful` asks where the network's item type is below High. */
export type OpinionMode = 'doubtful' | 'always'

export interface Question {
  /** The name of the attribute, or `shown`. */
  readonly attribute: string
  readonly text: string
  /** Two or more, each with what it means, or null where its name says it. */
  readonly options: Readonly<Record<string, string | null>>
}

/** By attribute, the probability of each option; they sum to about 1. */
export type OpinionAnswers = Readonly<Record<string, Readonly<Record<string, number>>>>

export interface Opinion {
  readonly model: string
  readonly answers: OpinionAnswers
}

export interface OpinionRequest {
  readonly questions: readonly Question[]
  /** Encodes the garment's square as JPEG, which holds the picture and nothing else. */
  readonly encodePicture: () => Uint8Array
  /** What the run keeps in memory until it is answered. */
  readonly heldBytes: number
}

export interface Consultation {
  readonly mode: OpinionMode
  /** `undefined` where there is no answer. Never throws. */
  readonly ask: (request: OpinionRequest) => Promise<Opinion | undefined>
}

/** What both said of an attribute: the result's value, its alternatives, and the likeliest value of each. */
export interface ComparedAnswer {
  /** Whose likeliest value the result has. */
  readonly spoke: 'both' | 'network' | 'opinion' | 'neither'
  /** By value, rounded to 0.001. */
  readonly network: Readonly<Record<string, number>>
  readonly opinion: Readonly<Record<string, number>>
}

/** What is stored of a second opinion with a garment, and answered. */
export interface StoredOpinion {
  readonly model: string
  /** The version of the weights. */
  readonly weights: string
  readonly attributes: Readonly<Record<string, ComparedAnswer>>
  /** The client's attributes that the picture contradicts. */
  readonly contradicts: readonly string[]
}

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
    const pooling = weightsOf(weights, attribute)
    const asked = ranked.filter(({ value }) => Object.hasOwn(answer, value))
    const mass = asked.reduce((sum, { probability }) => sum + probability, 0)
    // Only the options that apply to the item type; the opinion's may be those of several.
    const share = asked.reduce((sum, { value }) => sum + (answer[value] ?? 0), 0)
    if (mass === 0 || share === 0) return ranked
    const pooled = asked.map(({ value, probability }) =>
      pool(probability / mass, (answer[value] ?? 0) / share, pooling),
    )
    const total = pooled.reduce((sum, each) => sum + each, 0)
    return [
      ...ranked.filter(({ value }) => !Object.hasOwn(answer, value)),
      ...asked.map(({ value }, index) => ({ value, probability: (mass * (pooled[index] ?? 0)) / total })),
    ].sort((a, b) => b.probability - a.probability)
  }
}

/** By the network's class. Whether there are several garments is the outline's to say. */
const shownByClass = {
  Flat: 'flat',
  Hanging: 'hanging',
  Folded: 'folded',
  Cut: 'detail',
  Worn: 'worn',
  Back: 'back',
} as const satisfies Readonly<Record<string, Presentation>>

const meanings: Readonly<Record<Exclude<Presentation, 'several'>, string>> = {
  flat: 'laid out flat, or cut out of a picture of that kind',
  hanging: 'on a hanger, a hook or a dummy',
  folded: 'folded, so that a part of it lies under another',
  detail: 'only a part of it is in the picture',
  worn: 'a person wears it',
  back: 'a person wears it and is seen from behind',
}

export const shownQuestion: Question = { attribute: 'shown', text: 'How does the image show it?', options: meanings }

const isShownClass = (name: string): name is keyof typeof shownByClass => Object.hasOwn(shownByClass, name)

/** The network's classes, ranked under their names in an answer. */
export const rankShown = (classes: ClassProbabilities) =>
  classes.flatMap(([name, probability]) => (isShownClass(name) ? [{ value: shownByClass[name], probability }] : []))

/** The classes of how a garment is shown, with both opinions. */
export function combineShown(classes: ClassProbabilities, combine: Combine): ClassProbabilities {
  const combined = combine('shown', rankShown(classes))
  return classes.map(([name, probability]) => {
    const value = isShownClass(name) ? shownByClass[name] : undefined
    return [name, combined.find((each) => each.value === value)?.probability ?? probability]
  })
}
