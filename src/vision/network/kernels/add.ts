import { affine, store8 } from './quantise'

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
