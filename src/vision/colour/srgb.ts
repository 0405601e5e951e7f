/** IEC 61966-2-1: a level of 0 to 255 to linear light of 0 to 1. */
export function toLinear(level: number): number {
  const share = level / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

/** The inverse of `toLinear`; not rounded. */
export function toSrgb(linear: number): number {
  return 255 * (linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055)
}
