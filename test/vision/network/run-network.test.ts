import { beforeAll, describe, expect, test } from 'vitest'
import kernelsModule from '../../../src/vision/network/kernels.wasm'
import { loadNetwork } from '../../../src/vision/network/load-network.ts'
import { classify, findLandmarks, runNetwork } from '../../../src/vision/network/run-network.ts'
import { makeNetwork, makePixels } from './make-network.ts'
import type { NetworkFiles } from './network-builder.ts'
import { runReference } from './reference.ts'

const small = makeNetwork(1, 0.25)
const load = ({ description, weights }: NetworkFiles) => loadNetwork(kernelsModule, description, weights)

/** Largest difference of two lists. */
function distance(a: ArrayLike<number>, b: ArrayLike<number>) {
  expect(a.length).toBe(b.length)
  return Array.from(a).reduce((most, value, i) => Math.max(most, Math.abs(value - b[i]!)), 0)
}

describe('the network agrees with the reference that rounds in the same places', () => {
  test.for([
    ['a quarter of the channels', 0.25, 64],
    ['a quarter of the channels', 0.25, 96],
    ['a quarter of the channels', 0.25, 192],
    ['all channels', 1, 32],
    ['all channels', 1, 64],
  ] as const)('%s (%d) at %i pixels', async ([, width, size]) => {
    const { description, weights } = makeNetwork(size, width)
    const pixels = makePixels(size, size)
    const network = loadNetwork(kernelsModule, description, weights)
    const output = await runNetwork(network, pixels, size)
    const reference = runReference(description, weights, pixels, size, true)
    expect(Object.keys(output.heads)).toEqual(['type', 'colour', 'pattern', 'orientation'])
    for (const [head, logits] of Object.entries(output.heads))
      expect(distance(logits, reference.heads[head]!)).toBeLessThan(1e-5)
    expect(await classify(network, network.tags, pixels, size)).toEqual(output.heads)
    for (const part of ['near', 'neck'] as const) {
      const logits = await classify(network, network[part], pixels, size)
      expect(Object.keys(logits)).toEqual(['type'])
      expect(distance(logits['type']!, reference[part]['type']!)).toBeLessThan(1e-5)
    }
    expect(output.outline.side).toBe(size / 2)
    expect(distance(output.outline.probabilities, reference.outline)).toBeLessThan(1e-6)
    const landmarks = await findLandmarks(network, pixels, size)
    expect(landmarks.side).toBe(size / 4)
    expect(landmarks.points.map(({ name }) => name)).toEqual(['neckL', 'neckR', 'crotch'])
    for (const { name, logits, presence } of landmarks.points) {
      expect(distance(logits, reference.landmarks[name]!.logits)).toBeLessThan(1e-5)
      expect(presence).toBeCloseTo(reference.landmarks[name]!.presence, 6)
    }
  })
})

/** Share of the second list's variance that the first one does not explain. */
function unexplained(a: ArrayLike<number>, b: ArrayLike<number>) {
  const exact = Array.from(b)
  const mean = exact.reduce((sum, value) => sum + value, 0) / exact.length
  const squares = (others: (index: number) => number) =>
    exact.reduce((sum, value, i) => sum + (value - others(i)) ** 2, 0)
  return squares((i) => a[i]!) / squares(() => mean)
}

test('a network with 7-bit activations is close to one of real numbers', async () => {
  const { description, weights } = small
  const pixels = makePixels(3, 96)
  const output = await runNetwork(load(small), pixels, 96)
  const reference = runReference(description, weights, pixels, 96, false)
  const { orientation, ...heads } = output.heads
  for (const [head, logits] of Object.entries(heads))
    expect(unexplained(logits, reference.heads[head]!)).toBeLessThan(0.05)
  // Neither a map of random weights nor a contrast averages over so many pixels that rounding evens out.
  expect(unexplained(orientation!, reference.heads['orientation']!)).toBeLessThan(0.5)
  expect(unexplained(output.outline.probabilities, reference.outline)).toBeLessThan(0.5)
})

describe('one network', () => {
  let network: ReturnType<typeof load>
  beforeAll(() => {
    network = load(small)
  })

  test('gives the same output again, whatever it saw in between', async () => {
    const pixels = makePixels(4, 64)
    const before = await runNetwork(network, pixels, 64)
    await runNetwork(network, makePixels(5, 160), 160)
    await runNetwork(network, makePixels(6, 64), 64)
    expect(await runNetwork(network, pixels, 64)).toEqual(before)
  })

  test('refuses sizes that are no multiple of 32, too large, or not those of the pixels', async () => {
    for (const [bytes, size] of [
      [48 * 48 * 3, 48],
      [320 * 320 * 3, 320],
      [64 * 64 * 3 - 1, 64],
      [0, 0],
    ] as const)
      await expect(runNetwork(network, new Uint8Array(bytes), size)).rejects.toThrow(RangeError)
  })
})

test('a network of the real size needs less than 8 MB at 224 x 224', async () => {
  const network = load(makeNetwork(1))
  await runNetwork(network, makePixels(1, 224), 224)
  expect(network.kernels.memory.buffer.byteLength).toBeLessThan(8e6)
})

describe('the loader of networks refuses', () => {
  const changed = (change: (layers: Record<string, unknown>[]) => void) => {
    const description = structuredClone(small.description)
    change(description.layers as unknown as Record<string, unknown>[])
    return description
  }
  /** Layers that read other bytes, many of which are large, as weights. */
  const withLargeWeights = (op: string) => ({
    ...small.description,
    layers: small.description.layers.map((layer) =>
      layer.op === op && 'scales' in layer ? { ...layer, weights: layer.scales } : layer,
    ),
  })
  test.for([
    ['an unknown operation', changed((layers) => (layers[3]!['op'] = 'softmax')), 'Invalid'],
    ['an input that is not there', changed((layers) => (layers[2]!['inputs'] = ['nothing'])), 'No layer before'],
    ['an input of a later layer', changed((layers) => (layers[2]!['inputs'] = ['last'])), 'No layer before'],
    [
      'a depthwise layer of other channels than its input',
      changed((layers) => (layers[1]!['channels'] = 24)),
      'does not fit',
    ],
    ['taps whose sum can overflow', withLargeWeights('depthwise'), 'can overflow'],
    ['weights whose sum can overflow', withLargeWeights('pointwise'), 'can overflow'],
    [
      'weights beyond the end of the file',
      changed((layers) => (layers[2]!['weights'] = 1e9)),
      'Invalid typed array length',
    ],
    [
      'a head without its classes',
      { ...small.description, heads: [{ name: 'type', layer: 'type', classes: ['Shirt'] }] },
      'has no dense layer',
    ],
    [
      'a head of a small network without its classes',
      { ...small.description, near: { heads: [{ name: 'type', layer: 'near.type', classes: ['Shirt'] }] } },
      'has no dense layer',
    ],
    [
      'landmarks without their maps',
      { ...small.description, landmarks: { ...small.description.landmarks, names: ['neckL'] } },
      'landmarks do not fit',
    ],
    [
      'landmarks without a dense layer for their presence',
      { ...small.description, landmarks: { ...small.description.landmarks, presence: 'type' } },
      'landmarks do not fit',
    ],
  ] as const)('%s', ([, description, message]) => {
    expect(() => loadNetwork(kernelsModule, description, small.weights)).toThrow(message)
  })
})
