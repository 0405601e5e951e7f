import { describe, expect, it } from 'vitest'
import { convolve } from '../../../../src/vision/network/item-type/convolve.ts'
import { convolveWinograd } from '../../../../src/vision/network/item-type/convolve-winograd.ts'
import type { Maps } from '../../../../src/vision/network/item-type/maps.ts'
import type { Layer } from '../../../../src/vision/network/item-type/read-weights.ts'

const random = (length: number, seed: number) =>
  Float32Array.from({ length }, (_, i) => ((Math.sin((i + 1) * 12.9898 + seed) * 43758.5453) % 1) - 0.1)

const layerOf = (channelsIn: number, channelsOut: number, size: 1 | 3, stride: number): Layer => ({
  channelsIn,
  channelsOut,
  size,
  stride,
  weights: random(channelsIn * channelsOut * size * size, 1),
  biases: random(channelsOut, 2),
})

const mapsOf = (images: number, size: number, channels: number): Maps => ({
  images,
  size,
  channels,
  data: random(images * size * size * channels, 3),
})

/** The definition, one sum after the other. */
function naive({ channelsIn, channelsOut, size, stride, weights, biases }: Layer, input: Maps): number[] {
  const sizeOut = Math.ceil(input.size / stride)
  const reach = (size - 1) / 2
  return Array.from({ length: input.images * sizeOut * sizeOut * channelsOut }, (_, i) => {
    const out = i % channelsOut
    const place = Math.floor(i / channelsOut)
    const [image, row, column] = [
      Math.floor(place / sizeOut ** 2),
      Math.floor(place / sizeOut) % sizeOut,
      place % sizeOut,
    ]
    let sum = biases[out]!
    for (let ky = 0; ky < size; ky++) {
      for (let kx = 0; kx < size; kx++) {
        const [y, x] = [row * stride + ky - reach, column * stride + kx - reach]
        if (y < 0 || x < 0 || y >= input.size || x >= input.size) continue
        for (let c = 0; c < channelsIn; c++) {
          const value = input.data[((image * input.size + y) * input.size + x) * channelsIn + c]!
          sum += value * weights[((out * size + ky) * size + kx) * channelsIn + c]!
        }
      }
    }
    return sum
  })
}

/** The largest difference between two results; infinite where their lengths differ. */
function difference(ours: Maps, theirs: readonly number[]): number {
  if (ours.data.length !== theirs.length) return Infinity
  return Math.max(...theirs.map((value, i) => Math.abs(ours.data[i]! - value)))
}

describe('convolve', () => {
  it.each([
    ['a single channel', 1, 16, 3, 1, 9],
    ['stride 2 on an even size', 16, 12, 3, 2, 14],
    ['stride 2 on an odd size', 4, 8, 3, 2, 7],
    ['one by one with stride 2', 6, 4, 1, 2, 14],
    ['a number of classes that is no multiple of 4', 8, 10, 1, 1, 1],
  ] as const)('is what the definition says: %s', (_, channelsIn, channelsOut, size, stride, edge) => {
    const layer = layerOf(channelsIn, channelsOut, size, stride)
    const input = mapsOf(2, edge, channelsIn)
    expect(difference(convolve(layer)(input), naive(layer, input))).toBeLessThan(1e-4)
  })
})

describe('convolveWinograd', () => {
  it.each([28, 14, 7, 5, 1])('gives the same as the plain way on maps of %i', (edge) => {
    const layer = layerOf(8, 12, 3, 1)
    const input = mapsOf(2, edge, 8)
    expect(difference(convolveWinograd(layer)(input), naive(layer, input))).toBeLessThan(1e-4)
  })
})
