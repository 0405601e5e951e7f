import type { PngChunks } from './read-png-chunks.ts'

/**
 * Converts the first `count` pixels of an unfiltered row to 8-bit RGBA; `rgba` has room for at least `count` pixels.
 */
export function unpackRow(chunks: PngChunks, row: Uint8Array, count: number, rgba: Uint8Array) {
  const { depth, samples, isGrey, palette, transparency } = chunks
  if (depth === 8 && samples === 4) {
    rgba.set(row.subarray(0, count * 4))
    return
  }
  // Of 16 bits the high byte is kept; 1, 2 or 4 bits are scaled to the range of 0 to 255.
  const bytesEach = depth === 16 ? 2 : 1
  const spread = palette === undefined && depth < 8 ? 255 / ((1 << depth) - 1) : 1
  const sample = (index: number) => {
    if (depth >= 8) return row[index * bytesEach]!
    const bit = index * depth
    return (row[bit >> 3]! >> (8 - depth - (bit & 7))) & ((1 << depth) - 1)
  }
  const clear =
    palette === undefined && transparency !== undefined ? clearColour(transparency, depth, samples) : undefined
  for (let pixel = 0, out = 0; pixel < count; pixel++, out += 4) {
    const first = sample(pixel * samples)
    if (palette !== undefined) {
      rgba[out] = palette[first * 3] ?? 0
      rgba[out + 1] = palette[first * 3 + 1] ?? 0
      rgba[out + 2] = palette[first * 3 + 2] ?? 0
      rgba[out + 3] = transparency?.[first] ?? 255
      continue
    }
    rgba[out] = first * spread
    rgba[out + 1] = isGrey ? first * spread : sample(pixel * samples + 1)
    rgba[out + 2] = isGrey ? first * spread : sample(pixel * samples + 2)
    rgba[out + 3] = samples === 2 || samples === 4 ? sample(pixel * samples + samples - 1) : 255
    if (clear !== undefined && clear.every((value, index) => value === sample(pixel * samples + index)))
      rgba[out + 3] = 0
  }
}

/** The transparent colour in the form that `sample` returns; `tRNS` stores it as 16 bits, whatever the depth. */
function clearColour(transparency: Uint8Array, depth: number, samples: number): number[] {
  return Array.from({ length: samples }, (_, index) =>
    depth === 16 ? (transparency[index * 2] ?? 0) : (transparency[index * 2 + 1] ?? 0),
  )
}
