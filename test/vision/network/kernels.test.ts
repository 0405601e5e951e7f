import { describe, expect, test } from 'vitest'
import kernelsModule from '../../../src/vision/network/kernels.wasm'
import type { Kernels } from '../../../src/vision/network/network.ts'
import {
  depthwiseTaps,
  groupChannels,
  packDepthwise,
  packPointwise,
  padChannels,
  pointwiseGroup,
} from '../../../src/vision/network/pack-weights.ts'
import { makeRandom } from './network-builder.ts'

const inputAt = 65536
const outputAt = inputAt + 131072
const weightsAt = outputAt + 131072
const scalesAt = 16384
const biasesAt = 32768
const zerosAt = 8192
const tapsAt = 4096

/** Kernels with 8 pages of memory, and random numbers to fill it with. */
function setUp(seed: number) {
  const kernels = new WebAssembly.Instance(kernelsModule).exports as unknown as Kernels
  kernels.memory.grow(7)
  const random = makeRandom(seed)
  const levels = (address: number, length: number) => new Uint8Array(kernels.memory.buffer, address, length)
  const fillLevels = (address: number, length: number) =>
    levels(address, length).map((_, i, all) => (all[i] = Math.floor(random() * 128)))
  const float32 = (address: number, length: number) => new Float32Array(kernels.memory.buffer, address, length)
  const fillFloat32 = (address: number, length: number, limit: number) =>
    float32(address, length).map((_, i, all) => (all[i] = random() * limit))
  /** The sum of five of them does not overflow an int16. */
  const weights = (length: number) => Int8Array.from({ length }, () => Math.round((random() * 2 - 1) * 51))
  const packed = (length: number) => new Int8Array(kernels.memory.buffer, weightsAt, length)
  return { kernels, levels, fillLevels, float32, fillFloat32, weights, packed }
}

/** As the kernels do it: float32 steps, and no fraction. */
function finish(sum: number, scale: number, bias: number, [low, high]: readonly [number, number] = [0, 127]) {
  const real = Math.fround(Math.fround(Math.fround(sum) * Math.fround(scale)) + Math.fround(bias))
  return Math.min(Math.max(Math.trunc(real) + 0, low), high)
}

describe('the pointwise kernel', () => {
  test.for(
    (
      [
        [1, 8, 8],
        [3, 16, 24],
        [4, 32, 8],
        [5, 27, 13],
        [49, 40, 32],
        [6, 1032, 8],
      ] as const
    ).flatMap((shape) => [false, true].map((isWide) => [...shape, isWide] as const)),
  )('agrees with the reference for %i pixels, %i to %i channels, wide: %s', ([pixels, inputs, outputs, isWide]) => {
    const { kernels, levels, fillLevels, fillFloat32, weights, packed } = setUp(pixels)
    const [inStride, outStride] = [padChannels(inputs), padChannels(outputs)]
    const [inGroups, outGroups] = [groupChannels(inputs), groupChannels(outputs)]
    const input = fillLevels(inputAt, pixels * inStride)
    const weight = weights(outputs * inputs)
    packPointwise(weight, outputs, inputs, packed(outGroups * inGroups))
    const scales = fillFloat32(scalesAt, outputs, 0.1 / Math.sqrt(inputs))
    const biases = fillFloat32(biasesAt, outputs, 100)
    const bytes = isWide ? 2 : 1

    const strides = [inStride, outStride * bytes, inGroups, outGroups]
    kernels.pointwise(inputAt, outputAt, pixels, ...strides, weightsAt, scalesAt, biasesAt, Number(isWide))

    const limits = isWide ? ([-32768, 32767] as const) : undefined
    const expected = Array.from({ length: pixels * outStride }, (_, index) => {
      const [pixel, out] = [Math.floor(index / outStride), index % outStride]
      if (out >= outputs) return 0
      let sum = 0
      for (let i = 0; i < inputs; i++) sum += input[pixel * inStride + i]! * weight[out * inputs + i]!
      return finish(sum, scales[out]!, biases[out]!, limits)
    })
    const Values = isWide ? Int16Array : Uint8Array
    expect([...new Values(kernels.memory.buffer, outputAt, expected.length)]).toEqual(expected)
    expect([...levels(outputAt + expected.length * bytes, 8)], 'after the end').toEqual(Array(8).fill(0))
  })

  test.for([
    [-64, -1032 * 127 * 64],
    [64, 1032 * 127 * 64],
  ] as const)('does not overflow at the largest sum of weights of %i', ([weight, sum]) => {
    const { kernels, levels, float32, packed } = setUp(1)
    levels(inputAt, 1032).fill(127)
    packed(8 * 1032).fill(weight)
    float32(scalesAt, 8).fill(1e-3)
    kernels.pointwise(inputAt, outputAt, 1, 1040, 32, 1032, 8, weightsAt, scalesAt, biasesAt, 1)
    expect(new Int16Array(kernels.memory.buffer, outputAt, 1)[0]).toBe(Math.trunc(sum * 1e-3))
  })

  test('sums the products of four weights as int16, the most that they can be', () => {
    const { kernels, levels, float32, packed } = setUp(1)
    levels(inputAt, 8).fill(127)
    const weight = new Int8Array(8)
    for (const [i, level] of [127, 127, 3, 1].entries()) weight[[0, 1, 4, 5][i]!] = level
    expect(new Set([0, 1, 4, 5].map(pointwiseGroup)).size).toBe(1)
    packPointwise(weight, 1, 8, packed(64))
    float32(scalesAt, 1).fill(1)
    kernels.pointwise(inputAt, outputAt, 1, 16, 32, 8, 8, weightsAt, scalesAt, biasesAt, 1)
    expect(new Int16Array(kernels.memory.buffer, outputAt, 1)[0]).toBe(127 * 258)
  })
})

describe('the depthwise kernel', () => {
  const sizes = [
    [1, 1, 16],
    [1, 5, 16],
    [4, 1, 32],
    [2, 3, 48],
    [7, 7, 16],
    [6, 9, 32],
  ] as const
  const sides = [3, 5] as const
  test.for(
    sizes.flatMap(([height, width, channels]) =>
      [1, 2].flatMap((stride) => sides.map((side) => [side, height, width, channels, stride] as const)),
    ),
  )('by %i taps squared on %i x %i pixels, %i channels, stride %i', ([side, height, width, channels, stride]) => {
    const { kernels, levels, fillLevels, fillFloat32, weights, packed } = setUp(height * 10 + width)
    const input = fillLevels(inputAt, height * width * channels)
    const weight = weights(side * side * channels)
    packDepthwise(weight, side, channels, packed(channels * depthwiseTaps(side)))
    const scales = fillFloat32(scalesAt, channels, 0.02)
    const biases = fillFloat32(biasesAt, channels, 100)
    levels(zerosAt, channels).fill(64)

    const geometry = [height, width, channels, side, stride]
    kernels.depthwise(inputAt, outputAt, ...geometry, weightsAt, scalesAt, biasesAt, zerosAt, tapsAt)

    const expected: number[] = []
    for (let y = 0; y < height; y += stride)
      for (let x = 0; x < width; x += stride)
        for (let c = 0; c < channels; c++) {
          let sum = 0
          for (let tap = 0; tap < side * side; tap++) {
            const row = y + Math.floor(tap / side) - (side >> 1)
            const column = x + (tap % side) - (side >> 1)
            const isInside = row >= 0 && row < height && column >= 0 && column < width
            sum += (isInside ? input[(row * width + column) * channels + c]! : 64) * weight[tap * channels + c]!
          }
          expected.push(finish(sum, scales[c]!, biases[c]!))
        }
    expect([...levels(outputAt, expected.length)]).toEqual(expected)
    expect([...levels(outputAt + expected.length, 8)], 'after the end').toEqual(Array(8).fill(0))
  })

  test.for([3, 5] as const)('by %i taps squared holds the largest sum of five taps', (side) => {
    const { kernels, levels, float32, packed } = setUp(1)
    levels(inputAt, side * side * 16).fill(127)
    const taps = Int8Array.from({ length: side * side * 16 }, (_, index) => [127, 127, 4, 0, 0][(index >> 4) % 5]!)
    packDepthwise(taps, side, 16, packed(16 * depthwiseTaps(side)))
    float32(scalesAt, 16).fill(5e-4)
    kernels.depthwise(inputAt, outputAt, side, side, 16, side, 1, weightsAt, scalesAt, biasesAt, zerosAt, tapsAt)
    const middle = ((side * side) >> 1) * 16
    expect(levels(outputAt + middle, 1)[0]).toBe(Math.trunc(127 * (side === 3 ? 2 : 5) * 258 * 5e-4))
  })
})

test('add scales both tensors to the levels of their sum', () => {
  const { kernels, levels, fillLevels } = setUp(5)
  const a = fillLevels(inputAt, 48)
  const b = fillLevels(inputAt + 48, 48)
  kernels.add(inputAt, inputAt + 48, outputAt, 48, 0.5, 1.25, -48.3)
  expect([...levels(outputAt, 48)]).toEqual(
    Array.from(a, (level, i) => finish(level, 0.5, Math.fround(b[i]! * 1.25) + Math.fround(-48.3))),
  )
})

test('upsample2x repeats every pixel in both directions', () => {
  const { kernels, levels, fillLevels } = setUp(6)
  const [height, width, channels] = [3, 5, 16]
  const input = fillLevels(inputAt, height * width * channels)
  kernels.upsample2x(inputAt, outputAt, height, width, channels)
  const expected = Array.from({ length: height * width * channels * 4 }, (_, index) => {
    const [y, x, c] = [
      Math.floor(index / channels / width / 2),
      Math.floor(index / channels) % (width * 2),
      index % channels,
    ]
    return input[((y >> 1) * width + (x >> 1)) * channels + c]!
  })
  expect([...levels(outputAt, expected.length)]).toEqual(expected)
})
