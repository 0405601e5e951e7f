import { growTo } from '../../vision/network/load-network.ts'

/**
 * The exports of `kernels.wasm`; see `label-kernels.ts` for their arguments.
 * @public The client package needs it to emit declarations.
 */
export interface TextKernels {
  readonly memory: WebAssembly.Memory
  pointwise(...addressesAndSizes: number[]): void
  depthwise(...addressesAndSizes: number[]): void
  gather(...addressesAndSizes: number[]): void
  maxPool(...addressesAndSizes: number[]): void
  sumChannels(...addressesAndSizes: number[]): void
  scaleChannels(...addressesAndSizes: number[]): void
  enlarge(...addressesAndSizes: number[]): void
}

/** Addresses of a layer's float32 weights and biases in the kernels' memory. */
export interface TextLayer {
  /** Taps of a depthwise layer; 0 for a pointwise layer. */
  readonly taps: number
  readonly inChannels: number
  readonly outChannels: number
  readonly weights: number
  readonly biases: number
}

export interface TextNetworks {
  readonly kernels: TextKernels
  readonly detector: readonly TextLayer[]
  readonly recogniser: readonly TextLayer[]
  readonly end: number
}

const firstAddress = 1024

const headerValues = 3

/**
 * Lays out the weights in `memory`, which a new instance of the kernels uses. `file` has the layout that
 * `training/labels/convert.py` writes. Throws `RangeError` if it ends too early or late.
 */
export function loadTextNetworks(
  kernelsModule: WebAssembly.Module,
  memory: WebAssembly.Memory,
  file: ArrayBuffer,
): TextNetworks {
  const kernels = new WebAssembly.Instance(kernelsModule, { env: { memory } }).exports as unknown as TextKernels
  const [detectorCount = 0, recogniserCount = 0] = new Int32Array(file, 0, 2)
  const headers = new Int32Array(file, 8, (detectorCount + recogniserCount) * headerValues)
  const layers: TextLayer[] = []
  let end = firstAddress
  for (let at = 0; at < headers.length; at += headerValues) {
    const [taps = 0, inChannels = 0, outChannels = 0] = headers.subarray(at, at + headerValues)
    const weights = end + outChannels * 4
    layers.push({ taps, inChannels, outChannels, biases: end, weights })
    end = weights + outChannels * (taps || inChannels) * 4
  }
  growTo(kernels.memory, end)
  fillWeights(kernels.memory, file, layers, headers.byteOffset + headers.byteLength)
  return {
    kernels,
    detector: layers.slice(0, detectorCount),
    recogniser: layers.slice(detectorCount),
    end,
  }
}

function fillWeights({ buffer }: WebAssembly.Memory, file: ArrayBuffer, layers: readonly TextLayer[], start: number) {
  let floatsAt = start
  let weightsAt = start + layers.reduce((sum, { outChannels }) => sum + outChannels * 8, 0)
  for (const { taps, inChannels, outChannels, weights, biases } of layers) {
    const scales = new Float32Array(file, floatsAt, outChannels)
    new Float32Array(buffer, biases, outChannels).set(new Float32Array(file, floatsAt + outChannels * 4, outChannels))
    floatsAt += outChannels * 8
    const count = outChannels * (taps || inChannels)
    const levels = new Int16Array(file, weightsAt, count)
    weightsAt += count * 2
    const target = new Float32Array(buffer, weights, count)
    // Depthwise weights are `[tap][channel]`, pointwise ones `[out / 8][in][out % 8]`.
    const group = taps === 0 ? 8 * inChannels : Infinity
    for (let i = 0; i < count; i++)
      target[i] = levels[i]! * scales[taps === 0 ? Math.floor(i / group) * 8 + (i & 7) : i % outChannels]!
  }
  if (weightsAt !== file.byteLength)
    throw new RangeError(`The text networks have ${file.byteLength} bytes in place of ${weightsAt}`)
}
