import { describe, expect, it } from 'vitest'
import { furthest, middle, unit } from '../../../src/vision/geometry.ts'
import { findCrotch } from '../../../src/vision/measure/locate-garment.ts'
import { makeFlatLay } from '../../../training/flat-lay/make-flat-lay.ts'
import type { FlatLayOptions } from '../../../training/flat-lay/sample-flat-lay.ts'
import { silhouetteOf } from './outline-of.ts'

function draw(options: FlatLayOptions) {
  const { truth } = makeFlatLay(42, { width: 300, height: 400, hook: false, rotationDegrees: 0, ...options })
  return { truth, silhouette: silhouetteOf(truth.mask, 300, 400) }
}

describe('findCrotch', () => {
  it.each(['Trousers', 'Shorts'] as const)('finds where the legs of %s part', (itemType) => {
    const { truth, silhouette } = draw({ itemType })
    const crotch = findCrotch(silhouette)
    const rise = (crotch! - silhouette.top) * truth.cmPerPixel
    expect(Math.abs(rise - truth.measurements['Front Rise']!)).toBeLessThan(1.5)
  })
})

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
