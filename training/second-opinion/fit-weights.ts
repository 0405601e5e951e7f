import { pool, type Weights } from '../../src/vision/opinion.ts'

/** The probabilities by both of a question's options, the last for all others; and the index of the true option. */
export interface Labelled {
  readonly network: readonly number[]
  readonly opinion: readonly number[]
  readonly truth: number
}

/** From fewer labels nothing is fitted. */
export const minLabels = 50

/**
 * The network's probabilities are calibrated. A higher exponent would make it overconfident wherever the other one only
 * guesses.
 */
const maxNetwork = 1
const maxOpinion = 2
const step = 0.05

/** How many labels the start weights count as. */
const startLabels = 4

/** The mean of -ln p of the true option under these weights. */
function logLoss(all: readonly Labelled[], weights: Weights): number {
  let sum = 0
  for (const { network, opinion, truth } of all) {
    const pooled = network.map((own, option) => pool(own, opinion[option] ?? 0, weights))
    const scale = pooled.reduce((total, each) => total + each, 0)
    sum -= Math.log((pooled[truth] ?? 0) / scale)
  }
  return sum / all.length
}

/** The weights with the least log loss; near `start` if labels are few. */
export function fitWeights(all: readonly Labelled[], start: Weights): Weights {
  let best = { weights: start, cost: Infinity }
  for (let i = 0; i <= Math.round(maxNetwork / step); i++)
    for (let j = 0; j <= Math.round(maxOpinion / step); j++) {
      const weights = { network: round(i * step), opinion: round(j * step) }
      const away = (weights.network - start.network) ** 2 + (weights.opinion - start.opinion) ** 2
      const cost = logLoss(all, weights) + (startLabels / all.length) * away
      if (cost < best.cost) best = { weights, cost }
    }
  return best.weights
}

const round = (value: number) => Math.round(value * 100) / 100
