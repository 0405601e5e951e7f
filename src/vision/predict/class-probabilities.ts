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

/** Of one class; 0 where the head has no such class. */
export function probabilityOf(classes: ClassProbabilities, name: string): number {
  return classes.find(([candidate]) => candidate === name)?.[1] ?? 0
}
