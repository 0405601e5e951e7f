import { describe, expect, it } from 'vitest'
import { cutRows, extent, runsAt } from '../../../src/vision/measure/silhouette.ts'

const axis = { origin: [50, 0], degrees: 0 } as const

/** Two legs of 20 pixels, 20 apart, below a body of 60: in pixels, the centre line at x = 50. */
const trousers = cutRows(
  [[20, 10], [80, 10], [80, 90], [60, 90], [60, 50], [40, 50], [40, 90], [20, 90]], // prettier-ignore
  axis,
)

describe('cutRows', () => {
  it('cuts the outline into runs around the centre line', () => {
    expect(runsAt(trousers, 30)).toEqual([{ left: -30, right: 30 }])
    expect(runsAt(trousers, 70)).toEqual([
      { left: -30, right: -10 },
      { left: 10, right: 30 },
    ])
  })

  it('knows the extent of the whole', () => {
    expect(trousers).toMatchObject({ top: 10, left: -30, right: 30 })
    expect(trousers.height).toBe(81)
  })

  it('has edges exact to a fraction of a pixel', () => {
    const slanted = cutRows([[50, 0], [60.5, 21], [39.5, 21]], axis) // prettier-ignore
    expect(runsAt(slanted, 10)[0]?.right).toBeCloseTo(5, 6)
  })
})

describe('runs of a row', () => {
  it('are taken from the nearest row beyond the ends', () => {
    expect(runsAt(trousers, -100)).toEqual(runsAt(trousers, 10))
  })

  it('reach from the first edge to the last', () => {
    expect(extent(runsAt(trousers, 70))).toEqual({ left: -30, right: 30 })
    expect(extent([])).toBeUndefined()
  })
})
