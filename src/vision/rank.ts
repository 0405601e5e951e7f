/** Values with their probability, best first, summing to at most 1. */
export type Ranked = readonly { readonly value: string; readonly probability: number }[]

/** Alternatives less likely than this are not worth a client's eye. */
const LEAST_ALTERNATIVE = 0.03

/** Scales weights to sum to 1 and sorts them. */
export function rank(weights: Readonly<Record<string, number>>): Ranked {
  const total = Object.values(weights).reduce((sum, weight) => sum + weight, 0) || 1
  return Object.entries(weights)
    .map(([value, weight]) => ({ value, probability: weight / total }))
    .sort((a, b) => b.probability - a.probability)
}

/** By the contract: High from 0.85, Medium from 0.6. */
export function confidenceOf(probability: number): 'High' | 'Medium' | 'Low' {
  if (probability >= 0.85) return 'High'
  return probability >= 0.6 ? 'Medium' : 'Low'
}

/** The three tag entries of one attribute. */
export function toEntries(name: string, ranked: Ranked): Record<string, string | string[]> {
  const best = ranked[0]
  if (best === undefined) return {}
  const others = ranked.slice(1, 4).filter(({ probability }) => probability >= LEAST_ALTERNATIVE)
  return {
    [name]: best.value,
    [`${name} Alternatives`]: others.map(({ value }) => value),
    [`${name} Confidence`]: confidenceOf(best.probability),
  }
}
