import { describe, expect, it } from 'vitest'
import type { Point } from '../../../src/vision/picture.ts'
import { locateByPoints } from '../../../src/vision/points/locate-by-points.ts'
import { cutRows } from '../../../src/vision/shape/silhouette.ts'

const axis = { origin: [0, 0] as const, degrees: 0, symmetry: 1 }

/** A border with a point at every pixel. */
function draw(corners: readonly Point[]): Point[] {
  return corners.flatMap((from, index) => {
    const to = corners[(index + 1) % corners.length]!
    const steps = Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]))
    return Array.from({ length: steps }, (_, step): Point => [
      from[0] + ((to[0] - from[0]) * step) / steps,
      from[1] + ((to[1] - from[1]) * step) / steps,
    ])
  })
}

/** A jumper whose sleeves lie against the body: its armpits are not seen in the outline. */
const jumper = cutRows(
  draw([
    [-40, 0],
    [40, 0],
    [110, 40],
    [140, 260],
    [100, 270],
    [98, 290],
    [-98, 290],
    [-100, 270],
    [-140, 260],
    [-110, 40],
  ]),
  axis,
)

const points = (places: Readonly<Record<string, Point>>, reliability = 0.9) =>
  Object.entries(places).map(([name, place]) => ({ name, place, reliability }))

const seen = {
  neckL: [-38, 2],
  neckR: [37, 3],
  shoulderL: [-104, 35],
  shoulderR: [104, 35],
  armpitL: [-92, 110],
  armpitR: [92, 110],
  cuffL: [-120, 262],
  cuffR: [120, 262],
  hemL: [-95, 287],
  hemR: [95, 287],
} as const satisfies Readonly<Record<string, Point>>

const lengthOf = (name: string, layout: ReturnType<typeof locateByPoints>) => {
  const line = layout.lines.find((candidate) => candidate.name === name)
  return line === undefined ? undefined : Math.hypot(line.from[0] - line.to[0], line.from[1] - line.to[1])
}

describe('locateByPoints', () => {
  it('measures between points inside the cloth, and from corners of the outline', () => {
    const layout = locateByPoints('top', jumper, points(seen), 'Long')
    expect(lengthOf('Chest', layout)).toBeCloseTo(184, 0)
    expect(lengthOf('Hem', layout)).toBeCloseTo(196, 0)
    expect(lengthOf('Body Length', layout)).toBeCloseTo(288, -1)
    expect(lengthOf('Sleeve Length', layout)).toBeGreaterThan(215)
    expect(layout.landmarks['Right Hem']).toEqual([98, 290])
    expect(layout.landmarks['Left Armpit']).toEqual([-92, 110])
  })

  it('leaves out lines with an end that is hardly seen, and sleeves of what has none', () => {
    const unsure = [...points(seen), ...points({ hemR: seen.hemR }, 0.2)]
    const names = locateByPoints('top', jumper, unsure, 'None').lines.map(({ name }) => name)
    expect(names).toEqual(['Chest', 'Shoulder'])
    expect(locateByPoints('top', jumper, [], 'Long').lines).toEqual([])
    expect(locateByPoints('bag', jumper, points(seen), undefined).lines).toEqual([])
  })

  it('measures the legs of trousers from the crotch that was seen', () => {
    const trousers = cutRows(
      draw([
        [-50, 0],
        [50, 0],
        [80, 300],
        [30, 300],
        [0, 110],
        [-30, 300],
        [-80, 300],
      ]),
      axis,
    )
    const places = {
      waistL: [-49, 2],
      waistR: [49, 2],
      crotch: [0, 100],
      hemRo: [79, 298],
      hemRi: [31, 299],
      hemLi: [-31, 299],
    } as const
    const layout = locateByPoints('legs', trousers, points(places), undefined)
    expect(lengthOf('Waist', layout)).toBeCloseTo(100, 0)
    expect(lengthOf('Leg Opening', layout)).toBeCloseTo(50, 0)
    expect(lengthOf('Outseam', layout)).toBeCloseTo(301.5, 0)
    expect(layout.landmarks['Right Hem Outer']).toEqual([80, 300])
    expect(layout.lines.map(({ name }) => name)).toEqual(['Waist', 'Front Rise', 'Inseam', 'Outseam', 'Leg Opening'])
  })
})
