/** Adding 1.5 * 2^23 rounds a small float32 to an integer (half to even), which is then in its low bits. */
const ROUNDER: f32 = 12582912
const ROUNDER_BITS: i32 = 0x4b400000

/** `round(clamp(real, low, high))` of 2 x 4 float32 to 8 int16 at `target`. */
export function store8(target: usize, first: v128, second: v128, low: v128, high: v128): void {
  first = f32x4.pmin(f32x4.pmax(first, low), high)
  second = f32x4.pmin(f32x4.pmax(second, low), high)
  first = i32x4.sub(f32x4.add(first, f32x4.splat(ROUNDER)), i32x4.splat(ROUNDER_BITS))
  second = i32x4.sub(f32x4.add(second, f32x4.splat(ROUNDER)), i32x4.splat(ROUNDER_BITS))
  v128.store(target, i16x8.narrow_i32x4_s(first, second))
}

/** `sums * scale + bias` in float32. */
export function affine(sums: v128, scale: v128, bias: v128): v128 {
  return f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(sums), scale), bias)
}

/** Stores `round(clamp(sums * scales + biases))` of 8 neighbouring channels. */
export function storeSums(target: usize, a: v128, b: v128, scales: usize, biases: usize, low: v128, high: v128): void {
  const first = affine(a, v128.load(scales), v128.load(biases))
  const second = affine(b, v128.load(scales, 16), v128.load(biases, 16))
  store8(target, first, second, low, high)
}

/** Two taps of channels 0 to 3, interleaved, times their weights. */
export function lowPair(a: v128, b: v128, weights: usize): v128 {
  return i32x4.dot_i16x8_s(v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11), v128.load(weights))
}

/** The same for channels 4 to 7. */
export function highPair(a: v128, b: v128, weights: usize): v128 {
  return i32x4.dot_i16x8_s(v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15), v128.load(weights, 16))
}
