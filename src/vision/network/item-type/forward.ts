import { CLASSES, INPUT_SIZE } from './classes.ts'
import { convolve } from './convolve.ts'
import { convolveWinograd } from './convolve-winograd.ts'
import { average, rectify, type Convolution, type Maps } from './maps.ts'
import { readWeights, type Layer } from './read-weights.ts'
import bytes from './weights.bin'

export { CLASSES, type GarmentClass } from './classes.ts'

export interface Classification {
  /** One for each of `CLASSES`, before the temperature. */
  readonly logits: Float32Array
  /** Calibrated: they sum to 1, and of answers given with 0.9 about nine in ten are right. */
  readonly probabilities: Float32Array
}

interface Network {
  readonly temperature: number
  readonly run: (input: Maps) => Maps
}

let network: Network | undefined

/**
 * Classifies a picture of `INPUT_SIZE` squared places, row by row, 0 (background) to 1. The logits are the mean of those
 * of the picture and of its mirror image; with `images` 1 of the picture alone, in half the time: enough where it is its
 * own mirror image. Throws a `RangeError` for another length or for places outside of 0 to 1.
 */
export function classify(pixels: Float32Array, images: 1 | 2 = 2): Classification {
  if (pixels.length !== INPUT_SIZE ** 2)
    throw new RangeError(`Expected ${INPUT_SIZE ** 2} places, not ${pixels.length}.`)
  if (!pixels.every((value) => value >= 0 && value <= 1)) throw new RangeError('Every place must lie between 0 and 1.')
  network ??= build(bytes)
  const data = new Float32Array(images * pixels.length)
  data.set(pixels)
  for (let i = pixels.length; i < data.length; i++) {
    const column = i % INPUT_SIZE
    data[i] = pixels[i - pixels.length - column + INPUT_SIZE - 1 - column]!
  }
  const answers = network.run({ images, size: INPUT_SIZE, channels: 1, data }).data
  const logits = Float32Array.from(CLASSES, (_, i) => (answers[i]! + answers[answers.length - CLASSES.length + i]!) / 2)
  return { logits, probabilities: softmax(logits, network.temperature) }
}

function build(file: ArrayBuffer): Network {
  const weights = readWeights(file)
  if (weights.classes.join() !== CLASSES.join()) throw new Error('The weights were trained for other classes.')
  const stem = prepare(weights.stem)
  const head = prepare(weights.head)
  const blocks = weights.blocks.map(({ first, second, shortcut }) => ({
    first: prepare(first),
    second: prepare(second),
    shortcut: shortcut && prepare(shortcut),
  }))
  const run = (input: Maps) => {
    let maps = rectify(stem(input))
    for (const { first, second, shortcut } of blocks) {
      maps = rectify(second(rectify(first(maps))), shortcut ? shortcut(maps) : maps)
    }
    return head(average(maps))
  }
  return { temperature: weights.temperature, run }
}

/** Winograd's way where it applies and pays. */
function prepare(layer: Layer): Convolution {
  return layer.size === 3 && layer.stride === 1 && layer.channelsIn > 1 ? convolveWinograd(layer) : convolve(layer)
}

function softmax(logits: Float32Array, temperature: number): Float32Array {
  const top = Math.max(...logits)
  const powers = logits.map((logit) => Math.exp((logit - top) / temperature))
  const sum = powers.reduce((total, power) => total + power, 0)
  return powers.map((power) => power / sum)
}
