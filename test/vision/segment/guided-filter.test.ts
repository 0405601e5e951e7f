import { describe, expect, it } from 'vitest'
import { shrinkByFactor } from '../../../src/vision/image/shrink.ts'
import { guidedFilter } from '../../../src/vision/segment/guided-filter.ts'

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

/** Each second pixel of each second row. */
const halve = (map: Float32Array) =>
  Float32Array.from(
    { length: (side / 2) ** 2 },
    (_, index) => map[2 * Math.floor(index / (side / 2)) * side + 2 * (index % (side / 2))]!,
  )

const filter = ({ picture, map }: ReturnType<typeof scene>) =>
  guidedFilter(picture, shrinkByFactor(picture, 2), 2, halve(map))

const at = (values: Float32Array, x: number) => values[30 * side + x]!

describe('guidedFilter', () => {
  it('moves the border to where the colours change', () => {
    const shifted = scene(3)
    const refined = filter(shifted)
    expect(at(shifted.map, 16)).toBeLessThan(0.5)
    expect(at(refined, 16)).toBeGreaterThan(0.5)
    expect(at(shifted.map, 46)).toBeGreaterThan(0.5)
    expect(at(refined, 46)).toBeLessThan(0.5)
  })

  it('keeps the border of the map where one colour lies on the same colour', () => {
    const { picture } = scene(0)
    picture.data.fill(180)
    const refined = filter({
      picture,
      map: Float32Array.from({ length: side * side }, (_, at) => (at % side < 30 ? 1 : 0)),
    })
    expect([5, 25, 34, 55].map((x) => at(refined, x) > 0.5)).toEqual([true, true, false, false])
  })

  it('returns probabilities between 0 and 1', () => {
    const refined = filter(scene(3))
    expect([Math.min(...refined) >= 0, Math.max(...refined) <= 1]).toEqual([true, true])
  })

  it('keeps a map without borders', () => {
    const data = new Uint8ClampedArray(4 * 2 * 4).fill(100)
    const small = { width: 2, height: 1, data: data.slice(0, 8) }
    const refined = guidedFilter({ width: 4, height: 2, data }, small, 2, Float32Array.of(0.5, 0.5))
    expect([...refined].map((value) => Math.round(value * 1000))).toEqual(Array(8).fill(500))
  })
})
