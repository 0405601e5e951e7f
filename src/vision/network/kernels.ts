/**
 * The network's kernels in AssemblyScript: WASM SIMD without relaxed instructions, so every machine computes the same
 * bits. `npm run kernels` compiles them to `kernels.wasm`, which is committed; a test compares the two.
 *
 * A tensor is int16 in height x width x channels order, channels a multiple of 8. Activations lie between -16383 and
 * 16383. Sums are int32: whoever loads weights checks that no sum can overflow.
 * Pointers are byte addresses; nothing is allocated or checked here.
 */

/** Adding 1.5 * 2^23 rounds a small float32 to an integer (half to even), which is then in its low bits. */
const ROUNDER: f32 = 12582912
const ROUNDER_BITS: i32 = 0x4b400000

/** `round(clamp(real, low, high))` of 2 x 4 float32 to 8 int16 at `target`. */
function store8(target: usize, first: v128, second: v128, low: v128, high: v128): void {
  first = f32x4.pmin(f32x4.pmax(first, low), high)
  second = f32x4.pmin(f32x4.pmax(second, low), high)
  first = i32x4.sub(f32x4.add(first, f32x4.splat(ROUNDER)), i32x4.splat(ROUNDER_BITS))
  second = i32x4.sub(f32x4.add(second, f32x4.splat(ROUNDER)), i32x4.splat(ROUNDER_BITS))
  v128.store(target, i16x8.narrow_i32x4_s(first, second))
}

/** `sums * scale + bias` in float32. */
function affine(sums: v128, scale: v128, bias: v128): v128 {
  return f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(sums), scale), bias)
}

/** Stores `round(clamp(sums * scales + biases))` of 8 neighbouring channels. */
function storeSums(target: usize, a: v128, b: v128, scales: usize, biases: usize, low: v128, high: v128): void {
  const first = affine(a, v128.load(scales), v128.load(biases))
  const second = affine(b, v128.load(scales, 16), v128.load(biases, 16))
  store8(target, first, second, low, high)
}

/** Two taps of channels 0 to 3, interleaved, times their weights. */
function lowPair(a: v128, b: v128, weights: usize): v128 {
  return i32x4.dot_i16x8_s(v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11), v128.load(weights))
}

/** The same for channels 4 to 7. */
function highPair(a: v128, b: v128, weights: usize): v128 {
  return i32x4.dot_i16x8_s(v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15), v128.load(weights, 16))
}

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

/** `output[i] = round(clamp(a[i] * scaleA + b[i] * scaleB, low, high))`; `count` is a multiple of 8. */
export function add(
  a: usize,
  b: usize,
  output: usize,
  count: i32,
  scaleA: f32,
  scaleB: f32,
  low: f32,
  high: f32,
): void {
  const lows = f32x4.splat(low)
  const highs = f32x4.splat(high)
  const factorA = f32x4.splat(scaleA)
  const factorB = f32x4.splat(scaleB)
  const bytes = (<usize>count) << 1
  for (let i: usize = 0; i < bytes; i += 16) {
    const x = v128.load(a + i)
    const y = v128.load(b + i)
    const first = affine(
      i32x4.extend_low_i16x8_s(x),
      factorA,
      f32x4.mul(f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(y)), factorB),
    )
    const second = affine(
      i32x4.extend_high_i16x8_s(x),
      factorA,
      f32x4.mul(f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(y)), factorB),
    )
    store8(output + i, first, second, lows, highs)
  }
}

/** Writes every pixel of `input` 2 x 2 times. */
export function upsample2x(input: usize, output: usize, height: i32, width: i32, channels: i32): void {
  const bytes = (<usize>channels) << 1
  const rowBytes = (<usize>width * bytes) << 1
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let c: usize = 0; c < bytes; c += 16) {
        const value = v128.load(input)
        const target = output + c
        v128.store(target, value)
        v128.store(target + bytes, value)
        v128.store(target + rowBytes, value)
        v128.store(target + rowBytes + bytes, value)
        input += 16
      }
      output += 2 * bytes
    }
    output += rowBytes
  }
}
