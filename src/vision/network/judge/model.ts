/** A small network of one hidden layer: standardise, tanh, weigh, share out. */
export interface JudgeModel {
  readonly labels: readonly string[]
  /** Of each feature, over the pictures it was trained on. */
  readonly mean: readonly number[]
  readonly deviation: readonly number[]
  /** [hidden][feature + 1] and [label][hidden + 1], the last of each being the bias. */
  readonly hidden: readonly (readonly number[])[]
  readonly output: readonly (readonly number[])[]
  /** Divides the scores, so that probabilities mean what they say; fitted on pictures left out of training. */
  readonly temperature: number
}

/** Features further off than this many deviations are no more telling: pictures of another kind stay within bounds. */
const CLIP = 4

export function standardise(model: Pick<JudgeModel, 'mean' | 'deviation'>, features: readonly number[]): number[] {
  return features.map((value, index) =>
    Math.max(-CLIP, Math.min(CLIP, (value - model.mean[index]!) / model.deviation[index]!)),
  )
}

/** Scores of each label before they are shared out, from standardised features. */
export function score(
  { hidden, output }: Pick<JudgeModel, 'hidden' | 'output'>,
  features: readonly number[],
): number[] {
  const active = hidden.map((weights) => Math.tanh(weigh(weights, features)))
  return output.map((weights) => weigh(weights, active))
}

export function shareOut(scores: readonly number[], temperature: number): number[] {
  const most = Math.max(...scores)
  const weights = scores.map((value) => Math.exp((value - most) / temperature))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / total)
}

/** Label to probability. */
export function judge(model: JudgeModel, features: readonly number[]): Record<string, number> {
  const shares = shareOut(score(model, standardise(model, features)), model.temperature)
  return Object.fromEntries(model.labels.map((label, index) => [label, shares[index]!]))
}

function weigh(weights: readonly number[], values: readonly number[]): number {
  let sum = weights[values.length]!
  for (let index = 0; index < values.length; index++) sum += weights[index]! * values[index]!
  return sum
}
