import type { Box, Picture } from '../picture.ts'

/** Around the garment, as a share of its box's longer side. */
const marginShare = 0.06

/**
 * The same picture with everything painted over but the box around one garment.
 * @param level of red, green and blue outside of the box
 */
export function maskOthers(
  { width, height, data }: Picture,
  { left, top, right, bottom }: Box,
  level: number,
): Picture {
  const margin = Math.round(marginShare * Math.max(right - left, bottom - top))
  const first = Math.max(0, left - margin)
  const end = Math.min(width, right + margin)
  const out = new Uint8ClampedArray(data.length).fill(level)
  for (let y = Math.max(0, top - margin); y < Math.min(height, bottom + margin); y++)
    out.set(data.subarray((y * width + first) * 4, (y * width + end) * 4), (y * width + first) * 4)
  return { width, height, data: out }
}
