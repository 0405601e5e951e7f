import type { Picture } from '../picture.ts'

/**
 * Shrinks a picture by a whole number while its pixels arrive, in any order, so that the full picture is never in
 * memory. Each output pixel is the mean of its block, with colours weighted by opacity.
 */
export interface PixelBins {
  /** Adds `count` RGBA pixels of row `y`: the first at column `x`, the others `dx` columns apart. */
  add(rgba: Uint8Array, count: number, x: number, y: number, dx: number): void
  finish(): Picture
}

/** @param edge the longest edge of the output is at most this many pixels */
export function createPixelBins(fullWidth: number, fullHeight: number, edge: number): PixelBins {
  const factor = Math.max(1, Math.ceil(Math.max(fullWidth, fullHeight) / edge))
  const width = Math.ceil(fullWidth / factor)
  const height = Math.ceil(fullHeight / factor)
  const sums = new Float32Array(width * height * 4)
  return {
    add: (rgba, count, x, y, dx) => {
      const line = Math.floor(y / factor) * width
      for (let pixel = 0, from = 0; pixel < count; pixel++, from += 4) {
        const at = (line + Math.floor((x + pixel * dx) / factor)) * 4
        const opacity = rgba[from + 3]!
        sums[at] = sums[at]! + rgba[from]! * opacity
        sums[at + 1] = sums[at + 1]! + rgba[from + 1]! * opacity
        sums[at + 2] = sums[at + 2]! + rgba[from + 2]! * opacity
        sums[at + 3] = sums[at + 3]! + opacity
      }
    },
    finish: () => {
      const data = new Uint8ClampedArray(width * height * 4)
      for (let y = 0, at = 0; y < height; y++) {
        for (let x = 0; x < width; x++, at += 4) {
          const pixels = Math.min(factor, fullWidth - x * factor) * Math.min(factor, fullHeight - y * factor)
          const opacity = sums[at + 3]!
          for (let channel = at; channel < at + 3; channel++)
            data[channel] = opacity > 0 ? sums[channel]! / opacity : 255
          data[at + 3] = opacity / pixels
        }
      }
      return { width, height, data }
    },
  }
}
