/** Feature maps of a batch: `data` is [image][y][x][channel], all maps square. */
export interface Maps {
  readonly images: number
  readonly size: number
  readonly channels: number
  readonly data: Float32Array
}

/** A convolution ready to run: biases added, nothing else. */
export type Convolution = (input: Maps) => Maps

/** max(0, a + b) in place of `a`; `b` may be left out. */
export function rectify(a: Maps, b?: Maps): Maps {
  const { data } = a
  if (b === undefined) for (let i = 0; i < data.length; i++) data[i] = Math.max(0, data[i]!)
  else for (let i = 0; i < data.length; i++) data[i] = Math.max(0, data[i]! + b.data[i]!)
  return a
}

/** The mean of each channel over all places: maps of size 1. */
export function average({ images, size, channels, data }: Maps): Maps {
  const places = size * size
  const means = new Float32Array(images * channels)
  for (let i = 0; i < data.length; i++) {
    const at = Math.floor(i / (places * channels)) * channels + (i % channels)
    means[at] = means[at]! + data[i]! / places
  }
  return { images, size: 1, channels, data: means }
}
