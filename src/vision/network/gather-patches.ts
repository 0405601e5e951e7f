import type { NetworkDescription, Tensor } from './network.ts'

/** Bytes per patch: 3 rows x 3 pixels x RGB. */
const patchChannels = 27

/** Level for pixels outside the picture, which is 0 after normalisation. */
const outsideLevel = 63

export const patchesName = 'patches'

/** Tensor that `gatherPatches` fills. Bytes are halved, so a level stands for two neighbouring bytes. */
export const patchTensor = ({ mean, deviation }: NetworkDescription['input']): Tensor => ({
  name: patchesName,
  channels: patchChannels,
  stride: 2,
  zero: (mean * 255 - 0.5) / 2,
  step: 2 / (255 * deviation),
  isWide: false,
})

/**
 * Copies the 3 x 3 neighbourhood of every second pixel in every second row, so that the first convolution becomes
 * pointwise (im2col). `pixels` is RGB of `size` x `size` (even). `target` holds `(size / 2)^2` padded patches. Only top
 * and left neighbours can lie outside the picture.
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
