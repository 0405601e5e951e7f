import type { NetworkDescription, Tensor } from './network.ts'

/** Bytes in each patch: 3 rows x 3 pixels x RGB. */
const patchChannels = 27

/** The level that stands for what lies outside of the picture, which is 0 after normalisation. */
const outsideLevel = 63

/** Name of the tensor that stands for the picture. */
export const patchesName = 'patches'

/** What `gatherPatches` writes: half of each byte, which stands for itself and the next one. */
export const patchTensor = ({ mean, deviation }: NetworkDescription['input']): Tensor => ({
  name: patchesName,
  channels: patchChannels,
  stride: 2,
  zero: (mean * 255 - 0.5) / 2,
  step: 2 / (255 * deviation),
  isWide: false,
})

/**
 * Lays out the 3x3 surroundings of every second pixel of every second row, so that the first convolution is a pointwise
 * one (im2col). `pixels` is RGB, `size` x `size`, `size` even; `target` holds `(size / 2)^2` padded patches. Only the
 * top and left neighbours can lie outside the picture.
 */
export function gatherPatches(pixels: Uint8Array, size: number, target: Uint8Array) {
  target.fill(outsideLevel)
  const patchBytes = target.length / (size / 2) ** 2
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
        for (const end = patch + row * 9 + 9; index < end; index++, source++) target[index] = pixels[source]! >> 1
      }
      patch += patchBytes
    }
  }
}
