import type { Picture } from '../picture.ts'
import { maxBackground, minCloth } from './mask.ts'

/** Bins on an axis of the colour cube. */
const binsPerChannel = 24

/** From fewer certain pixels, no colours are learned. */
const minPixels = 50

/** The density of a colour that was not seen. */
const unseen = 2e-5

/** In log odds: no colour counts for more. */
const maxLogOdds = 3

/**
 * The log odds of cloth for each pixel by its colour: the log ratio of two colour histograms of this picture, smoothed
 * over neighbouring bins, of certain cloth and of certain background. `undefined` where either is too small.
 */
export function colourOdds({ data }: Picture, probabilities: Float32Array): Float32Array | undefined {
  const bins = new Uint16Array(probabilities.length)
  const cloth = new Float32Array(binsPerChannel ** 3)
  const background = new Float32Array(binsPerChannel ** 3)
  let clothCount = 0
  let backgroundCount = 0
  for (let index = 0; index < bins.length; index++) {
    const bin = binOf(data, index * 4)
    bins[index] = bin
    if (probabilities[index]! > minCloth) {
      cloth[bin]!++
      clothCount++
    } else if (probabilities[index]! < maxBackground) {
      background[bin]!++
      backgroundCount++
    }
  }
  if (clothCount < minPixels || backgroundCount < minPixels) return undefined
  smooth(cloth)
  smooth(background)
  const ratios = cloth.map((value, bin) => {
    const ratio = Math.log((value / clothCount + unseen) / (background[bin]! / backgroundCount + unseen))
    return Math.max(-maxLogOdds, Math.min(maxLogOdds, ratio))
  })
  const odds = new Float32Array(bins.length)
  for (let index = 0; index < odds.length; index++) odds[index] = ratios[bins[index]!]!
  return odds
}

function binOf(data: Uint8ClampedArray, at: number): number {
  return (
    (((data[at]! * binsPerChannel) >> 8) * binsPerChannel + ((data[at + 1]! * binsPerChannel) >> 8)) * binsPerChannel +
    ((data[at + 2]! * binsPerChannel) >> 8)
  )
}

/** A quarter to each neighbour along each axis in turn; in place. */
function smooth(histogram: Float32Array) {
  for (const stride of [1, binsPerChannel, binsPerChannel * binsPerChannel]) {
    const before = histogram.slice()
    for (let bin = 0; bin < histogram.length; bin++) {
      const place = Math.floor(bin / stride) % binsPerChannel
      const lower = place > 0 ? before[bin - stride]! : 0
      const upper = place < binsPerChannel - 1 ? before[bin + stride]! : 0
      histogram[bin] = 0.5 * before[bin]! + 0.25 * (lower + upper)
    }
  }
}
