/** Channels are padded to whole vectors of 8 int16; the padding has weights, scales and biases of 0. */
export function padChannels(channels: number): number {
  return Math.ceil(channels / 8) * 8
}

/**
 * `[out][in]` weights to the order that the pointwise kernel reads, `[out / 8][in / 2][out % 8][in % 2]`, both padded
 * to multiples of 8. `target` holds `padChannels(out) * padChannels(in)` bytes.
 */
export function packPointwise(weights: Int8Array, outChannels: number, inChannels: number, target: Int8Array) {
  const padded = padChannels(inChannels)
  target.fill(0)
  for (let out = 0; out < outChannels; out++) {
    const start = (out >> 3) * 8 * padded + (out & 7) * 2
    for (let i = 0; i < inChannels; i++) target[start + (i >> 1) * 16 + (i & 1)] = weights[out * inChannels + i]!
  }
}

/** Side of a depthwise kernel. */
export type KernelSide = 3 | 5

/** Int16 that `packDepthwise` writes for each padded channel: 9 taps and a zero, or 5 rows of 5 taps and a zero. */
export function depthwiseTaps(side: KernelSide): number {
  return side === 3 ? 10 : 30
}

/**
 * `[tap][channel]` weights, `side * side` taps, to the order that the depthwise kernels read, `[channel / 8][place /
 * 2][channel % 8][place % 2]`. `target` holds `padChannels(channels) * depthwiseTaps(side)` int16.
 */
export function packDepthwise(weights: Int8Array | Int16Array, side: KernelSide, channels: number, target: Int16Array) {
  target.fill(0)
  for (let tap = 0; tap < side * side; tap++) {
    const place = side === 3 ? tap : Math.floor(tap / 5) * 6 + (tap % 5)
    for (let channel = 0; channel < channels; channel++) {
      const index = (channel >> 3) * 8 * depthwiseTaps(side) + (place >> 1) * 16 + (channel & 7) * 2 + (place & 1)
      target[index] = weights[tap * channels + channel]!
    }
  }
}
