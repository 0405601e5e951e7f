const roundUp = (count: number, multiple: number) => Math.ceil(count / multiple) * multiple

/** Channels of a tensor are padded to whole vectors of 16 bytes. */
export const padChannels = (channels: number): number => roundUp(channels, 16)

/** Pointwise layers read and write whole groups of 8 channels; the padding has weights, scales and biases of 0. */
export const groupChannels = (channels: number): number => roundUp(channels, 8)

/**
 * `[out][in]` weights to the order that the pointwise kernel reads, `[out / 8][in / 4][out % 8][in % 4]`, both padded
 * to multiples of 8. `target` holds at least `groupChannels(out) * groupChannels(in)` bytes.
 */
export function packPointwise(weights: Int8Array, outChannels: number, inChannels: number, target: Int8Array) {
  const padded = groupChannels(inChannels)
  target.fill(0)
  for (let out = 0; out < outChannels; out++) {
    const start = (out >> 3) * 8 * padded + (out & 7) * 4
    for (let i = 0; i < inChannels; i++) target[start + (i >> 2) * 32 + (i & 3)] = weights[out * inChannels + i]!
  }
}

/** Side of a depthwise kernel. */
export type KernelSide = 3 | 5

/** Taps whose products are summed as int16. */
const tapGroup = 5

/** Bytes that `packDepthwise` writes for each padded channel: groups of five taps and a zero. */
export const depthwiseTaps = (side: KernelSide): number => Math.ceil(side ** 2 / tapGroup) * (tapGroup + 1)

/**
 * `[tap][channel]` weights, `side * side` taps, to the order that the depthwise kernels read, `[channel / 16][place /
 * 2][channel % 16][place % 2]`. `target` holds `padChannels(channels) * depthwiseTaps(side)` bytes.
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

/** Numbers of the groups of an output's weights whose products the kernels sum as int16. */
export const pointwiseGroup = (index: number): number => (index >> 3) * 2 + ((index >> 1) & 1)
export const depthwiseGroup = (tap: number): number => Math.floor(tap / tapGroup)
