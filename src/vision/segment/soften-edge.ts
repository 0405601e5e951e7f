import type { Picture } from '../picture.ts'
import type { Mask } from './mask.ts'

/** In pixels: at this distance from the edge, the colours of garment and background are pure. */
const reach = 3

/**
 * Coverage of each pixel by the garment, 0 to 255. At the edge it follows from the pixel's colour, a blend of those
 * further in and further out, so that the outline is exact to a fraction of a pixel.
 */
export function softenEdge({ width, height, data: pixels }: Picture, { data }: Mask): Uint8Array {
  const coverage = new Uint8Array(data.length)
  const inside = (x: number, y: number) => (x < 0 || y < 0 || x >= width || y >= height ? 0 : data[y * width + x]!)
  for (let y = 0, index = 0; y < height; y++) {
    for (let x = 0; x < width; x++, index++) {
      const own = data[index]!
      const isEdge =
        (x > 0 && data[index - 1] !== own) ||
        (x < width - 1 && data[index + 1] !== own) ||
        (y > 0 && data[index - width] !== own) ||
        (y < height - 1 && data[index + width] !== own)
      coverage[index] = own * 255
      if (!isEdge) continue
      let dx = 0
      let dy = 0
      for (let j = -2; j <= 2; j++) {
        for (let i = -2; i <= 2; i++) {
          const weight = inside(x + i, y + j)
          dx += i * weight
          dy += j * weight
        }
      }
      const length = Math.hypot(dx, dy)
      if (length < 1) continue
      const inX = Math.round(x + (dx / length) * reach)
      const inY = Math.round(y + (dy / length) * reach)
      const outX = Math.round(x - (dx / length) * reach)
      const outY = Math.round(y - (dy / length) * reach)
      if (inside(inX, inY) !== 1 || inside(outX, outY) !== 0) continue
      if (outX < 0 || outY < 0 || outX >= width || outY >= height) continue
      coverage[index] = 255 * blendShare(pixels, index * 4, (inY * width + inX) * 4, (outY * width + outX) * 4, own)
    }
  }
  return coverage
}

/** How much of `inside` there is in the blend at `at`, by projection on the line between the two colours. */
function blendShare(pixels: Uint8ClampedArray, at: number, inside: number, outside: number, own: number): number {
  let along = 0
  let total = 0
  for (let channel = 0; channel < 3; channel++) {
    const span = pixels[inside + channel]! - pixels[outside + channel]!
    along += (pixels[at + channel]! - pixels[outside + channel]!) * span
    total += span * span
  }
  if (total < 300) return own
  return Math.max(0, Math.min(1, along / total))
}
