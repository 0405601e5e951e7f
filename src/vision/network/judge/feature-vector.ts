import type { Features } from '../detail/read-features.ts'

/** Positions of the network's probabilities in the vector: training blanks them at times. */
export const NETWORK_LENGTH = 10

/** All features in one row of numbers; the network's probabilities first, as log odds against one in ten. */
export function featureVector({ network, shape, front, neck, texture, pattern, colour }: Features): number[] {
  const odds = Array.from(network, (probability) => Math.log(probability + 0.003) / 3 + 0.77)
  return [...odds, ...shape, ...front, ...neck, ...texture, ...pattern, ...colour]
}
