/**
 * Enlarges a map of one value per pixel by linear interpolation; `ratio` is small pixels to one large pixel, at most 1.
 */
export function enlarge(
  small: { readonly width: number; readonly height: number; readonly values: Float32Array },
  width: number,
  height: number,
  ratio: number,
): Float32Array {
  const out = new Float32Array(width * height)
  const { values } = small
  const place = (index: number, length: number) => Math.max(0, Math.min(length - 1, (index + 0.5) * ratio - 0.5))
  const columns = Float32Array.from({ length: width }, (_, x) => place(x, small.width))
  for (let y = 0, index = 0; y < height; y++) {
    const v = place(y, small.height)
    const row = Math.floor(v)
    const top = row * small.width
    const below = Math.min(small.height - 1, row + 1) * small.width
    for (let x = 0; x < width; x++, index++) {
      const u = columns[x]!
      const left = Math.floor(u)
      const right = Math.min(small.width - 1, left + 1)
      const upper = values[top + left]! + (values[top + right]! - values[top + left]!) * (u - left)
      const lower = values[below + left]! + (values[below + right]! - values[below + left]!) * (u - left)
      out[index] = upper + (lower - upper) * (v - row)
    }
  }
  return out
}
