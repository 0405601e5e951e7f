import { describe, expect, it } from 'vitest'
import { furthest, middle, unit } from '../../src/vision/geometry.ts'

describe('corners', () => {
  const square = [[0, 0], [10, 0], [10, 10], [0, 10]] as const // prettier-ignore

  it('are the points furthest in a direction, among those accepted', () => {
    expect(furthest(square, [1, 1])).toEqual([10, 10])
    expect(furthest(square, [1, 1], ([u]) => u < 5)).toEqual([0, 10])
    expect(furthest(square, [1, 1], () => false)).toBeUndefined()
  })

  it('have a direction even where two of them coincide', () => {
    expect(unit([3, 4])).toEqual([0.6, 0.8])
    expect(unit([0, 0])).toEqual([0, 0])
    expect(middle([0, 0], [4, 2])).toEqual([2, 1])
  })
})
