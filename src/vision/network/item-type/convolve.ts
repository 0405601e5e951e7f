import type { Convolution } from './maps.ts'
import { multiply, pack } from './multiply.ts'
import type { Layer } from './read-weights.ts'

/**
 * A convolution of any odd size and stride with half-size zero padding: every output place's patch becomes one row of
 * a matrix, which is multiplied with the weights.
 */
export function convolve(layer: Layer): Convolution {
  const { channelsIn, channelsOut, size, stride, biases } = layer
  const each = size * size * channelsIn
  // `multiply` wants even rows of patches and columns in fours; the surplus is zero and dropped.
  const inner = each + (each & 1)
  const columns = Math.ceil(channelsOut / 4) * 4
  const weights = new Float32Array(columns * inner)
  for (let out = 0; out < channelsOut; out++) {
    weights.set(layer.weights.subarray(out * each, (out + 1) * each), out * inner)
  }
  const packed = pack(weights, inner, columns)
  const reach = (size - 1) / 2

  return (input) => {
    const sizeOut = Math.ceil(input.size / stride)
    const places = input.images * sizeOut * sizeOut
    const rows = places + (places & 1)
    const patches = new Float32Array(rows * inner)
    for (let place = 0; place < places; place++) {
      const column = place % sizeOut
      const row = Math.floor(place / sizeOut) % sizeOut
      const image = Math.floor(place / (sizeOut * sizeOut))
      let at = place * inner
      for (let dy = -reach; dy <= reach; dy++) {
        for (let dx = -reach; dx <= reach; dx++, at += channelsIn) {
          const y = row * stride + dy
          const x = column * stride + dx
          if (y < 0 || x < 0 || y >= input.size || x >= input.size) continue
          const from = ((image * input.size + y) * input.size + x) * channelsIn
          for (let c = 0; c < channelsIn; c++) patches[at + c] = input.data[from + c]!
        }
      }
    }
    const product = new Float32Array(rows * columns)
    multiply(patches, 0, packed, 0, product, 0, rows, inner, columns)
    const data = new Float32Array(places * channelsOut)
    for (let place = 0; place < places; place++) {
      for (let c = 0; c < channelsOut; c++) data[place * channelsOut + c] = product[place * columns + c]! + biases[c]!
    }
    return { images: input.images, size: sizeOut, channels: channelsOut, data }
  }
}
