import type { Picture, Point } from '../picture.ts'

/** Downscales by area averaging to at most `edge` pixels on the longest edge. Colours are weighted by opacity. */
export function shrink(picture: Picture, edge: number): Picture {
  const longest = Math.max(picture.width, picture.height)
  if (longest <= edge) return picture
  const scale = edge / longest
  return resample(
    picture,
    Math.max(1, Math.round(picture.width * scale)),
    Math.max(1, Math.round(picture.height * scale)),
  )
}

/** Downscales an opaque picture by a whole number of at most 16, to the means of blocks. Drops incomplete blocks. */
export function shrinkByFactor(picture: Picture, factor: number): Picture {
  if (factor <= 1) return picture
  const width = Math.max(1, Math.floor(picture.width / factor))
  const height = Math.max(1, Math.floor(picture.height / factor))
  const source = new Uint32Array(picture.data.buffer, picture.data.byteOffset, picture.width * picture.height)
  const data = new Uint8ClampedArray(width * height * 4)
  const columns = Math.min(factor, picture.width)
  const rows = Math.min(factor, picture.height)
  const share = 1 / (columns * rows)
  for (let y = 0, out = 0; y < height; y++) {
    for (let x = 0; x < width; x++, out += 4) {
      // Sums red in the lower 16 bits and blue in the upper 16 bits, each of which holds up to 257 bytes.
      let redAndBlue = 0
      let green = 0
      for (let row = 0; row < rows; row++) {
        const from = (y * factor + row) * picture.width + x * factor
        for (let at = from; at < from + columns; at++) {
          const pixel = source[at]!
          redAndBlue += pixel & 0xff00ff
          green += (pixel >>> 8) & 0xff
        }
      }
      data[out] = (redAndBlue & 0xffff) * share
      data[out + 1] = green * share
      data[out + 2] = (redAndBlue >>> 16) * share
      data[out + 3] = 255
    }
  }
  return { width, height, data }
}

/** Adds each source pixel to the target pixels that it overlaps, by the overlapping area. */
function resample(picture: Picture, width: number, height: number): Picture {
  const columns = overlaps(picture.width, width)
  const rows = overlaps(picture.height, height)
  const sums = new Float32Array(width * 4)
  const data = new Uint8ClampedArray(width * height * 4)
  let weight = 0
  const flush = (y: number) => {
    for (let x = 0; x < width; x++) {
      const opacity = sums[x * 4 + 3]!
      for (let channel = 0; channel < 3; channel++)
        data[(y * width + x) * 4 + channel] = opacity > 0 ? sums[x * 4 + channel]! / opacity : 255
      data[(y * width + x) * 4 + 3] = (opacity * 255) / weight
    }
    sums.fill(0)
    weight = 0
  }
  const addRow = (row: number, share: number) => {
    for (let x = 0, at = row * picture.width * 4; x < picture.width; x++, at += 4) {
      const opacity = (picture.data[at + 3]! / 255) * share
      const first = columns.target[x]! * 4
      const split = columns.share[x]!
      add(first, at, opacity * split)
      if (split < 1) add(first + 4, at, opacity * (1 - split))
    }
    weight += (share * picture.width) / width
  }
  const add = (to: number, at: number, by: number) => {
    sums[to] = sums[to]! + picture.data[at]! * by
    sums[to + 1] = sums[to + 1]! + picture.data[at + 1]! * by
    sums[to + 2] = sums[to + 2]! + picture.data[at + 2]! * by
    sums[to + 3] = sums[to + 3]! + by
  }
  let y = 0
  for (let row = 0; row < picture.height; row++) {
    if (rows.target[row]! > y) flush(y++)
    const split = rows.share[row]!
    addRow(row, split)
    if (split < 1) {
      flush(y++)
      addRow(row, 1 - split)
    }
  }
  if (y < height) flush(y)
  return { width, height, data }
}

/**
 * Returns each source index's first target index and the share that falls into it. The next target gets the remainder.
 */
function overlaps(from: number, to: number) {
  const target = new Uint16Array(from)
  const share = new Float32Array(from)
  const ratio = to / from
  for (let index = 0; index < from; index++) {
    const start = index * ratio
    const end = start + ratio
    const first = Math.min(to - 1, Math.floor(start + 1e-9))
    target[index] = first
    share[index] = end - first > 1 + 1e-6 && first + 1 < to ? (first + 1 - start) / ratio : 1
  }
  return { target, share }
}

/** Converts a point to a copy `factor` times smaller. Pixel centres are whole numbers in both. */
export function shrinkPoint([x, y]: Point, factor: number): Point {
  return [(x - (factor - 1) / 2) / factor, (y - (factor - 1) / 2) / factor]
}

export function enlargePoint([x, y]: Point, factor: number): Point {
  return [x * factor + (factor - 1) / 2, y * factor + (factor - 1) / 2]
}
