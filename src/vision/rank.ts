/** Values with their probability, best first, summing to at most 1. */
export type Ranked<T extends string = string> = readonly { readonly value: T; readonly probability: number }[]

/** Alternatives less likely than this are left out: nobody would pick one. */
const minAlternative = 0.005

/** Scales weights to sum to 1 together with `otherWeight`, that of what is none of the values, and sorts them. */
export function rank<T extends string>(
  weights: readonly (readonly [value: T, weight: number])[],
  otherWeight = 0,
): Ranked<T> {
  const total = weights.reduce((sum, [, weight]) => sum + weight, otherWeight) || 1
  return weights
    .map(([value, weight]) => ({ value, probability: weight / total }))
    .sort((a, b) => b.probability - a.probability)
}

/** The same order with every probability multiplied by `factor`, 0 to 1: doubt that no value takes up. */
export function scaleRanked<T extends string>(ranked: Ranked<T>, factor: number): Ranked<T> {
  return ranked.map(({ value, probability }) => ({ value, probability: probability * factor }))
}

export const confidences = ['High', 'Medium', 'Low'] as const

/** The bounds are those of the specification. */
export const highFrom = 0.85

export function confidenceOf(probability: number): (typeof confidences)[number] {
  if (probability >= highFrom) return 'High'
  return probability >= 0.6 ? 'Medium' : 'Low'
}

/** Those that somebody might pick instead, at most three. `others` are all values but the best. */
export function alternativesOf(others: Ranked): Ranked {
  return others.slice(0, 3).filter(({ probability }) => probability >= minAlternative)
}

/** As probabilities are answered and stored. */
export const roundProbability = (probability: number) => Math.round(probability * 1000) / 1000

/** The three tag entries of one attribute; none where it makes no sense (`ranked` is empty). */
export function toEntries(name: string, ranked: Ranked): Record<string, string | string[]> {
  const [best, ...others] = ranked
  if (best === undefined) return {}
  return {
    [name]: best.value,
    [`${name} Alternatives`]: alternativesOf(others).map(({ value }) => value),
    [`${name} Confidence`]: confidenceOf(roundProbability(best.probability)),
  }
}

/** Classes of one head, each with its probability; they sum to 1. */
export type ClassProbabilities = readonly (readonly [name: string, probability: number])[]

/**
 * Softmax of logits divided by a temperature (Guo et al. 2017): above 1 it makes overconfident probabilities honest.
 * @param classes in the order of the logits
 */
export function classProbabilities(
  classes: readonly string[],
  logits: Float32Array,
  temperature: number,
): ClassProbabilities {
  const most = Math.max(...logits)
  const weights = Array.from(logits, (logit) => Math.exp((logit - most) / temperature))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return classes.map((name, index) => [name, (weights[index] ?? 0) / total])
}

/** One class's probability; 0 where the head has no such class. */
export function probabilityOf(classes: ClassProbabilities, name: string): number {
  return classes.find(([candidate]) => candidate === name)?.[1] ?? 0
}
