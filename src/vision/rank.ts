/** Values with their probabilities, best first. Probabilities sum to at most 1. */
export type Ranked<T extends string = string> = readonly { readonly value: T; readonly probability: number }[]

/** Nobody would choose a less likely alternative. */
const minAlternative = 0.005

/** Sorts values by weight and normalises the weights. `otherWeight` stands for all values not listed. */
export function rank<T extends string>(
  weights: readonly (readonly [value: T, weight: number])[],
  otherWeight = 0,
): Ranked<T> {
  const total = weights.reduce((sum, [, weight]) => sum + weight, otherWeight) || 1
  return weights
    .map(([value, weight]) => ({ value, probability: weight / total }))
    .sort((a, b) => b.probability - a.probability)
}

/** Multiplies probabilities by `factor`, 0 to 1. The rest goes to no value. */
export function scaleRanked<T extends string>(ranked: Ranked<T>, factor: number): Ranked<T> {
  return ranked.map(({ value, probability }) => ({ value, probability: probability * factor }))
}

export const confidences = ['High', 'Medium', 'Low'] as const

export const highFrom = 0.85

export function confidenceOf(probability: number): (typeof confidences)[number] {
  if (probability >= highFrom) return 'High'
  return probability >= 0.6 ? 'Medium' : 'Low'
}

export function alternativesOf(others: Ranked): Ranked {
  return others.slice(0, 3).filter(({ probability }) => probability >= minAlternative)
}

export const roundProbability = (probability: number) => Math.round(probability * 1000) / 1000

/** Builds an attribute's three tag entries, or no entry from an empty ranking. */
export function toEntries(name: string, ranked: Ranked): Record<string, string | string[]> {
  const [best, ...others] = ranked
  if (best === undefined) return {}
  return {
    [name]: best.value,
    [`${name} Alternatives`]: alternativesOf(others).map(({ value }) => value),
    [`${name} Confidence`]: confidenceOf(roundProbability(best.probability)),
  }
}

/** Classes of a network head with their probabilities, which sum to 1. */
export type ClassProbabilities = readonly (readonly [name: string, probability: number])[]

/** Applies softmax with a temperature (Guo et al. 2017). Above 1 it lowers high probabilities. */
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
