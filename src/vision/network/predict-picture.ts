import { getNetwork } from './get-network.ts'
import type { Picture } from '../picture.ts'
import calibration from './calibration.json' with { type: 'json' }
import { classProbabilities, type ClassProbabilities, probabilityOf } from '../rank.ts'
import { type OutlineMap, type ViewsOutput, runViews } from './run-views.ts'

/** Level for pixels outside the picture, as in training. */
export const outsideLevel = 128

/** Sizes in pixels and weights of the looks, chosen on held-out people. See the model card. */
export const settings = {
  wholeSize: 192,
  cropSize: 256,
  cropMargin: 1.12,
  nearSize: 192,
  landmarkSize: 288,
  weights: { whole: 0.21, crop: 0.28, mirrored: 0.21, near: 0.3 },
  neck: { size: 128, weights: { neckline: 0.6 } },
  outside: outsideLevel,
}

type HeadName = keyof typeof calibration.temperatures

const headNames = Object.keys(calibration.temperatures) as HeadName[]

export interface Prediction {
  readonly outlines: ViewsOutput['outlines']
  readonly landmarks: ViewsOutput['landmarks']
  /** Class probabilities by head. The classes of `presence` are `None`, `One` and `Several` garments. */
  readonly heads: Readonly<Record<HeadName, ClassProbabilities>> & Readonly<Record<string, ClassProbabilities>>
}

export async function predictPicture(picture: Picture): Promise<Prediction> {
  const network = await getNetwork()
  const { logits, outlines, landmarks } = await runViews(network, settings, picture)
  const read = (name: HeadName): ClassProbabilities => {
    const head = network.tags.heads.find((candidate) => candidate.name === name)
    const values = logits[name]
    if (head === undefined || values === undefined) throw new Error(`The network has no head ${name}`)
    return classProbabilities(head.classes, values, calibration.temperatures[name])
  }
  return {
    outlines,
    landmarks,
    heads: Object.fromEntries(headNames.map((name) => [name, read(name)])) as Prediction['heads'],
  }
}

/**
 * Returns how far the evidence for a garment, in log odds, exceeds the refusal limit. The model card has the error
 * rates.
 */
export function presenceMargin({ presence, type }: Pick<Prediction['heads'], 'presence' | 'type'>): number {
  const none = Math.min(1 - 1e-9, Math.max(1e-9, probabilityOf(presence, 'None')))
  const best = Math.max(...type.map(([, probability]) => probability))
  return Math.log((1 - none) / none) + calibration.refusal.weight * best - calibration.refusal.limit
}

export const showsGarment = (heads: Parameters<typeof presenceMargin>[0]): boolean => presenceMargin(heads) >= 0

/** Minimum probability of a label. The model card has the error rates. */
const minLabel = 0.5

/** True if the picture shows a label with text rather than a garment. */
export const looksLikeLabel = ({ label }: Pick<Prediction['heads'], 'label'>): boolean =>
  probabilityOf(label, 'Label') >= minLabel

/** Weight of the crop's outline where it covers a pixel, because it is finer than that of the whole picture. */
const cropWeight = 0.75

/**
 * Combines both outlines into each pixel's probability of garment. `factor` is pixels of the analysed picture per
 * pixel.
 */
export function projectOutline(
  [whole, crop]: ViewsOutput['outlines'],
  { width, height }: Picture,
  factor: number,
): Float32Array {
  const columns = [placesOf(whole, 'left', width, factor), placesOf(crop, 'left', width, factor)] as const
  const rows = [placesOf(whole, 'top', height, factor), placesOf(crop, 'top', height, factor)] as const
  const out = new Float32Array(width * height)
  for (let y = 0, index = 0; y < height; y++) {
    for (let x = 0; x < width; x++, index++) {
      const coarse = probabilityAt(whole, columns[0][x]!, rows[0][y]!)
      const u = columns[1][x]!
      const v = rows[1][y]!
      const isShown = u >= 0 && v >= 0 && u <= crop.side - 1 && v <= crop.side - 1
      out[index] = isShown ? coarse + (probabilityAt(crop, u, v) - coarse) * cropWeight : coarse
    }
  }
  return out
}

/** Returns the positions of a row's or column's pixel centres in a map, in its pixel centres. */
function placesOf({ square, side }: OutlineMap, edge: 'left' | 'top', length: number, factor: number): Float32Array {
  return Float32Array.from(
    { length },
    (_, index) => (((index + 0.5) * factor - square[edge]) / square.side) * side - 0.5,
  )
}

/** Interpolates linearly. Positions beyond the outermost pixel centres use their value. */
function probabilityAt({ side, probabilities }: OutlineMap, u: number, v: number): number {
  const x = Math.max(0, Math.min(side - 1.001, u))
  const y = Math.max(0, Math.min(side - 1.001, v))
  const left = Math.floor(x)
  const top = Math.floor(y)
  const at = top * side + left
  const upper = probabilities[at]! + (probabilities[at + 1]! - probabilities[at]!) * (x - left)
  const below = at + side
  const lower = probabilities[below]! + (probabilities[below + 1]! - probabilities[below]!) * (x - left)
  return upper + (lower - upper) * (y - top)
}
