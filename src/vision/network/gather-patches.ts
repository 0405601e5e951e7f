import { type NetworkDescription, quantisedLevels } from './network.ts'

/** Int16 in each patch: 3 rows x 3 pixels x RGB, padded to a multiple of 8 channels. */
export const patchChannels = 32

/** The int16 activation of every byte of every colour, `[colour][byte]`. */
export function normalisationTable({ mean, deviation, range }: NetworkDescription['input']): Int16Array {
  const table = new Int16Array(3 * 256)
  for (let colour = 0; colour < 3; colour++) {
    for (let byte = 0; byte < 256; byte++) {
      const real = (byte / 255 - mean[colour]!) / deviation[colour]!
      const level = Math.round((real * quantisedLevels) / range)
      table[colour * 256 + byte] = Math.min(quantisedLevels, Math.max(-quantisedLevels, level))
    }
  }
  return table
}

/**
 * Lays out the 3x3 surroundings of every second pixel of every second row, so that the first convolution is a pointwise
 * one (im2col). `pixels` is RGB, `size` x `size`, `size` even; `target` holds `(size / 2)^2 * patchChannels` int16.
 * Only the top and left neighbours can lie outside the picture; they are 0 after normalisation.
 */
export function gatherPatches(pixels: Uint8Array, size: number, table: Int16Array, target: Int16Array) {
  target.fill(0)
  let patch = 0
  for (let y = 0; y < size; y += 2) {
    for (let x = 0; x < size; x += 2) {
      for (let row = y === 0 ? 1 : 0; row < 3; row++) {
        let source = ((y + row - 1) * size + x - 1) * 3
        let index = patch + row * 9
        if (x === 0) {
          source += 3
          index += 3
        }
        for (const end = patch + row * 9 + 9; index < end; index += 3, source += 3) {
          target[index] = table[pixels[source]!]!
          target[index + 1] = table[256 + pixels[source + 1]!]!
          target[index + 2] = table[512 + pixels[source + 2]!]!
        }
      }
      patch += patchChannels
    }
  }
}
