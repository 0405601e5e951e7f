const roundUp = (count: number, multiple: number) => Math.ceil(count / multiple) * multiple

/** Pads channels to whole vectors of 16 bytes. */
export const padChannels = (channels: number): number => roundUp(channels, 16)

/** Pads channels to the groups of 8 that pointwise layers use. Padding has zero weights, scales and biases. */
export const groupChannels = (channels: number): number => roundUp(channels, 8)

/**
 * Packs `[out][in]` weights for the pointwise kernel as `[out / 8][in / 4][out % 8][in % 4]`, both padded to multiples
 * of 8. `target` holds at least `groupChannels(out) * groupChannels(in)` bytes.
 */
export function packPointwise(weights: Int8Array, outChannels: number, inChannels: number, target: Int8Array) {
  const padded = groupChannels(inChannels)
  target.fill(0)
  for (let out = 0; out < outChannels; out++) {
    const start = (out >> 3) * 8 * padded + (out & 7) * 4
    for (let i = 0; i < inChannels; i++) target[start + (i >> 2) * 32 + (i & 3)] = weights[out * inChannels + i]!
  }
}

export type KernelSide = 3 | 5

/** Number of taps whose products are summed as int16. */
const tapGroup = 5

export const depthwiseTaps = (side: KernelSide): number => Math.ceil(side ** 2 / tapGroup) * (tapGroup + 1)

/**
 * Packs `[tap][channel]` weights for the depthwise kernel as `[channel / 16][place / 2][channel % 16][place % 2]`.
 * `target` holds `padChannels(channels) * depthwiseTaps(side)` bytes.
 */
export function packDepthwise(weights: Int8Array, side: KernelSide, channels: number, target: Int8Array) {
  target.fill(0)
  for (let tap = 0; tap < side * side; tap++) {
    const place = depthwiseGroup(tap) * (tapGroup + 1) + (tap % tapGroup)
    for (let channel = 0; channel < channels; channel++) {
      const index = (channel >> 4) * 16 * depthwiseTaps(side) + (place >> 1) * 32 + (channel & 15) * 2 + (place & 1)
      target[index] = weights[tap * channels + channel]!
    }
  }
}

/** Returns the group of an output's weight. Products within a group are summed as int16. */
export const pointwiseGroup = (index: number): number => (index >> 3) * 2 + ((index >> 1) & 1)
export const depthwiseGroup = (tap: number): number => Math.floor(tap / tapGroup)
