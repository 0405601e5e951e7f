/** One convolution with its batch norm folded in: `weights` are [out][y][x][in], `biases` [out]. */
export interface Layer {
  readonly channelsIn: number
  readonly channelsOut: number
  readonly size: 1 | 3
  readonly stride: number
  readonly weights: Float32Array
  readonly biases: Float32Array
}

interface ResidualBlock {
  readonly first: Layer
  readonly second: Layer
  /** Where the block halves the resolution; else its input is added as it is. */
  readonly shortcut: Layer | undefined
}

export interface Weights {
  readonly classes: readonly string[]
  /** Divides the logits before the softmax; fitted on pictures the network was not trained with. */
  readonly temperature: number
  readonly stem: Layer
  readonly blocks: readonly ResidualBlock[]
  readonly head: Layer
}

interface Header {
  readonly classes: readonly string[]
  readonly temperature: number
  readonly stem: number
  readonly blocks: readonly (readonly [channelsIn: number, channelsOut: number, stride: number])[]
}

type Shape = Omit<Layer, 'weights' | 'biases'>

/**
 * Reads a weights file as `recipe/export.py` writes it: `GTN1`, the JSON header's length (u32), the header, then by
 * layer float32 scales and biases, then by layer int8 weights; all little endian. Throws an `Error` for any other file.
 */
export function readWeights(file: ArrayBuffer): Weights {
  const view = new DataView(file)
  if (file.byteLength < 8 || view.getUint32(0, false) !== 0x47544e31) throw new Error('This is no weights file.')
  const headerLength = view.getUint32(4, true)
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(file, 8, headerLength))) as Header
  const shapes = listShapes(header)
  const channels = shapes.reduce((sum, shape) => sum + shape.channelsOut, 0)
  let scalesAt = 8 + headerLength
  let weightsAt = scalesAt + channels * 8
  const expected = shapes.reduce((sum, shape) => sum + countWeights(shape), weightsAt)
  if (file.byteLength !== expected) throw new Error(`The weights file has ${file.byteLength} bytes, not ${expected}.`)

  const layers = shapes.map((shape): Layer => {
    const { channelsOut } = shape
    const floats = (at: number) =>
      Float32Array.from({ length: channelsOut }, (_, i) => view.getFloat32(at + i * 4, true))
    const scales = floats(scalesAt)
    const biases = floats(scalesAt + channelsOut * 4)
    const steps = new Int8Array(file, weightsAt, countWeights(shape))
    const each = steps.length / channelsOut
    const weights = Float32Array.from(steps, (step, i) => step * (scales[Math.floor(i / each)] ?? 0))
    scalesAt += channelsOut * 8
    weightsAt += steps.length
    return { ...shape, weights, biases }
  })
  let next = 0
  const take = () => layers[next++] as Layer
  return {
    classes: header.classes,
    temperature: header.temperature,
    stem: take(),
    blocks: header.blocks.map(([, , stride]) => ({
      first: take(),
      second: take(),
      shortcut: stride === 1 ? undefined : take(),
    })),
    head: take(),
  }
}

function listShapes({ stem, blocks, classes }: Header): Shape[] {
  const last = blocks.at(-1)?.[1] ?? stem
  return [
    { channelsIn: 1, channelsOut: stem, size: 3, stride: 1 },
    ...blocks.flatMap(([channelsIn, channelsOut, stride]): Shape[] => [
      { channelsIn, channelsOut, size: 3, stride },
      { channelsIn: channelsOut, channelsOut, size: 3, stride: 1 },
      ...(stride === 1 ? [] : [{ channelsIn, channelsOut, size: 1, stride } as const]),
    ]),
    { channelsIn: last, channelsOut: classes.length, size: 1, stride: 1 },
  ]
}

function countWeights({ channelsIn, channelsOut, size }: Shape): number {
  return channelsIn * channelsOut * size * size
}
