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
