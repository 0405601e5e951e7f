import type { Rotation } from '../image/orientation.ts'
import type { Picture } from '../picture.ts'
import { type ClassProbabilities, probabilityOf } from '../rank.ts'
import { likelyDetail } from '../scene.ts'
import { isItemType, itemOf } from '../taxonomy/item-types.ts'
import { getNetwork } from './get-network.ts'
import { looksLikeLabel, type Prediction, settings } from './predict-picture.ts'
import { classify } from './run-network.ts'
import { wholeSquare } from './run-views.ts'
import { sampleSquare } from './sample-square.ts'

const turns = [0, 1, 2, 3] as const

type LogProbabilities = readonly number[]

/** Margin of a turn over upright, as log odds of the first look, from which on further looks are taken. */
const minFirstMargin = 1

/** The same for the sum of all four looks, from which on the picture is rotated. The model card has the error rates. */
const minMargin = 12

/** Probability above which the garment counts as a kind that has no upright position, such as a bag. */
const likelyShapeless = 0.2

/**
 * Returns the rotation that brings a garment upright, or 0 if in doubt. Takes further looks only if the first saw it
 * turned.
 */
export async function chooseRotation(picture: Picture, { heads }: Pick<Prediction, 'heads'>): Promise<Rotation> {
  const first = heads.orientation.map(([, probability]) => Math.log(Math.max(1e-9, probability)))
  if (marginOf(first) < minFirstMargin || !hasUpright(heads)) return 0
  const network = await getNetwork()
  const { wholeSize: size, outside } = settings
  let pixels = sampleSquare(picture, wholeSquare(picture), size, outside)
  const looks: LogProbabilities[] = [first]
  while (looks.length < turns.length) {
    pixels = turnPixels(pixels, size)
    const { orientation } = await classify(network, network.tags, pixels, size)
    if (orientation === undefined) throw new Error('The network has no head orientation')
    looks.push(logSoftmax(orientation))
  }
  return rotationOf(looks)
}

/** Returns the rotation that four looks agree on. Look `n` saw the picture turned clockwise by `n` more quarters. */
export function rotationOf(looks: readonly LogProbabilities[]): Rotation {
  const sums = turns.map((turn) => looks.reduce((sum, look, more) => sum + look[(turn + more) % 4]!, 0))
  if (marginOf(sums) < minMargin) return 0
  const turn = turns.reduce<number>((best, each) => (sums[each]! > sums[best]! ? each : best), 0)
  return ([0, 270, 180, 90] as const)[turn]!
}

const marginOf = ([upright = 0, ...turned]: LogProbabilities) => Math.max(...turned) - upright

function logSoftmax(logits: Float32Array): LogProbabilities {
  const most = Math.max(...logits)
  const total = Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit - most), 0)) + most
  return Array.from(logits, (logit) => logit - total)
}

/** False for labels and details, and for footwear, bags, belts and scarves, which lie in any position. */
function hasUpright(heads: Prediction['heads']): boolean {
  const shapeless = heads.type.filter(([name]) => isItemType(name) && itemOf(name).category !== 'Clothing')
  return (
    !looksLikeLabel(heads) && probabilityOf(heads.shown, 'Cut') <= likelyDetail && sumOf(shapeless) < likelyShapeless
  )
}

const sumOf = (classes: ClassProbabilities) => classes.reduce((sum, [, probability]) => sum + probability, 0)

export function turnPixels(pixels: Uint8Array, size: number): Uint8Array {
  const turned = new Uint8Array(pixels.length)
  for (let y = 0, from = 0; y < size; y++)
    for (let x = 0; x < size; x++, from += 3) turned.set(pixels.subarray(from, from + 3), (x * size + size - 1 - y) * 3)
  return turned
}
