import type { Picture } from '../picture.ts'
import { colourOdds } from './colour-odds.ts'

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
      const own = from[at]!
      const after = index + 1 < length ? from[at + step]! : own
      to[at] = (before + own + after) / 3
      before = own
    }
  }
}
