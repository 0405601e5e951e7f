import { describe, expect, it } from 'vitest'
import { segmentGarment } from '../../../src/vision/segment/segment-garment.ts'
import { traceOutlines } from '../../../src/vision/segment/trace-outline.ts'
import type { FlatLayWish } from '../../../src/vision/training/flat-lay/sample-flat-lay.ts'
import { makeFlatLay } from '../../../src/vision/training/flat-lay/make-flat-lay.ts'

/** Intersection over union of what was told apart and what was drawn. */
function agreement(seed: number, wish: FlatLayWish): number {
  const { picture, truth } = makeFlatLay(seed, { width: 300, height: 400, ...wish })
  const mask = segmentGarment(picture)?.mask.data ?? new Uint8Array(truth.mask.length)
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
    'finds a red shirt on a %s background with a deep shadow',
    (background) => {
      expect(
        agreement(31, { itemType: 'Shirt', colour: 'Red', pattern: 'Plain', background, shadow: 0.4, hook: false }),
      ).toBeGreaterThan(0.96)
    },
  )

  it('tells black, grey and beige cloth from its own shadow', () => {
    for (const colour of ['Black', 'Grey', 'Beige']) {
      expect(
        agreement(32, {
          itemType: 'T-Shirt',
          colour,
          pattern: 'Plain',
          background: 'white',
          shadow: 0.35,
          hook: false,
        }),
      ).toBeGreaterThan(0.96)
    }
  })

  it('leaves the ground below a bag handle out', () => {
    expect(agreement(33, { itemType: 'Bag', colour: 'Navy', background: 'white', shadow: 0.1 })).toBeGreaterThan(0.95)
  })

  it('leaves the hook of a hanger out for the most part', () => {
    const wish = { itemType: 'Jumper', colour: 'Green', pattern: 'Plain', background: 'white' } as const
    expect(agreement(34, { ...wish, hook: true })).toBeGreaterThan(0.95)
  })

  it('sees nothing in an even picture', () => {
    const even = { width: 200, height: 200, data: new Uint8ClampedArray(200 * 200 * 4).fill(240) }
    expect(segmentGarment(even)).toBeUndefined()
  })
})

describe('traceOutlines', () => {
  it('follows the half-way line between pixels around a shape and its hole', () => {
    const coverage = new Uint8Array(40 * 40)
    for (let y = 5; y < 35; y++)
      for (let x = 5; x < 35; x++) coverage[y * 40 + x] = x > 14 && x < 25 && y > 14 && y < 25 ? 0 : 255
    const [outer, hole, ...rest] = traceOutlines(coverage, 40, 40)
    expect(rest).toEqual([])
    const area = (line: readonly (readonly [number, number])[]) =>
      Math.abs(
        line.reduce(
          (sum, [x, y], index) =>
            sum + x * line[(index + 1) % line.length]![1] - line[(index + 1) % line.length]![0] * y,
          0,
        ) / 2,
      )
    expect(area(outer!)).toBeCloseTo(30 * 30, -1)
    expect(area(hole!)).toBeCloseTo(10 * 10, -1)
    expect(Math.min(...outer!.map(([x]) => x))).toBeCloseTo(4.5, 1)
  })
})
