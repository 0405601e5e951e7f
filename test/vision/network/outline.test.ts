import { describe, expect, it } from 'vitest'
import { outlineBox } from '../../../src/vision/network/run-views.ts'
import { projectOutline } from '../../../src/vision/network/predict-picture.ts'

/** A map that is 1 in the given rectangles and 0 elsewhere. */
function mapOf(side: number, ...rectangles: (readonly [left: number, top: number, right: number, bottom: number])[]) {
  const probabilities = new Float32Array(side * side)
  for (const [left, top, right, bottom] of rectangles)
    for (let y = top; y < bottom; y++) probabilities.fill(1, y * side + left, y * side + right)
  return probabilities
}

describe('outlineBox', () => {
  it('holds both shoes of a pair and leaves a speck out', () => {
    const map = mapOf(40, [5, 10, 15, 30], [20, 12, 30, 32], [38, 1, 39, 3])
    expect(outlineBox(map, 40)).toEqual({ left: 5, top: 10, right: 30, bottom: 32 })
  })

  it('is undefined where nothing is above one half', () => {
    expect(outlineBox(new Float32Array(1600).fill(0.5), 40)).toBeUndefined()
  })
})

describe('projectOutline', () => {
  const whole = { square: { left: 0, top: 0, side: 80 }, side: 20, probabilities: mapOf(20, [5, 5, 15, 15]) }
  const view = { width: 80, height: 80, data: new Uint8ClampedArray(80 * 80 * 4) }

  it('maps the network to the pixels of the picture', () => {
    const out = projectOutline([whole, whole], view, 1)
    expect([out[40 * 80 + 40], out[10 * 80 + 10], out[40 * 80 + 70]]).toEqual([1, 0, 0])
    expect(out[40 * 80 + 20]).toBeCloseTo(0.625, 2)
  })

  it('follows the crop more where it shows the place, and the whole elsewhere', () => {
    const crop = { square: { left: 0, top: 0, side: 40 }, side: 20, probabilities: new Float32Array(400) }
    const out = projectOutline([whole, crop], view, 1)
    expect(out[30 * 80 + 30]).toBeCloseTo(0.25, 6)
    expect(out[50 * 80 + 50]).toBe(1)
  })

  it('maps to a smaller view as well', () => {
    const small = { width: 40, height: 40, data: new Uint8ClampedArray(40 * 40 * 4) }
    const out = projectOutline([whole, whole], small, 2)
    expect([out[20 * 40 + 20], out[5 * 40 + 5]]).toEqual([1, 0])
  })
})
