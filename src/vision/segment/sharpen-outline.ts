import { maxBackground, minCloth, type Picture } from '../picture.ts'

const binsPerChannel = 24

const minPixels = 50

/** Density of colours that did not occur. */
const unseen = 2e-5

const maxLogOdds = 3

/** Returns each pixel's log odds of cloth by its colour, from histograms of certain pixels. Undefined with too few. */
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

/** Smooths a histogram in place along each axis by 1/4, 1/2, 1/4. */
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

const networkWeight = 0.8
const colourWeight = 1.4

/** Minimum distance of probabilities from 0 and 1. */
const minProbability = 0.001
const maxOdds = Math.log((1 - minProbability) / minProbability)

/**
 * Combines the network's coarse map of cloth with the picture's colours, which separate pixels exactly. Returns the map
 * unchanged if it has too few certain pixels.
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

/** Removes specks by two box blurs, close to a Gaussian of 1.2 pixels. */
function blur(values: Float32Array, width: number, height: number): Float32Array {
  const out = values.slice()
  const scratch = new Float32Array(values.length)
  for (let pass = 0; pass < 2; pass++) {
    average(out, scratch, width, height, 1, width)
    average(scratch, out, height, width, width, 1)
  }
  return out
}

/** Averages each value with its neighbours along a line. End values count twice. */
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

/** Enlarges a map by linear interpolation. `ratio` is small per large pixels, at most 1. */
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
