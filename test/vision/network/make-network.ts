import { createNetworkBuilder, makeRandom, type NetworkFiles } from './network-builder.ts'

/**
 * A network of the real one's kind: inverted residuals with depthwise kernels of 3 and 5 as in EfficientNet-Lite, heads
 * on the pooled last layer, and a decoder to stride 2. `width` scales all channels (1 is about the real one).
 */
export function makeNetwork(seed: number, width = 1): NetworkFiles {
  const { parameters, push, build } = createNetworkBuilder(seed)
  const scaled = (channels: number) => Math.max(8, Math.round((channels * width) / 8) * 8)
  const relu6 = { activation: 'relu6', range: 6 } as const
  const linear = { activation: 'none', range: 24 } as const
  const pointwise = (
    name: string,
    input: string,
    from: number,
    channels: number,
    activation: typeof relu6 | typeof linear,
  ) => push({ op: 'pointwise', name, inputs: [input], channels, ...activation, ...parameters(channels, from) })
  const depthwise = (name: string, input: string, channels: number, kernel: 3 | 5, stride: 1 | 2) =>
    push({
      op: 'depthwise',
      name,
      inputs: [input],
      channels,
      stride,
      kernel,
      ...relu6,
      ...parameters(channels, kernel ** 2),
    })
  const add = (name: string, a: string, b: string, channels: number) =>
    push({ op: 'add', name, inputs: [a, b], channels, ...linear, range: 32 })

  let channels = scaled(32)
  let last: string = push({
    op: 'conv3x3',
    name: 'stem',
    inputs: ['input'],
    channels,
    stride: 2,
    ...relu6,
    ...parameters(channels, 27),
  })
  const levels = new Map<number, [string, number]>()
  let stride = 2
  const stages = [
    [1, 16, 1, 3, 1],
    [6, 24, 2, 3, 2],
    [6, 40, 3, 5, 2],
    [6, 80, 4, 3, 2],
    [6, 112, 3, 5, 1],
    [6, 192, 3, 5, 2],
    [6, 320, 1, 3, 1],
  ] as const
  let block = 0
  for (const [expansion, target, count, kernel, firstStride] of stages)
    for (let i = 0; i < count; i++) {
      const name = `block${block++}`
      const blockStride = i === 0 ? firstStride : 1
      const [from, to] = [channels, scaled(target)]
      const source = last
      if (expansion > 1) last = pointwise(`${name}.expand`, last, from, from * expansion, relu6)
      last = depthwise(`${name}.depthwise`, last, from * expansion, kernel, blockStride)
      last = pointwise(`${name}.project`, last, from * expansion, to, linear)
      if (blockStride === 1 && from === to) last = add(`${name}.add`, source, last, to)
      stride *= blockStride
      channels = to
      levels.set(stride, [last, channels])
    }
  const feature = push({
    op: 'pool',
    name: 'pool',
    channels: scaled(1280),
    inputs: [pointwise('last', last, channels, scaled(1280), relu6)],
  })
  const heads = [
    ['type', 32],
    ['colour', 15],
    ['pattern', 9],
  ] as const
  for (const [name, classes] of heads)
    push({ op: 'dense', name, inputs: [feature], channels: classes, ...parameters(classes, scaled(1280)) })
  let decoded = scaled(64)
  let y = pointwise('lateral32', last, channels, decoded, linear)
  for (const [at, inner, outer] of [
    [16, 64, 64],
    [8, 64, 48],
    [4, 48, 32],
    [2, 32, 24],
  ] as const) {
    const [level, from] = levels.get(at)!
    const up = push({ op: 'upsample2x', name: `up${at}`, inputs: [y], channels: decoded })
    const sum = add(`add${at}`, up, pointwise(`lateral${at}`, level, from, scaled(inner), linear), scaled(inner))
    decoded = scaled(outer)
    y = pointwise(
      `smooth${at}`,
      depthwise(`smooth${at}.depthwise`, sum, scaled(inner), 3, 1),
      scaled(inner),
      decoded,
      relu6,
    )
  }
  const outline = pointwise('outline', y, decoded, 1, { ...linear })
  const [middle, middleChannels] = levels.get(8)!
  const lateral = pointwise('landmarks.lateral', middle, middleChannels, scaled(32), linear)
  const enlarged = push({ op: 'upsample2x', name: 'landmarks.up', inputs: [lateral], channels: scaled(32) })
  const points = ['neckL', 'neckR', 'crotch']
  const landmarks = {
    layer: pointwise('landmarks', depthwise('landmarks.depthwise', enlarged, scaled(32), 5, 1), scaled(32), 3, linear),
    presence: push({
      op: 'dense',
      name: 'landmarks.presence',
      inputs: [feature],
      channels: 3,
      ...parameters(3, scaled(1280)),
    }),
    names: points,
    reach: 3,
  }
  const contrast = push({ op: 'contrast', name: 'contrast', inputs: ['last'], channels: 2 * scaled(1280) })
  push({ op: 'dense', name: 'orientation', inputs: [contrast], channels: 4, ...parameters(4, 2 * scaled(1280)) })
  const headOf = ([name, count]: readonly [string, number]) => ({
    name,
    layer: name,
    classes: Array.from({ length: count }, (_, i) => `${name} ${i}`),
  })
  const classifier = (name: string) => {
    const stem = push({
      op: 'conv3x3',
      name: `${name}.stem`,
      inputs: ['input'],
      channels: 16,
      stride: 2,
      ...relu6,
      ...parameters(16, 27),
    })
    const inputs: [string] = [depthwise(`${name}.last`, stem, 16, 3, 2)]
    const pool = push({ op: 'pool', name: `${name}.pool`, inputs, channels: 16 })
    push({ op: 'dense', name: `${name}.type`, inputs: [pool], channels: 32, ...parameters(32, 16) })
    return { heads: [{ ...headOf(heads[0]), layer: `${name}.type` }] }
  }
  return build([...heads, ['orientation', 4] as const].map(headOf), outline, landmarks, {
    near: classifier('near'),
    neck: classifier('neck'),
  })
}

/** Random RGB pixels of smooth and of noisy regions. */
export function makePixels(seed: number, size: number): Uint8Array {
  const random = makeRandom(seed)
  return Uint8Array.from({ length: size * size * 3 }, (_, i) => {
    const column = Math.floor(i / 3) % size
    return column < size / 2 ? (i * 255) / (size * size * 3) : random() * 256
  })
}
