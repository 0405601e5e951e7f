import { describe, expect, it } from 'vitest'
import { findGarments } from '../../../src/vision/segment/find-garments.ts'

/** A mask of 300 x 200 pixels with the given rectangles. */
function maskOf(...rectangles: (readonly [left: number, top: number, right: number, bottom: number])[]) {
  const data = new Uint8Array(300 * 200)
  for (const [left, top, right, bottom] of rectangles)
    for (let y = top; y < bottom; y++) data.fill(1, y * 300 + left, y * 300 + right)
  return { width: 300, height: 200, data }
}

const touching = maskOf([10, 20, 150, 180], [145, 90, 155, 100], [155, 30, 280, 170])

describe('findGarments', () => {
  it('separates garments that touch', () => {
    const [first, second, ...others] = findGarments(touching, true)
    expect(others).toEqual([])
    expect(first!.left).toBe(10)
    expect(first!.right).toBeGreaterThan(135)
    expect(first!.right).toBeLessThan(165)
    expect(second!.right).toBe(280)
  })

  it('separates them only if they may touch', () => {
    expect(findGarments(touching, false)).toEqual([{ left: 10, top: 20, right: 280, bottom: 180 }])
  })

  it('keeps sleeves and legs with their garment', () => {
    const shirt = maskOf([100, 20, 200, 180], [20, 30, 100, 70], [200, 30, 280, 70])
    const trousers = maskOf([100, 10, 200, 60], [100, 60, 140, 190], [160, 60, 200, 190])
    for (const mask of [shirt, trousers]) expect(findGarments(mask, true)).toHaveLength(1)
  })

  it('keeps a garment that is too thin to erode', () => {
    expect(findGarments(maskOf([10, 100, 290, 106]), true)).toEqual([{ left: 10, top: 100, right: 290, bottom: 106 }])
  })

  it('finds garments that lie apart', () => {
    expect(findGarments(maskOf([10, 20, 100, 180], [150, 30, 280, 170]), false)).toHaveLength(2)
  })
})
