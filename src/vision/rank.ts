/** Values with their probabilities, best first. Probabilities sum to at most 1. */
export type Ranked<T extends string = string> = readonly { readonly value: T; readonly probability: number }[]

/** Less likely alternatives are omitted because nobody would choose them. */
const minAlternative = 0.005

/** Sorts values by weight and scales the weights to sum to 1, including `otherWeight` for all values not listed. */
export function rank<T extends string>(
  weights: readonly (readonly [value: T, weight: number])[],
  otherWeight = 0,
): Ranked<T> {
  const total = weights.reduce((sum, [, weight]) => sum + weight, otherWeight) || 1
  return weights
    .map(([value, weight]) => ({ value, probability: weight / total }))
    .sort((a, b) => b.probability - a.probability)
}

/** Multiplies every probability by `factor` (0 to 1). The lost probability goes to no value. */
export function scaleRanked<T extends string>(ranked: Ranked<T>, factor: number): Ranked<T> {
  return ranked.map(({ value, probability }) => ({ value, probability: probability * factor }))
}

export const confidences = ['High', 'Medium', 'Low'] as const

/** Confidence thresholds are defined by the specification. */
export const highFrom = 0.85

export function confidenceOf(probability: number): (typeof confidences)[number] {
  if (probability >= highFrom) return 'High'
  return probability >= 0.6 ? 'Medium' : 'Low'
}

/** Returns at most three likely alternatives. `others` are all values except the best. */
export function alternativesOf(others: Ranked): Ranked {
  return others.slice(0, 3).filter(({ probability }) => probability >= minAlternative)
}

export const roundProbability = (probability: number) => Math.round(probability * 1000) / 1000

/** Builds the three tag entries of one attribute, or none if the attribute does not apply (`ranked` is empty). */
export function toEntries(name: string, ranked: Ranked): Record<string, string | string[]> {
  const [best, ...others] = ranked
  if (best === undefined) return {}
  return {
    [name]: best.value,
    [`${name} Alternatives`]: alternativesOf(others).map(({ value }) => value),
    [`${name} Confidence`]: confidenceOf(roundProbability(best.probability)),
  }
}

/** Class names of one network head with their probabilities, which sum to 1. */
export type ClassProbabilities = readonly (readonly [name: string, probability: number])[]

/** Applies softmax to logits divided by a temperature (Guo et al. 2017), which lowers probabilities if above 1. */
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

export function probabilityOf(classes: ClassProbabilities, name: string): number {
  return classes.find(([candidate]) => candidate === name)?.[1] ?? 0
}
