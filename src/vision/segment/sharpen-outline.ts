import { maxBackground, minCloth, type Picture } from '../picture.ts'

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
function colourOdds({ data }: Picture, probabilities: Float32Array): Float32Array | undefined {
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

/** Weights of the log odds by the network and by colour. */
const networkWeight = 0.8
const colourWeight = 1.4

/** The network's probabilities are kept this far from 0 and 1, where most of them lie. */
const minProbability = 0.001
const maxOdds = Math.log((1 - minProbability) / minProbability)

/**
 * Probability of cloth from the network's map and the picture's own colours together: the map shows roughly where, the
 * colours exactly which pixels. Unchanged if the map has too few certain pixels to learn colours from.
 * @param probabilities one for each pixel
 */
export function sharpenOutline(picture: Picture, probabilities: Float32Array): Float32Array {
  const odds = colourOdds(picture, probabilities)
  if (odds === undefined) return probabilities
  const sharpened = probabilities.map(
    (probability, index) => 1 / (1 + Math.exp(-networkWeight * logOdds(probability) - colourWeight * odds[index]!)),
  )
  return blur(sharpened, picture.width, picture.height)
}

function logOdds(probability: number): number {
  if (probability <= minProbability) return -maxOdds
  if (probability >= 1 - minProbability) return maxOdds
  return Math.log(probability / (1 - probability))
}

/** Removes specks: a box of three pixels twice each way is near a Gaussian of 1.2 pixels. */
function blur(values: Float32Array, width: number, height: number): Float32Array {
  const out = values.slice()
  const scratch = new Float32Array(values.length)
  for (let pass = 0; pass < 2; pass++) {
    average(out, scratch, width, height, 1, width)
    average(scratch, out, height, width, width, 1)
  }
  return out
}

/** The mean of each value and its two neighbours along a line; the ends count twice. */
function average(from: Float32Array, to: Float32Array, length: number, lines: number, step: number, lineStep: number) {
  for (let line = 0; line < lines; line++) {
    const start = line * lineStep
    let before = from[start]!
    for (let index = 0, at = start; index < length; index++, at += step) {
      const here = from[at]!
      const after = index + 1 < length ? from[at + step]! : here
      to[at] = (before + here + after) / 3
      before = here
    }
  }
}

/**
 * Enlarges a map of one value per pixel by linear interpolation; `ratio` is small pixels to one large pixel, at most 1.
 */
export function enlarge(
  small: { readonly width: number; readonly height: number; readonly values: Float32Array },
  width: number,
  height: number,
  ratio: number,
): Float32Array {
  const out = new Float32Array(width * height)
  const { values } = small
  const place = (index: number, length: number) => Math.max(0, Math.min(length - 1, (index + 0.5) * ratio - 0.5))
  const columns = Float32Array.from({ length: width }, (_, x) => place(x, small.width))
  for (let y = 0, index = 0; y < height; y++) {
    const v = place(y, small.height)
    const row = Math.floor(v)
    const top = row * small.width
    const below = Math.min(small.height - 1, row + 1) * small.width
    for (let x = 0; x < width; x++, index++) {
      const u = columns[x]!
      const left = Math.floor(u)
      const right = Math.min(small.width - 1, left + 1)
      const upper = values[top + left]! + (values[top + right]! - values[top + left]!) * (u - left)
      const lower = values[below + left]! + (values[below + right]! - values[below + left]!) * (u - left)
      out[index] = upper + (lower - upper) * (v - row)
    }
  }
  return out
}
