import { storeSums } from './quantise'

/** Adds 2 inputs (both in every 32 bits of `x`) times 4 outputs' weights to the 4 outputs' sums. */
function dot(sums: v128, x: v128, weights: v128): v128 {
  return i32x4.add(sums, i32x4.dot_i16x8_s(x, weights))
}

/**
 * 1x1 convolution: `output[p][o] = round(clamp(sum(input[p][i] * weights[o][i]) * scales[o] + biases[o], low, high))`.
 * `weights` are packed `[o / 8][i / 2][o % 8][i % 2]`. 4 pixels x 8 outputs are summed at a time, in registers.
 */
export function pointwise(
  input: usize,
  output: usize,
  pixels: i32,
  inChannels: i32,
  outChannels: i32,
  weights: usize,
  scales: usize,
  biases: usize,
  low: f32,
  high: f32,
): void {
  const lows = f32x4.splat(low)
  const highs = f32x4.splat(high)
  const zero = i32x4.splat(0)
  const inBytes = (<usize>inChannels) << 1
  const outBytes = (<usize>outChannels) << 1
  for (let o = 0; o < outChannels; o += 8) {
    let source = input
    let target = output + ((<usize>o) << 1)
    let left = pixels
    for (; left >= 4; left -= 4) {
      let a0 = zero,
        a1 = zero,
        b0 = zero,
        b1 = zero,
        c0 = zero,
        c1 = zero,
        d0 = zero,
        d1 = zero
      let weight = weights
      let second = source + inBytes
      let third = second + inBytes
      let fourth = third + inBytes
      for (const stop = second; source < stop; source += 4) {
        const w0 = v128.load_ext<i8>(weight)
        const w1 = v128.load_ext<i8>(weight, 8)
        const a = v128.load_splat<i32>(source)
        a0 = dot(a0, a, w0)
        a1 = dot(a1, a, w1)
        const b = v128.load_splat<i32>(second)
        b0 = dot(b0, b, w0)
        b1 = dot(b1, b, w1)
        const c = v128.load_splat<i32>(third)
        c0 = dot(c0, c, w0)
        c1 = dot(c1, c, w1)
        const d = v128.load_splat<i32>(fourth)
        d0 = dot(d0, d, w0)
        d1 = dot(d1, d, w1)
        weight += 16
        second += 4
        third += 4
        fourth += 4
      }
      storeSums(target, a0, a1, scales, biases, lows, highs)
      storeSums(target + outBytes, b0, b1, scales, biases, lows, highs)
      storeSums(target + 2 * outBytes, c0, c1, scales, biases, lows, highs)
      storeSums(target + 3 * outBytes, d0, d1, scales, biases, lows, highs)
      source = fourth
      target += outBytes << 2
    }
    for (; left > 0; left--) {
      let a0 = zero,
        a1 = zero
      let weight = weights
      for (const stop = source + inBytes; source < stop; source += 4) {
        const a = v128.load_splat<i32>(source)
        a0 = dot(a0, a, v128.load_ext<i8>(weight))
        a1 = dot(a1, a, v128.load_ext<i8>(weight, 8))
        weight += 16
      }
      storeSums(target, a0, a1, scales, biases, lows, highs)
      target += outBytes
    }
    weights += inBytes << 2
    scales += 32
    biases += 32
  }
}
