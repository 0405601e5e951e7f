import { highPair, lowPair, storeSums } from './quantise'

/**
 * Depthwise 3x3 convolution with zero padding 1 and stride 1 or 2, otherwise as `pointwise`. `weights` are int16,
 * packed `[c / 8][tap / 2][c % 8][tap % 2]` with a tenth tap of weight 0. `zeros` are `channels` zeros, read outside
 * the picture.
 */
export function depthwise3x3(
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
    const row = input + <usize>y * rowBytes
    for (let x = 0; x < width; x += stride) {
      const isLeft = x == 0
      const isRight = x + 1 == width
      const p4 = row + <usize>x * bytes
      const p3 = isLeft ? zeros : p4 - bytes
      const p5 = isRight ? zeros : p4 + bytes
      const p1 = y == 0 ? zeros : p4 - rowBytes
      const p0 = y == 0 || isLeft ? zeros : p1 - bytes
      const p2 = y == 0 || isRight ? zeros : p1 + bytes
      const p7 = y + 1 == height ? zeros : p4 + rowBytes
      const p6 = y + 1 == height || isLeft ? zeros : p7 - bytes
      const p8 = y + 1 == height || isRight ? zeros : p7 + bytes
      let weight = weights
      let scale = scales
      let bias = biases
      for (let c: usize = 0; c < bytes; c += 16) {
        let a = v128.load(p0 + c),
          b = v128.load(p1 + c)
        let low4 = lowPair(a, b, weight),
          high4 = highPair(a, b, weight)
        a = v128.load(p2 + c)
        b = v128.load(p3 + c)
        low4 = i32x4.add(low4, lowPair(a, b, weight + 32))
        high4 = i32x4.add(high4, highPair(a, b, weight + 32))
        a = v128.load(p4 + c)
        b = v128.load(p5 + c)
        low4 = i32x4.add(low4, lowPair(a, b, weight + 64))
        high4 = i32x4.add(high4, highPair(a, b, weight + 64))
        a = v128.load(p6 + c)
        b = v128.load(p7 + c)
        low4 = i32x4.add(low4, lowPair(a, b, weight + 96))
        high4 = i32x4.add(high4, highPair(a, b, weight + 96))
        a = v128.load(p8 + c)
        low4 = i32x4.add(low4, lowPair(a, a, weight + 128))
        high4 = i32x4.add(high4, highPair(a, a, weight + 128))
        storeSums(output, low4, high4, scale, bias, lows, highs)
        weight += 160
        scale += 32
        bias += 32
        output += 16
      }
    }
  }
}
