import type { Picture } from '../picture.ts'
import type { Ranked } from '../rank.ts'
import { type Light, underNeutralLight } from './cluster-colours.ts'
import { type Lab, toLab } from './colour-spaces.ts'
import { labPrototypes } from './name-colour.ts'

type Rgb = [red: number, green: number, blue: number]

/** Distance in CIELAB at which a colour belongs to a family e times less. */
const familyReach = 8

/** Standard deviation in CIELAB of the kernel that measures how common a colour is on the cloth. */
const densityReach = 13

/** Pixels that agree in this many leading bits of each channel share a weight. */
const sharedBits = 4

/**
 * Returns the main colour in sRGB under neutral light: the median of all pixels of the cloth, weighted by how common a
 * colour is and how well it fits the likely families. Weights change gradually, so that recompression hardly moves it.
 */
export function findMainColour({ data }: Picture, places: Int32Array, light: Light, families: Ranked): Rgb {
  const bins = binColours(data, places)
  const colours = bins.map(({ count, sums }) => ({
    count,
    lab: toLab(...underNeutralLight(sums.map((sum) => sum / count) as Rgb, light)),
  }))
  const density = densities(colours)
  const weights = new Float64Array(2 ** (3 * sharedBits))
  bins.forEach(({ key }, index) => {
    weights[key] = familyWeight(colours[index]!.lab, families) * density[index]! ** 2
  })
  // Neutral light changes each channel monotonically, so the median can be taken before it.
  return underNeutralLight(weightedMedian(data, places, weights), light)
}

interface Bin {
  readonly key: number
  readonly sums: Rgb
  count: number
}

const shift = 8 - sharedBits

const keyAt = (data: Uint8ClampedArray, at: number) =>
  ((data[at]! >> shift) << (2 * sharedBits)) | ((data[at + 1]! >> shift) << sharedBits) | (data[at + 2]! >> shift)

function binColours(data: Uint8ClampedArray, places: Int32Array): Bin[] {
  const bins = new Map<number, Bin>()
  for (const place of places) {
    const at = place * 4
    const key = keyAt(data, at)
    let bin = bins.get(key)
    if (bin === undefined) bins.set(key, (bin = { key, sums: [0, 0, 0], count: 0 }))
    bin.count++
    for (let channel = 0; channel < 3; channel++) bin.sums[channel]! += data[at + channel]!
  }
  return [...bins.values()]
}

/** Returns the mean Gaussian kernel over all pixels, for each colour. */
function densities(colours: readonly { readonly lab: Lab; readonly count: number }[]): Float64Array {
  const sums = Float64Array.from(colours, ({ count }) => count)
  const factor = -1 / (2 * densityReach ** 2)
  colours.forEach(({ lab, count }, index) => {
    for (let other = 0; other < index; other++) {
      const {
        lab: { l, a, b },
        count: otherCount,
      } = colours[other]!
      const kernel = Math.exp(factor * ((lab.l - l) ** 2 + (lab.a - a) ** 2 + (lab.b - b) ** 2))
      sums[index]! += kernel * otherCount
      sums[other]! += kernel * count
    }
  })
  const total = colours.reduce((sum, { count }) => sum + count, 0)
  return sums.map((sum) => sum / total)
}

/** Returns how well a colour fits the families, weighted by the square of their probability. */
function familyWeight(lab: Lab, families: Ranked): number {
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

/** Returns the level of each channel below which half of the weight lies, interpolated within the level. */
function weightedMedian(data: Uint8ClampedArray, places: Int32Array, weights: Float64Array): Rgb {
  const levels = [new Float64Array(256), new Float64Array(256), new Float64Array(256)] as const
  let total = 0
  for (const place of places) {
    const at = place * 4
    const weight = weights[keyAt(data, at)]!
    total += weight
    for (let channel = 0; channel < 3; channel++) levels[channel]![data[at + channel]!]! += weight
  }
  return levels.map((weightAt) => {
    let [level, below] = [0, 0]
    while (level < 255 && below + weightAt[level]! < total / 2) below += weightAt[level++]!
    return level - 0.5 + (total / 2 - below) / weightAt[level]!
  }) as Rgb
}
