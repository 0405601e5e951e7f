import type { Picture, Point } from '../picture.ts'

/** The green channel between pixel centres, by linear interpolation; beyond the picture that of its edge. */
export function levelAt({ width, height, data }: Picture, [x, y]: Point): number {
  const atX = Math.max(0, Math.min(width - 1.001, x))
  const atY = Math.max(0, Math.min(height - 1.001, y))
  const left = Math.floor(atX)
  const top = Math.floor(atY)
  const at = (top * width + left) * 4 + 1
  const below = at + width * 4
  const upper = data[at]! + (data[at + 4]! - data[at]!) * (atX - left)
  const lower = data[below]! + (data[below + 4]! - data[below]!) * (atX - left)
  return upper + (lower - upper) * (atY - top)
}
