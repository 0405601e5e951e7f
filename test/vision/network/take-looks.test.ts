import { expect, test } from 'vitest'
import kernelsModule from '../../../src/vision/network/kernels.wasm'
import { loadNetwork } from '../../../src/vision/network/load-network.ts'
import type { Picture } from '../../../src/vision/picture.ts'
import { classify } from '../../../src/vision/network/run-network.ts'
import { neckSquare, outlineBox, runViews } from '../../../src/vision/network/run-views.ts'
import { sampleSquare } from '../../../src/vision/network/sample-square.ts'
import { makeNetwork } from './make-network.ts'
import { makeRandom } from './network-builder.ts'

const { description, weights } = makeNetwork(3, 0.25)
const network = loadNetwork(kernelsModule, description, weights)
const settings = {
  wholeSize: 64,
  cropSize: 96,
  cropMargin: 1.12,
  outside: 128,
  nearSize: 64,
  landmarkSize: 128,
  neck: { size: 32, weights: {} },
}
const only = { whole: 0, crop: 0, mirrored: 0, near: 0 }

/** 60 x 80 pixels, brighter towards the right and noisy. */
function makePicture(): Picture {
  const random = makeRandom(9)
  const data = Uint8ClampedArray.from({ length: 60 * 80 * 4 }, (_, i) => ((i >> 2) % 60) * 3 + random() * 60)
  return { width: 60, height: 80, data }
}

function mirrorOf({ width, height, data }: Picture): Picture {
  const mirrored = data.map((_, i) => {
    const [row, column] = [Math.floor(i / 4 / width), (i >> 2) % width]
    return data[(row * width + width - 1 - column) * 4 + (i % 4)]!
  })
  return { width, height, data: mirrored }
}

/** As many pixels, the same in the mirror. */
function evenPicture(): Picture {
  const picture = makePicture()
  const mirrored = mirrorOf(picture)
  return { ...picture, data: picture.data.map((level, i) => (level + mirrored.data[i]!) >> 1) }
}

test('the look into the mirror sees what the first look sees of the mirrored picture', async () => {
  const picture = makePicture()
  const mirrored = await runViews(network, { ...settings, weights: { ...only, mirrored: 1 } }, picture)
  const first = await runViews(network, { ...settings, weights: { ...only, whole: 1 } }, mirrorOf(picture))
  const plain = await runViews(network, { ...settings, weights: { ...only, whole: 1 } }, picture)
  const { orientation, ...heads } = mirrored.logits
  expect(orientation).toEqual(plain.logits['orientation'])
  for (const [name, logits] of Object.entries(heads)) {
    expect([...logits]).toEqual([...first.logits[name]!])
    expect([...logits]).not.toEqual([...plain.logits[name]!])
  }
})

test('logits are the weighted sum of those of all looks', async () => {
  const picture = makePicture()
  const of = async (share: Partial<typeof only>) =>
    await runViews(network, { ...settings, weights: { ...only, ...share } }, picture)
  const looks = await Promise.all([of({ whole: 1 }), of({ crop: 1 }), of({ mirrored: 1 })])
  const parts = looks.map(({ logits }) => logits['type']!)
  const { logits } = await of({ whole: 0.3, crop: 0.4, mirrored: 0.3 })
  logits['type']!.forEach((logit, i) =>
    expect(logit).toBeCloseTo(0.3 * parts[0]![i]! + 0.4 * parts[1]![i]! + 0.3 * parts[2]![i]!, 4),
  )
})

test('points of measure are seen as they stand and in the mirror, which has them on the other side', async () => {
  const { landmarks } = await runViews(network, { ...settings, weights: { ...only, whole: 1 } }, evenPicture())
  const [left, right, middle] = landmarks.points
  const { side } = landmarks
  expect(side).toBe(settings.landmarkSize / 4)
  const mirrored = (logits: Float32Array) =>
    logits.map((_, cell) => logits[cell - (cell % side) + side - 1 - (cell % side)]!)
  expect(right!.logits).toEqual(mirrored(left!.logits))
  expect(right!.presence).toBe(left!.presence)
  expect(middle!.logits).toEqual(mirrored(middle!.logits))
  expect(new Set(left!.logits).size).toBeGreaterThan(1)
})

test('the looks from near weigh on the heads that they have, and on no other', async () => {
  const picture = makePicture()
  const of = async (near: number, weight: number) =>
    await runViews(
      network,
      { ...settings, weights: { ...only, crop: 0.7, near }, neck: { size: 32, weights: { type: weight } } },
      picture,
    )
  const [without, withNear, withNeck] = [await of(0, 0), await of(0.3, 0), await of(0.3, 0.6)]
  for (const head of ['colour', 'closure']) expect(withNeck.logits[head]).toEqual(without.logits[head])
  const { square, side, probabilities } = without.outlines[1]
  const { left, top, right, bottom } = outlineBox(probabilities, side)!
  const scale = square.side / side
  const box = {
    left: square.left + left * scale,
    top: square.top + top * scale,
    right: square.left + right * scale,
    bottom: square.top + bottom * scale,
  }
  const longer = 1.12 * Math.max(box.right - box.left, box.bottom - box.top)
  const around = {
    left: (box.left + box.right - longer) / 2,
    top: (box.top + box.bottom - longer) / 2,
    side: longer,
  }
  const see = async (part: 'near' | 'neck', where: typeof around, size: number) =>
    (await classify(network, network[part], sampleSquare(picture, where, size, 128), size))['type']!
  expect(without.landmarks.square).toEqual(around)
  const [garment, neck] = [await see('near', around, 64), await see('neck', neckSquare(box), 32)]
  without.logits['type']!.forEach((logit, i) => {
    const both = 0.7 * logit + 0.3 * garment[i]!
    expect(withNear.logits['type']![i]).toBeCloseTo(both, 4)
    expect(withNeck.logits['type']![i]).toBeCloseTo(0.4 * both + 0.6 * neck[i]!, 4)
  })
})

test('where a neckline is, is the upper middle of the box, nearer than the box', () => {
  expect(neckSquare({ left: 100, top: 50, right: 200, bottom: 250 })).toEqual({ left: 117.5, top: 44.8, side: 65 })
  // Spread sleeves do not make it larger.
  expect(neckSquare({ left: 0, top: 0, right: 300, bottom: 100 })).toEqual({
    left: 124,
    top: expect.closeTo(-4.16, 6),
    side: 52,
  })
})
