import { CLASSES, INPUT_SIZE } from './classes.ts'
import { convolve } from './convolve.ts'
import { convolveWinograd } from './convolve-winograd.ts'
import { average, rectify, type Convolution, type Maps } from './maps.ts'
import { readWeights, type Layer } from './read-weights.ts'
import bytes from './weights.bin'

export { CLASSES, INPUT_SIZE, type GarmentClass } from './classes.ts'

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
 * of the picture and of its mirror image. Throws a `RangeError` for another length or for places outside of 0 to 1.
 */
export function classify(pixels: Float32Array): Classification {
  if (pixels.length !== INPUT_SIZE ** 2)
    throw new RangeError(`Expected ${INPUT_SIZE ** 2} places, not ${pixels.length}.`)
  if (!pixels.every((value) => value >= 0 && value <= 1)) throw new RangeError('Every place must lie between 0 and 1.')
  network ??= build(bytes)
  const both = new Float32Array(2 * pixels.length)
  both.set(pixels)
  for (let i = 0; i < pixels.length; i++) {
    const column = i % INPUT_SIZE
    both[pixels.length + i] = pixels[i - column + INPUT_SIZE - 1 - column]!
  }
  const { data } = network.run({ images: 2, size: INPUT_SIZE, channels: 1, data: both })
  const logits = Float32Array.from(CLASSES, (_, i) => (data[i]! + data[i + CLASSES.length]!) / 2)
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
