import { describe, expect, it } from 'vitest'
import { findParts } from '../../../src/vision/segment/label-regions.ts'
import { maskOthers } from '../../../src/vision/analyse-picture.ts'

/** A mask of 60 x 40 pixels with the given rectangles. */
function maskOf(...rectangles: (readonly [left: number, top: number, right: number, bottom: number])[]) {
  const data = new Uint8Array(60 * 40)
  for (const [left, top, right, bottom] of rectangles)
    for (let y = top; y < bottom; y++) data.fill(1, y * 60 + left, y * 60 + right)
  return { width: 60, height: 40, data }
}

describe('findParts', () => {
  it('finds what lies apart, largest first, and leaves small parts out', () => {
    const mask = maskOf([2, 2, 22, 12], [30, 5, 55, 25], [2, 30, 8, 36])
    expect(findParts(mask, 0.25)).toEqual([
      { left: 30, top: 5, right: 55, bottom: 25 },
      { left: 2, top: 2, right: 22, bottom: 12 },
    ])
  })

  it('finds one part where regions are connected', () => {
    expect(findParts(maskOf([2, 2, 22, 12], [21, 11, 50, 30]), 0.25)).toHaveLength(1)
  })
})

describe('maskOthers', () => {
  it('keeps the box with a margin and paints the rest over', () => {
    const view = { width: 60, height: 40, data: new Uint8ClampedArray(60 * 40 * 4).fill(7) }
    const { data } = maskOthers(view, { left: 20, top: 0, right: 60, bottom: 30 }, 128)
    const at = (x: number, y: number) => data[(y * 60 + x) * 4]
    // The margin is 2 pixels.
    expect([at(18, 31), at(59, 0), at(17, 10), at(30, 32)]).toEqual([7, 7, 128, 128])
  })
})
