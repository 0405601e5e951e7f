/** Channels are padded to whole vectors of 8 int16; the padding has weights, scales and biases of 0. */
export function padChannels(channels: number): number {
  return Math.ceil(channels / 8) * 8
}

/**
 * `[out][in]` weights to the order that the pointwise kernel reads, `[out / 8][in / 2][out % 8][in % 2]`, both padded to
 * multiples of 8. `target` holds `padChannels(out) * padChannels(in)` bytes.
 */
export function packPointwise(weights: Int8Array, outChannels: number, inChannels: number, target: Int8Array) {
  const padded = padChannels(inChannels)
  target.fill(0)
  for (let out = 0; out < outChannels; out++) {
    const start = (out >> 3) * 8 * padded + (out & 7) * 2
    for (let i = 0; i < inChannels; i++) target[start + (i >> 1) * 16 + (i & 1)] = weights[out * inChannels + i]!
  }
}

/** Int16 that `packDepthwise` writes for each padded channel: 9 taps and a zero. */
export const depthwiseTaps = 10

/**
 * `[tap][channel]` weights, 9 taps, to the order that the depthwise kernel reads, `[channel / 8][tap / 2][channel % 8]
 * [tap % 2]`. `target` holds `padChannels(channels) * depthwiseTaps` int16.
 */
export function packDepthwise(weights: Int8Array | Int16Array, channels: number, target: Int16Array) {
  target.fill(0)
  for (let tap = 0; tap < 9; tap++) {
    for (let channel = 0; channel < channels; channel++) {
      const index = (channel >> 3) * 8 * depthwiseTaps + (tap >> 1) * 16 + (channel & 7) * 2 + (tap & 1)
      target[index] = weights[tap * channels + channel]!
    }
  }
}
