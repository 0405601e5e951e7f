/**
 * Kernels of the network in AssemblyScript. Relaxed SIMD gives the same bits on every machine because of three rules:
 * the second operand of a dot product is 0 to 127, no sum overflows, and truncated values fit an int32. `npm run
 * kernels` compiles them to the committed `kernels.wasm`, and a test compares both.
 *
 * A tensor is bytes from 0 to 127 in height x width x channels order, with channels a multiple of 16. Products are
 * summed as int16 over four weights of an output, then as int32. Loading weights checks that no sum can overflow, and
 * adds zero points and rounding halves to the biases. Pointers are byte addresses. Nothing is allocated or checked
 * here.
 */

/** Computes `sums * scale + bias` in float32. */
function affine(sums: v128, scale: v128, bias: v128): v128 {
  return f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(sums), scale), bias)
}

/** Truncates 2 x 4 float32 to 8 int16. */
function narrow(first: v128, second: v128): v128 {
  return i16x8.narrow_i32x4_s(i32x4.relaxed_trunc_f32x4_s(first), i32x4.relaxed_trunc_f32x4_s(second))
}

/** Computes `sums * scales + biases` of 8 neighbouring channels as int16. */
function finish(a: v128, b: v128, scales: usize, biases: usize): v128 {
  const first = affine(a, v128.load(scales), v128.load(biases))
  return narrow(first, affine(b, v128.load(scales, 16), v128.load(biases, 16)))
}

/** Clamps 16 int16 to levels. */
function toLevels(low: v128, high: v128): v128 {
  return i8x16.max_s(i8x16.narrow_i16x8_s(low, high), i8x16.splat(0))
}

/** Adds products of eight inputs (four in each 32 bits of `x` and of `y`) and four outputs' weights to the sums. */
function dot(sums: v128, x: v128, y: v128, weights: v128, others: v128): v128 {
  const products = i16x8.add(i16x8.relaxed_dot_i8x16_i7x16_s(weights, x), i16x8.relaxed_dot_i8x16_i7x16_s(others, y))
  return i32x4.add(sums, i32x4.extadd_pairwise_i16x8_s(products))
}

function storeOutputs(target: usize, a: v128, b: v128, scales: usize, biases: usize, isWide: bool): void {
  const values = finish(a, b, scales, biases)
  if (isWide) v128.store(target, values)
  else v128.store64_lane(target, toLevels(values, values), 0)
}

/**
 * 1 x 1 convolution: `output[p][o] = clamp(trunc(sum(input[p][i] * weights[o][i]) * scales[o] + biases[o]))`. Pixels
 * have `inStride` and `outStride` bytes, of which multiples of 8 channels are used. `weights` are packed `[o / 8][i /
 * 4][o % 8][i % 4]`. Sums of 4 pixels x 8 outputs stay in registers. Outputs are int16 if `isWide`.
 */
export function pointwise(
  input: usize,
  output: usize,
  pixels: i32,
  inStride: usize,
  outStride: usize,
  inChannels: usize,
  outChannels: usize,
  weights: usize,
  scales: usize,
  biases: usize,
  isWide: bool,
): void {
  const zero = i32x4.splat(0)
  for (let o: usize = 0; o < outChannels; o += 8) {
    let source = input
    let target = output + (isWide ? o << 1 : o)
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
      let first = source
      let second = first + inStride
      let third = second + inStride
      let fourth = third + inStride
      source = fourth + inStride
      for (const stop = first + inChannels; first < stop; first += 8) {
        const w0 = v128.load(weight)
        const w1 = v128.load(weight, 16)
        const w2 = v128.load(weight, 32)
        const w3 = v128.load(weight, 48)
        let x = v128.load_splat<i32>(first)
        let y = v128.load_splat<i32>(first, 4)
        a0 = dot(a0, x, y, w0, w2)
        a1 = dot(a1, x, y, w1, w3)
        x = v128.load_splat<i32>(second)
        y = v128.load_splat<i32>(second, 4)
        b0 = dot(b0, x, y, w0, w2)
        b1 = dot(b1, x, y, w1, w3)
        x = v128.load_splat<i32>(third)
        y = v128.load_splat<i32>(third, 4)
        c0 = dot(c0, x, y, w0, w2)
        c1 = dot(c1, x, y, w1, w3)
        x = v128.load_splat<i32>(fourth)
        y = v128.load_splat<i32>(fourth, 4)
        d0 = dot(d0, x, y, w0, w2)
        d1 = dot(d1, x, y, w1, w3)
        weight += 64
        second += 8
        third += 8
        fourth += 8
      }
      storeOutputs(target, a0, a1, scales, biases, isWide)
      storeOutputs(target + outStride, b0, b1, scales, biases, isWide)
      storeOutputs(target + 2 * outStride, c0, c1, scales, biases, isWide)
      storeOutputs(target + 3 * outStride, d0, d1, scales, biases, isWide)
      target += outStride << 2
    }
    for (; left > 0; left--) {
      let a0 = zero,
        a1 = zero
      let weight = weights
      for (let i: usize = 0; i < inChannels; i += 8) {
        const x = v128.load_splat<i32>(source + i)
        const y = v128.load_splat<i32>(source + i, 4)
        a0 = dot(a0, x, y, v128.load(weight), v128.load(weight, 32))
        a1 = dot(a1, x, y, v128.load(weight, 16), v128.load(weight, 48))
        weight += 64
      }
      storeOutputs(target, a0, a1, scales, biases, isWide)
      source += inStride
      target += outStride
    }
    weights += inChannels << 3
    scales += 32
    biases += 32
  }
}

/** Multiplies two interleaved taps of channels 0 to 7 by their weights, as int16. */
function lowPair(a: v128, b: v128, weights: usize): v128 {
  const taps = v128.shuffle<i8>(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
  return i16x8.relaxed_dot_i8x16_i7x16_s(v128.load(weights), taps)
}

/** Does the same for channels 8 to 15. */
function highPair(a: v128, b: v128, weights: usize): v128 {
  const taps = v128.shuffle<i8>(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
  return i16x8.relaxed_dot_i8x16_i7x16_s(v128.load(weights, 16), taps)
}

/**
 * Depthwise convolution of `side` x `side` taps with padding `side >> 1` and stride 1 or 2, otherwise like `pointwise`.
 * `weights` are packed `[c / 16][tap / 5][tap % 5 / 2][c % 16][tap % 5 % 2]`, with zero weights for a sixth tap of
 * five. `zeros` points to `channels` zero levels for pixels outside the picture. `taps` has room for 25 addresses.
 */
export function depthwise(
  input: usize,
  output: usize,
  height: i32,
  width: i32,
  channels: usize,
  side: i32,
  stride: i32,
  weights: usize,
  scales: usize,
  biases: usize,
  zeros: usize,
  taps: usize,
): void {
  const reach = side >> 1
  const groups = side == 3 ? 2 : 5
  store<usize>(taps + 36, zeros)
  for (let y = 0; y < height; y += stride) {
    for (let x = 0; x < width; x += stride) {
      let tap = taps
      for (let row = y - reach; row <= y + reach; row++) {
        // As unsigned numbers, negative positions lie beyond the last one.
        const columns = <u32>row < <u32>height ? width : 0
        let source = input + <usize>(row * width + x - reach) * channels
        for (let column = x - reach; column <= x + reach; column++) {
          store<usize>(tap, <u32>column < <u32>columns ? source : zeros)
          source += channels
          tap += 4
        }
      }
      let weight = weights
      let scale = scales
      let bias = biases
      for (let c: usize = 0; c < channels; c += 16) {
        let s0 = i32x4.splat(0),
          s1 = s0,
          s2 = s0,
          s3 = s0
        tap = taps
        for (let group = 0; group < groups; group++) {
          let a = v128.load(load<usize>(tap) + c),
            b = v128.load(load<usize>(tap, 4) + c)
          let low = lowPair(a, b, weight),
            high = highPair(a, b, weight)
          a = v128.load(load<usize>(tap, 8) + c)
          b = v128.load(load<usize>(tap, 12) + c)
          low = i16x8.add(low, lowPair(a, b, weight + 32))
          high = i16x8.add(high, highPair(a, b, weight + 32))
          a = v128.load(load<usize>(tap, 16) + c)
          low = i16x8.add(low, lowPair(a, a, weight + 64))
          high = i16x8.add(high, highPair(a, a, weight + 64))
          s0 = i32x4.add(s0, i32x4.extend_low_i16x8_s(low))
          s1 = i32x4.add(s1, i32x4.extend_high_i16x8_s(low))
          s2 = i32x4.add(s2, i32x4.extend_low_i16x8_s(high))
          s3 = i32x4.add(s3, i32x4.extend_high_i16x8_s(high))
          weight += 96
          tap += 20
        }
        v128.store(output, toLevels(finish(s0, s1, scale, bias), finish(s2, s3, scale + 32, bias + 32)))
        scale += 64
        bias += 64
        output += 16
      }
    }
  }
}

/** Computes `output[i] = clamp(trunc(a[i] * scaleA + (b[i] * scaleB + bias)))`. `count` is a multiple of 8. */
export function add(a: usize, b: usize, output: usize, count: usize, scaleA: f32, scaleB: f32, bias: f32): void {
  const factorA = f32x4.splat(scaleA)
  const factorB = f32x4.splat(scaleB)
  const biases = f32x4.splat(bias)
  for (let i: usize = 0; i < count; i += 8) {
    const x = v128.load_ext<u8>(a + i)
    const y = v128.load_ext<u8>(b + i)
    const first = affine(i32x4.extend_low_i16x8_s(y), factorB, biases)
    const second = affine(i32x4.extend_high_i16x8_s(y), factorB, biases)
    const sums = narrow(
      affine(i32x4.extend_low_i16x8_s(x), factorA, first),
      affine(i32x4.extend_high_i16x8_s(x), factorA, second),
    )
    v128.store64_lane(output + i, toLevels(sums, sums), 0)
  }
}

export function upsample2x(input: usize, output: usize, height: i32, width: i32, channels: usize): void {
  const rowBytes = (<usize>width * channels) << 1
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let c: usize = 0; c < channels; c += 16) {
        const value = v128.load(input)
        const target = output + c
        v128.store(target, value)
        v128.store(target + channels, value)
        v128.store(target + rowBytes, value)
        v128.store(target + rowBytes + channels, value)
        input += 16
      }
      output += 2 * channels
    }
    output += rowBytes
  }
}
