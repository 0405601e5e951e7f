import { describe, expect, it } from 'vitest'
import { findAxis, toFrame, toPicture } from '../../../src/vision/measure/silhouette.ts'
import { makeFlatLay } from '../../../training/flat-lay/make-flat-lay.ts'
import { fillMask } from './outline-of.ts'

describe('findAxis', () => {
  it.each([-15, -6, 0, 6, 15])('finds the centre line of a T-shirt turned by %i degrees', (rotationDegrees) => {
    const options = { itemType: 'T-Shirt', width: 240, height: 320, hook: false, rotationDegrees } as const
    const { truth } = makeFlatLay(9, options)
    const { degrees } = findAxis({ width: 240, height: 320, data: truth.mask })
    expect(Math.abs(degrees - rotationDegrees)).toBeLessThan(1)
  })

  it('takes what has no mirror symmetry as upright', () => {
    const triangle = fillMask([[10, 10], [150, 20], [12, 60]], 160, 80) // prettier-ignore
    expect(findAxis({ width: 160, height: 80, data: triangle })).toMatchObject({ degrees: 0 })
  })

  it('takes a single pixel as its own centre line', () => {
    const data = new Uint8Array(64)
    data[3 * 8 + 5] = 1
    expect(findAxis({ width: 8, height: 8, data })).toEqual({ origin: [5, 3], degrees: 0 })
  })

  it('has an answer for an empty mask', () => {
    const { degrees, origin } = findAxis({ width: 8, height: 8, data: new Uint8Array(64) })
    expect([degrees, ...origin].every(Number.isFinite)).toBe(true)
  })
})

describe('the frame', () => {
  it('maps to the picture and back', () => {
    const axis = { origin: [30, 40], degrees: 17 } as const
    const [u, v] = toFrame(axis, toPicture(axis, 12, -7))
    expect(u).toBeCloseTo(12, 9)
    expect(v).toBeCloseTo(-7, 9)
  })

  it('has v down along the centre line, turned clockwise', () => {
    const [x, y] = toPicture({ origin: [0, 0], degrees: 90 }, 0, 10)
    expect(x).toBeCloseTo(-10, 9)
    expect(y).toBeCloseTo(0, 9)
  })
})
