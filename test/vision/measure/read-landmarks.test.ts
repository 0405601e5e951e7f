import { describe, expect, it } from 'vitest'
import { readLandmarks } from '../../../src/vision/measure/locate-by-points.ts'

/** A map of 16 x 16 cells over a square of 64 pixels, with bumps of so many logits. */
function mapWith(bumps: readonly (readonly [x: number, y: number, height: number])[]): Float32Array {
  return Float32Array.from({ length: 256 }, (_, cell) => {
    const [x, y] = [cell % 16, Math.floor(cell / 16)]
    return Math.max(0, ...bumps.map(([atX, atY, height]) => height - 3 * Math.hypot(x - atX, y - atY)))
  })
}

const read = (logits: Float32Array, presence = 1) =>
  readLandmarks({
    side: 16,
    reach: 3,
    square: { left: 100, top: 200, side: 64 },
    points: [{ name: 'crotch', logits, presence }],
  })[0]!

describe('readLandmarks', () => {
  it('finds the place of a peak between cells, in pixels of the picture', () => {
    const { name, place, reliability } = read(mapWith([[5.5, 8, 12]]))
    expect(name).toBe('crotch')
    expect(place[0]).toBeCloseTo(100 + 6 * 4 - 0.5, 1)
    expect(place[1]).toBeCloseTo(200 + 8.5 * 4 - 0.5, 1)
    expect(reliability).toBeGreaterThan(0.95)
  })

  it('is less sure of a map that hesitates between two places, and of a point that is hardly there', () => {
    expect(read(mapWith([[3, 3, 12], [12, 12, 12]])).reliability).toBeCloseTo(0.5, 1) // prettier-ignore
    expect(read(mapWith([[5, 8, 12]]), 0.3).reliability).toBeLessThan(0.3)
    expect(read(new Float32Array(256)).reliability).toBeLessThan(0.25)
  })
})
