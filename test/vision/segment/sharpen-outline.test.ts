import { describe, expect, it } from 'vitest'
import { enlarge, sharpenOutline } from '../../../src/vision/segment/sharpen-outline.ts'

const side = 60

/** A red square of 30 pixels on grey, and a soft map of it that is shifted to the right by `shift` pixels. */
function scene(shift: number) {
  const data = new Uint8ClampedArray(side * side * 4).fill(255)
  const map = new Float32Array(side * side)
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const inside = x >= 15 && x < 45 && y >= 15 && y < 45
      data.set(inside ? [200, 30, 40] : [150, 150, 150], (y * side + x) * 4)
      const away = Math.max(Math.abs(x - 29.5 - shift), Math.abs(y - 29.5)) - 15
      map[y * side + x] = 1 / (1 + Math.exp(away / 2))
    }
  }
  return { picture: { width: side, height: side, data }, map }
}

describe('sharpenOutline', () => {
  it('moves the border to where the colours change', () => {
    const { picture, map } = scene(3)
    const sharp = sharpenOutline(picture, map)
    const at = (values: Float32Array, x: number) => values[30 * side + x]!
    expect(at(map, 16)).toBeLessThan(0.5)
    expect(at(sharp, 16)).toBeGreaterThan(0.5)
    expect(at(map, 46)).toBeGreaterThan(0.5)
    expect(at(sharp, 46)).toBeLessThan(0.5)
  })

  it('returns a map without certain pixels unchanged', () => {
    const { picture } = scene(0)
    const unsure = new Float32Array(side * side).fill(0.5)
    expect(sharpenOutline(picture, unsure)).toBe(unsure)
  })
})

describe('enlarge', () => {
  it('interpolates between pixel centres and repeats the edge', () => {
    const out = enlarge({ width: 2, height: 1, values: Float32Array.of(0, 1) }, 4, 2, 0.5)
    expect([...out]).toEqual([0, 0.25, 0.75, 1, 0, 0.25, 0.75, 1])
  })
})
