import { describe, expect, it } from 'vitest'
import { shrinkByFactor } from '../../../src/vision/image/shrink.ts'
import { guidedFilter } from '../../../src/vision/segment/guided-filter.ts'
import { keepParts, segmentGarment } from '../../../src/vision/segment/segment-garment.ts'
import { labelRegions } from '../../../src/vision/segment/label-regions.ts'
import { sortOutlines, traceOutlines } from '../../../src/vision/segment/trace-outline.ts'
import { blur } from '../../../training/flat-lay/drawing/blur.ts'
import { makeFlatLay } from '../../../training/flat-lay/make-flat-lay.ts'
import type { FlatLayOptions } from '../../../training/flat-lay/sample-flat-lay.ts'

const [width, height] = [300, 400]

/** Intersection over union with the drawn truth for an outline blurred by `radius` pixels and shifted by 3. */
function agreement(seed: number, options: FlatLayOptions, radius: number): number {
  const { picture, truth } = makeFlatLay(seed, { width, height, ...options })
  const probabilities = Float32Array.from(truth.mask, (_, index) => truth.mask[index - 3] ?? 0)
  blur(probabilities, width, height, radius)
  const small = Float32Array.from(
    { length: (width * height) / 4 },
    (_, index) => probabilities[2 * Math.floor(index / (width / 2)) * width + 2 * (index % (width / 2))]!,
  )
  const refined = guidedFilter(picture, shrinkByFactor(picture, 2), 2, small)
  const mask = segmentGarment(picture, refined)?.mask.data ?? new Uint8Array(truth.mask.length)
  let both = 0
  let either = 0
  truth.mask.forEach((value, index) => {
    both += value & mask[index]!
    either += value | mask[index]!
  })
  return both / either
}

describe('segmentGarment', () => {
  it.each(['white', 'off-white', 'grey', 'coloured', 'gradient'] as const)(
    'draws a blurred outline of a red shirt on a %s background to its edges',
    (background) => {
      const options = { itemType: 'Shirt', colour: 'Red', pattern: 'Plain', background, hook: false } as const
      expect(agreement(31, options, 4)).toBeGreaterThan(0.97)
    },
  )

  it('keeps to the network where white lies on white', () => {
    const options = {
      itemType: 'T-Shirt',
      colour: 'White',
      pattern: 'Plain',
      background: 'white',
      hook: false,
    } as const
    expect(agreement(32, options, 2)).toBeGreaterThan(0.93)
  })

  it('cuts out what is nowhere certain, and says so', () => {
    const { picture, truth } = makeFlatLay(34, { width, height })
    const cutOut = (highest: number) =>
      segmentGarment(
        picture,
        Float32Array.from(truth.mask, (value) => (value === 1 ? highest : 0.02)),
      )
    const [certain, doubtful] = [cutOut(0.95), cutOut(0.4)]
    expect([certain?.isCertain, doubtful?.isCertain]).toEqual([true, false])
    expect(doubtful?.mask).toEqual(certain?.mask)
  })

  it('finds no garment where none is probable', () => {
    const { picture } = makeFlatLay(33, { width, height })
    expect(segmentGarment(picture, new Float32Array(width * height).fill(0.02))).toBeUndefined()
  })
})

describe('labelRegions', () => {
  it('joins runs that meet by an edge only in another row, and not those that touch by a corner', () => {
    const rows = ['1.1.1..1', '1.1.1..1', '11111..1', '.....1..', '1.....11']
    const data = Uint8Array.from(rows.join(''), (pixel) => (pixel === '1' ? 1 : 0))
    const { regions, labels } = labelRegions(data, 1, 8, 5)
    expect(regions.slice(1)).toEqual([
      { area: 11, left: 0, right: 4, top: 0, bottom: 2, touchesBorder: true },
      { area: 3, left: 7, right: 7, top: 0, bottom: 2, touchesBorder: true },
      { area: 1, left: 5, right: 5, top: 3, bottom: 3, touchesBorder: false },
      { area: 1, left: 0, right: 0, top: 4, bottom: 4, touchesBorder: true },
      { area: 2, left: 6, right: 7, top: 4, bottom: 4, touchesBorder: true },
    ])
    expect(Array.from(labels.subarray(0, 8))).toEqual([1, 0, 1, 0, 1, 0, 0, 2])
  })
})

describe('keepParts', () => {
  const rectangle = (data: Uint8Array, left: number, top: number, right: number, bottom: number, value: number) => {
    for (let y = top; y < bottom; y++) data.fill(value, y * 100 + left, y * 100 + right)
  }

  it('keeps both shoes of a pair and drops a speck', () => {
    const data = new Uint8Array(100 * 100)
    rectangle(data, 5, 10, 40, 90, 1)
    rectangle(data, 55, 10, 90, 90, 1)
    rectangle(data, 95, 2, 98, 6, 1)
    const kept = keepParts({ width: 100, height: 100, data }).data
    expect([kept[50 * 100 + 20], kept[50 * 100 + 70], kept[4 * 100 + 96]]).toEqual([1, 1, 0])
  })

  it('fills a button-sized hole and leaves a handle open', () => {
    const data = new Uint8Array(100 * 100)
    rectangle(data, 10, 10, 90, 90, 1)
    rectangle(data, 20, 20, 23, 23, 0)
    rectangle(data, 40, 20, 60, 40, 0)
    const kept = keepParts({ width: 100, height: 100, data }).data
    expect([kept[21 * 100 + 21], kept[30 * 100 + 50]]).toEqual([1, 0])
  })

  it('returns an empty mask for an empty one', () => {
    expect(keepParts({ width: 100, height: 100, data: new Uint8Array(10_000) }).data.every((v) => v === 0)).toBe(true)
  })
})

describe('traceOutlines', () => {
  it('follows the half-way line between pixels around a shape and its hole', () => {
    const coverage = new Uint8Array(40 * 40)
    for (let y = 5; y < 35; y++)
      for (let x = 5; x < 35; x++) coverage[y * 40 + x] = x > 14 && x < 25 && y > 14 && y < 25 ? 0 : 255
    const { outlines, holes } = sortOutlines(traceOutlines(coverage, 40, 40))
    expect([outlines.length, holes.length]).toEqual([1, 1])
    const area = (line: readonly (readonly [number, number])[]) =>
      Math.abs(
        line.reduce(
          (sum, [x, y], index) =>
            sum + x * line[(index + 1) % line.length]![1] - line[(index + 1) % line.length]![0] * y,
          0,
        ) / 2,
      )
    expect(area(outlines[0]!)).toBeCloseTo(30 * 30, -1)
    expect(area(holes[0]!)).toBeCloseTo(10 * 10, -1)
    expect(Math.min(...outlines[0]!.map(([x]) => x))).toBeCloseTo(4.5, 1)
  })
})
