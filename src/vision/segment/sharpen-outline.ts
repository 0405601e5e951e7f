import type { Picture } from '../picture.ts'
import { colourOdds } from './colour-odds.ts'

/** Weights of the network's log odds and of the colour's. */
const NETWORK = 0.8
const COLOUR = 1.4

/** The network's probabilities are kept this far from 0 and 1. */
const LEAST = 0.001

/**
 * Probability of cloth from the network's map and the picture's own colours together: the network says where, the colours
 * say what exactly. Unchanged where the map is not sure enough of anything to learn colours.
 * @param probabilities one for each pixel
 */
export function sharpenOutline(picture: Picture, probabilities: Float32Array): Float32Array {
  const odds = colourOdds(picture, probabilities)
  if (odds === undefined) return probabilities
  const sharpened = probabilities.map((probability, index) => {
    const share = Math.max(LEAST, Math.min(1 - LEAST, probability))
    return 1 / (1 + Math.exp(-NETWORK * Math.log(share / (1 - share)) - COLOUR * odds[index]!))
  })
  return blurOnce(sharpened, picture.width, picture.height)
}

/** Binomial weights 1, 4, 6, 4, 1 each way: a Gaussian of one pixel, against specks. */
function blurOnce(values: Float32Array, width: number, height: number): Float32Array {
  const across = new Float32Array(values.length)
  const out = new Float32Array(values.length)
  for (let y = 0, index = 0; y < height; y++) {
    for (let x = 0; x < width; x++, index++) {
      const at = (step: number) => values[index + Math.max(-x, Math.min(width - 1 - x, step))]!
      across[index] = (at(-2) + at(2) + 4 * (at(-1) + at(1)) + 6 * at(0)) / 16
    }
  }
  for (let y = 0, index = 0; y < height; y++) {
    for (let x = 0; x < width; x++, index++) {
      const at = (step: number) => across[index + Math.max(-y, Math.min(height - 1 - y, step)) * width]!
      out[index] = (at(-2) + at(2) + 4 * (at(-1) + at(1)) + 6 * at(0)) / 16
    }
  }
  return out
}
