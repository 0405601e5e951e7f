import type { Ranked } from '../rank.ts'
import type { ClothSample } from './cluster-colours.ts'
import { labPrototypes } from './name-colour.ts'

/** Distance in CIELAB at which a sample belongs to a family e times less. */
const familyReach = 8

/** Standard deviation in CIELAB of the kernel that measures how common a colour is on the cloth. */
const densityReach = 13

/**
 * Returns the main colour in sRGB: the median of the cloth, weighted by how common a colour is and how well it fits the
 * likely families. Weights change gradually, so that recompression hardly moves it.
 */
export function findMainColour(samples: readonly ClothSample[], families: Ranked): [number, number, number] {
  const density = densities(samples)
  const weights = samples.map((sample, index) => familyWeight(sample, families) * density[index]! ** 2)
  return [0, 1, 2].map((channel) =>
    weightedMedian(
      samples.map(({ rgb }) => rgb[channel]!),
      weights,
    ),
  ) as [number, number, number]
}

function densities(samples: readonly ClothSample[]): Float64Array {
  const sums = new Float64Array(samples.length)
  const factor = -1 / (2 * densityReach ** 2)
  samples.forEach(({ lab }, index) => {
    for (let other = 0; other <= index; other++) {
      const { l, a, b } = samples[other]!.lab
      const kernel = Math.exp(factor * ((lab.l - l) ** 2 + (lab.a - a) ** 2 + (lab.b - b) ** 2))
      sums[index]! += kernel
      sums[other]! += kernel
    }
  })
  return sums.map((sum) => sum / samples.length)
}

/** Returns how well a sample's colour fits the families, weighted by the square of their probability. */
function familyWeight({ lab }: ClothSample, families: Ranked): number {
  const closeness = new Map<string, number>()
  let total = 0
  for (const { family, labs } of labPrototypes) {
    const nearest = Math.min(...labs.map(({ l, a, b }) => Math.hypot(lab.l - l, lab.a - a, lab.b - b)))
    const weight = Math.exp(-nearest / familyReach)
    closeness.set(family, (closeness.get(family) ?? 0) + weight)
    total += weight
  }
  const uniform = 1 / closeness.size
  return families.reduce((sum, { value, probability }) => {
    const share = value === 'Multi' ? uniform : (closeness.get(value) ?? 0) / total
    return sum + probability ** 2 * share
  }, 0)
}

/** Returns the value below which half of the weight lies, interpolated between neighbouring values. */
function weightedMedian(values: readonly number[], weights: readonly number[]): number {
  const order = values.map((_, index) => index).sort((a, b) => values[a]! - values[b]!)
  const half = weights.reduce((sum, weight) => sum + weight, 0) / 2
  let below = 0
  for (const [rank, index] of order.entries()) {
    const weight = weights[index]!
    if (below + weight >= half) {
      const before = values[order[Math.max(0, rank - 1)]!]!
      return before + (values[index]! - before) * (weight === 0 ? 1 : (half - below) / weight)
    }
    below += weight
  }
  return values[order.at(-1)!] ?? 128
}
