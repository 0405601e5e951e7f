import { highPair, lowPair, storeSums } from './quantise'

/**
 * Depthwise 5x5 convolution with zero padding 2 and stride 1 or 2, otherwise as `pointwise`. `weights` are int16,
 * packed `[c / 8][row][column / 2][c % 8][column % 2]` with a sixth column of weight 0. `zeros` are 8 zeros, read in
 * place of columns outside the picture; rows outside are skipped.
 */
export function depthwise5x5(
  input: usize,
  output: usize,
  height: i32,
  width: i32,
  channels: i32,
  stride: i32,
  weights: usize,
  scales: usize,
  biases: usize,
  low: f32,
  high: f32,
  zeros: usize,
): void {
  const lows = f32x4.splat(low)
  const highs = f32x4.splat(high)
  const bytes = (<usize>channels) << 1
  const rowBytes = <usize>width * bytes
  for (let y = 0; y < height; y += stride) {
    const first = max(0, y - 2)
    const last = min(height - 1, y + 2)
    const firstWeights = <usize>(first - y + 2) * 96
    for (let x = 0; x < width; x += stride) {
      const hasSecondLeft = x >= 2
      const hasLeft = x >= 1
      const hasRight = x + 1 < width
      const hasSecondRight = x + 2 < width
      let start = input + <usize>first * rowBytes + <usize>x * bytes
      let weight = weights
      let scale = scales
      let bias = biases
      for (let c: usize = 0; c < bytes; c += 16) {
        let low4 = i32x4.splat(0),
          high4 = i32x4.splat(0)
        let centre = start
        let tap = weight + firstWeights
        for (let row = first; row <= last; row++) {
          let a = v128.load(hasSecondLeft ? centre - 2 * bytes : zeros),
            b = v128.load(hasLeft ? centre - bytes : zeros)
          low4 = i32x4.add(low4, lowPair(a, b, tap))
          high4 = i32x4.add(high4, highPair(a, b, tap))
          a = v128.load(centre)
          b = v128.load(hasRight ? centre + bytes : zeros)
          low4 = i32x4.add(low4, lowPair(a, b, tap + 32))
          high4 = i32x4.add(high4, highPair(a, b, tap + 32))
          a = v128.load(hasSecondRight ? centre + 2 * bytes : zeros)
          low4 = i32x4.add(low4, lowPair(a, a, tap + 64))
          high4 = i32x4.add(high4, highPair(a, a, tap + 64))
          centre += rowBytes
          tap += 96
        }
        storeSums(output, low4, high4, scale, bias, lows, highs)
        start += 16
        weight += 480
        scale += 32
        bias += 32
        output += 16
      }
    }
  }
}
