import { describe, expect, test } from 'vitest'
import kernelsModule from '../../../src/vision/network/kernels.wasm'
import type { Kernels } from '../../../src/vision/network/network.ts'
import { depthwiseTaps, packDepthwise, packPointwise, padChannels } from '../../../src/vision/network/pack-weights.ts'
import { makeRandom } from './network-builder.ts'

const inputAt = 65536
const outputAt = inputAt + 131072
const weightsAt = outputAt + 131072
const scalesAt = 16384
const biasesAt = 32768

/** Kernels with 8 pages of memory, and random numbers to fill it with. */
function setUp(seed: number) {
  const kernels = new WebAssembly.Instance(kernelsModule).exports as unknown as Kernels
  kernels.memory.grow(7)
  const random = makeRandom(seed)
  const whole = (limit: number) => Math.round((random() * 2 - 1) * limit)
  const int16 = (address: number, length: number) => new Int16Array(kernels.memory.buffer, address, length)
  const fillInt16 = (address: number, length: number) =>
    int16(address, length).map((_, i, all) => (all[i] = whole(16383)))
  const fillFloat32 = (address: number, length: number, limit: number) =>
    new Float32Array(kernels.memory.buffer, address, length).map((_, i, all) => (all[i] = random() * limit))
  const weights = (length: number) => Int8Array.from({ length }, () => whole(127))
  return { kernels, int16, fillInt16, fillFloat32, weights }
}

/** As the kernels round: float32 steps, halves to even. */
function quantise(sum: number, scale: number, bias: number, low: number, high: number) {
  const real = Math.fround(Math.fround(Math.fround(sum) * scale) + bias)
  const clamped = Math.min(Math.max(real, low), high)
  const rounded = Math.round(clamped)
  return rounded - clamped === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded
}

describe('the pointwise kernel', () => {
  test.for([
    [1, 8, 8],
    [3, 16, 24],
    [4, 32, 8],
    [5, 27, 13],
    [49, 40, 32],
    [6, 1032, 8],
  ] as const)('agrees with the reference for %i pixels, %i to %i channels', ([pixels, inChannels, outChannels]) => {
    const { kernels, int16, fillInt16, fillFloat32, weights } = setUp(pixels)
    const [inPadded, outPadded] = [padChannels(inChannels), padChannels(outChannels)]
    const input = fillInt16(inputAt, pixels * inPadded)
    const weight = weights(outChannels * inChannels)
    packPointwise(
      weight,
      outChannels,
      inChannels,
      new Int8Array(kernels.memory.buffer, weightsAt, outPadded * inPadded),
    )
    const scales = fillFloat32(scalesAt, outPadded, 0.01 / Math.sqrt(inChannels)).fill(0, outChannels)
    const biases = fillFloat32(biasesAt, outPadded, 100).fill(0, outChannels)
    new Float32Array(kernels.memory.buffer, scalesAt, outPadded).set(scales)
    new Float32Array(kernels.memory.buffer, biasesAt, outPadded).set(biases)

    kernels.pointwise(inputAt, outputAt, pixels, inPadded, outPadded, weightsAt, scalesAt, biasesAt, -16383, 4000)

    const expected = Array.from({ length: pixels * outPadded }, (_, index) => {
      const [pixel, out] = [Math.floor(index / outPadded), index % outPadded]
      if (out >= outChannels) return 0
      let sum = 0
      for (let i = 0; i < inChannels; i++) sum += input[pixel * inPadded + i]! * weight[out * inChannels + i]!
      return quantise(sum, scales[out]!, biases[out]!, -16383, 4000)
    })
    expect([...int16(outputAt, pixels * outPadded)]).toEqual(expected)
    expect([...int16(outputAt + pixels * outPadded * 2, 8)], 'after the end').toEqual(Array(8).fill(0))
  })

  test('does not overflow at the largest sum', () => {
    const { kernels, int16 } = setUp(1)
    int16(inputAt, 1032).fill(-16383)
    new Int8Array(kernels.memory.buffer, weightsAt, 8 * 1032).fill(-127)
    new Float32Array(kernels.memory.buffer, scalesAt, 8).fill(1e-6)
    kernels.pointwise(inputAt, outputAt, 1, 1032, 8, weightsAt, scalesAt, biasesAt, -16383, 16383)
    expect(int16(outputAt, 1)[0]).toBe(Math.round(1032 * 16383 * 127 * 1e-6))
  })
})

describe('the depthwise kernel', () => {
  const sizes = [
    [1, 1, 8],
    [1, 5, 8],
    [4, 1, 16],
    [2, 3, 24],
    [7, 7, 8],
    [6, 9, 16],
  ] as const
  const sides = [3, 5] as const
  test.for(
    sizes.flatMap(([height, width, channels]) =>
      [1, 2].flatMap((stride) => sides.map((side) => [side, height, width, channels, stride] as const)),
    ),
  )('by %i taps squared on %i x %i pixels, %i channels, stride %i', ([side, height, width, channels, stride]) => {
    const { kernels, int16, fillInt16, fillFloat32, weights } = setUp(height * 10 + width)
    const input = fillInt16(inputAt, height * width * channels)
    const weight = weights(side * side * channels)
    packDepthwise(weight, side, channels, int16(weightsAt, channels * depthwiseTaps(side)))
    const scales = fillFloat32(scalesAt, channels, 0.004)
    const biases = fillFloat32(biasesAt, channels, 100)

    const depthwise = side === 3 ? kernels.depthwise3x3 : kernels.depthwise5x5
    depthwise(inputAt, outputAt, height, width, channels, stride, weightsAt, scalesAt, biasesAt, 0, 16383, 64)

    const expected: number[] = []
    for (let y = 0; y < height; y += stride)
      for (let x = 0; x < width; x += stride)
        for (let c = 0; c < channels; c++) {
          let sum = 0
          for (let tap = 0; tap < side * side; tap++) {
            const row = y + Math.floor(tap / side) - (side >> 1)
            const column = x + (tap % side) - (side >> 1)
            if (row < 0 || row >= height || column < 0 || column >= width) continue
            sum += input[(row * width + column) * channels + c]! * weight[tap * channels + c]!
          }
          expected.push(quantise(sum, scales[c]!, biases[c]!, 0, 16383))
        }
    expect([...int16(outputAt, expected.length)]).toEqual(expected)
    expect([...int16(outputAt + expected.length * 2, 8)], 'after the end').toEqual(Array(8).fill(0))
  })

  test.for([
    [3, 8191],
    [5, 5240],
  ] as const)('by %i taps squared holds the largest sum that weights of %i give', ([side, level]) => {
    const { kernels, int16 } = setUp(1)
    int16(inputAt, side * side * 8).fill(16383)
    packDepthwise(new Int16Array(side * side * 8).fill(level), side, 8, int16(weightsAt, 8 * depthwiseTaps(side)))
    new Float32Array(kernels.memory.buffer, scalesAt, 8).fill(1e-6)
    const depthwise = side === 3 ? kernels.depthwise3x3 : kernels.depthwise5x5
    depthwise(inputAt, outputAt, side, side, 8, 1, weightsAt, scalesAt, biasesAt, -16383, 16383, 64)
    const middle = (side * side - 1) * 8
    expect(int16(outputAt + middle, 1)[0]).toBe(Math.round(side * side * 16383 * level * 1e-6))
  })
})

test('add scales both tensors to the range of their sum', () => {
  const { kernels, int16, fillInt16 } = setUp(5)
  const a = fillInt16(inputAt, 40)
  const b = fillInt16(inputAt + 80, 40)
  kernels.add(inputAt, inputAt + 80, outputAt, 40, 0.5, 1.25, -16383, 16383)
  expect([...int16(outputAt, 40)]).toEqual(
    Array.from(a, (level, i) => quantise(level, 0.5, b[i]! * 1.25, -16383, 16383)),
  )
})

test('upsample2x repeats every pixel in both directions', () => {
  const { kernels, int16, fillInt16 } = setUp(6)
  const [height, width, channels] = [3, 5, 16]
  const input = fillInt16(inputAt, height * width * channels)
  kernels.upsample2x(inputAt, outputAt, height, width, channels)
  const expected = Array.from({ length: height * width * channels * 4 }, (_, index) => {
    const [y, x, c] = [
      Math.floor(index / channels / width / 2),
      Math.floor(index / channels) % (width * 2),
      index % channels,
    ]
    return input[((y >> 1) * width + (x >> 1)) * channels + c]!
  })
  expect([...int16(outputAt, expected.length)]).toEqual(expected)
})
