/** Enlarges a map of one value per pixel by linear interpolation; `ratio` is small pixels to one large pixel, at most 1. */
export function enlarge(
  small: { readonly width: number; readonly height: number; readonly values: Float32Array },
  width: number,
  height: number,
  ratio: number,
): Float32Array {
  const out = new Float32Array(width * height)
  const place = (index: number, length: number) => Math.max(0, Math.min(length - 1, (index + 0.5) * ratio - 0.5))
  for (let y = 0, index = 0; y < height; y++) {
    const v = place(y, small.height)
    const top = Math.floor(v)
    const below = Math.min(small.height - 1, top + 1)
    for (let x = 0; x < width; x++, index++) {
      const u = place(x, small.width)
      const left = Math.floor(u)
      const right = Math.min(small.width - 1, left + 1)
      const mix = (row: number) => {
        const before = small.values[row * small.width + left]!
        return before + (small.values[row * small.width + right]! - before) * (u - left)
      }
      out[index] = mix(top) + (mix(below) - mix(top)) * (v - top)
    }
  }
  return out
}
