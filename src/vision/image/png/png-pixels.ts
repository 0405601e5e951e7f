import type { PngChunks } from './read-png-chunks.ts'

/** Writes a row's pixels as RGBA; `rgba` holds at least `count` pixels. */
export function unpackRow(chunks: PngChunks, row: Uint8Array, count: number, rgba: Uint8Array) {
  const { depth, samples, isGrey, palette, transparency } = chunks
  if (depth === 8 && samples === 4) {
    rgba.set(row.subarray(0, count * 4))
    return
  }
  // The high byte of 16 bits is the value to one part in 256; few bits are spread over the whole range.
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

/** The transparent colour as the samples of a row give it; stored as 16 bits whatever the depth. */
function clearColour(transparency: Uint8Array, depth: number, samples: number): number[] {
  return Array.from({ length: samples }, (_, index) =>
    depth === 16 ? (transparency[index * 2] ?? 0) : (transparency[index * 2 + 1] ?? 0),
  )
}
