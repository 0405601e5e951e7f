import { describe, expect, it } from 'vitest'
import type { Point } from '../../../src/vision/picture.ts'
import { locateByPoints } from '../../../src/vision/measure/locate-by-points.ts'
import { cutRows } from '../../../src/vision/measure/silhouette.ts'

const axis = { origin: [0, 0] as const, degrees: 0 }

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
  hemL: [-97, 288],
  hemR: [97, 288],
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
    expect(layout.landmarks['hemR']).toEqual([98, 290])
    expect(layout.landmarks['armpitL']).toEqual([-92, 110])
    expect(layout.landmarks['shoulderL']).toEqual([-104, 35])
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
    expect(layout.landmarks['hemRo']).toEqual([80, 300])
    expect(layout.lines.map(({ name }) => name)).toEqual([
      'Waist',
      'Front Rise',
      'Inseam',
      'Outseam',
      'Leg Opening',
      'Hip',
      'Thigh',
    ])
  })

  it('leaves a crotch where its seam was seen, above the gap between the legs', () => {
    const leggings = cutRows(draw([[-50, 0], [50, 0], [60, 300], [20, 300], [0, 110], [-20, 300], [-60, 300]]), axis) // prettier-ignore
    const places = { waistL: [-49, 2], waistR: [49, 2], crotch: [1, 104], hemLi: [-21, 299] } as const
    const layout = locateByPoints('legs', leggings, points(places), undefined)
    expect(layout.landmarks['crotch']).toEqual([1, 104])
    expect(lengthOf('Front Rise', layout)).toBeCloseTo(104, 0)
  })

  it('finds corners of an outline that goes on beyond them', () => {
    // Along the flared side to the cuff below it, everything stands out more than the corner.
    const hips = cutRows(draw([[-40, 0], [40, 0], [60, 30], [60, 290], [-60, 290], [-60, 30]]), axis) // prettier-ignore
    const { landmarks } = locateByPoints('skirt', hips, points({ waistR: [41, 1] }), undefined)
    expect(landmarks['waistR']?.[0]).toBeLessThan(43)
  })

  it('measures the body along itself where it lies askew in its frame', () => {
    const degrees = 8
    const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)]
    const turn = ([u, v]: Point): Point => [u * cos - v * sin, u * sin + v * cos]
    const askew = cutRows(jumper.outline.map(turn), axis)
    const turned = Object.fromEntries(Object.entries(seen).map(([name, place]) => [name, turn(place)]))
    const upright = lengthOf('Body Length', locateByPoints('top', jumper, points(seen), 'Long'))
    expect(lengthOf('Body Length', locateByPoints('top', askew, points(turned), 'Long'))).toBeCloseTo(
      upright ?? 0,
      -0.5,
    )
  })

  it('measures a short sleeve to the corner of its own end, not to one of the body below it', () => {
    const shirt = cutRows(
      draw([[-30, 0], [30, 0], [70, 20], [110, 70], [90, 90], [66, 66], [66, 110], [-66, 110], [-66, 66], [-90, 90], [-110, 70], [-70, 20]]), // prettier-ignore
      axis,
    )
    const places = { shoulderR: [70, 20], cuffR: [100, 80], shoulderL: [-70, 20], cuffL: [-100, 80] } as const
    const { lines } = locateByPoints('top', shirt, points(places), 'Short')
    const sleeve = lines.find(({ name }) => name === 'Sleeve Length')
    expect(Math.abs(sleeve?.to[0] ?? 0)).toBeCloseTo(110, -0.5)
    expect(sleeve?.to[1]).toBeCloseTo(70, -0.5)
  })

  it('leaves out a hem of which one corner was found twice, and a length from a neck that was not found', () => {
    const oneCorner = [...points(seen), ...points({ hemR: [-90, 285] })]
    expect(lengthOf('Hem', locateByPoints('top', jumper, oneCorner, 'Long'))).toBeUndefined()
    const noNeck = [...points(seen), ...points({ neckR: [92, 100] })]
    expect(lengthOf('Body Length', locateByPoints('top', jumper, noNeck, 'Long'))).toBeUndefined()
    expect(lengthOf('Hem', locateByPoints('top', jumper, noNeck, 'Long'))).toBeCloseTo(196, 0)
  })

  it('leaves out a length to a hem of which a corner was found high on the side', () => {
    const onSide = (v: number) => [...points(seen), ...points({ hemR: [118, v] })]
    expect(lengthOf('Body Length', locateByPoints('top', jumper, onSide(200), 'Long'))).toBeUndefined()
    expect(lengthOf('Body Length', locateByPoints('top', jumper, onSide(250), 'Long'))).toBeDefined()
  })

  it('leaves out shoulders of which one was found at the neck', () => {
    const atNeck = [...points(seen), ...points({ shoulderL: [-50, 8] })]
    expect(lengthOf('Shoulder', locateByPoints('top', jumper, atNeck, 'Long'))).toBeUndefined()
    const noNeck = [...atNeck, ...points({ neckL: seen.neckL }, 0.2)]
    expect(lengthOf('Shoulder', locateByPoints('top', jumper, noNeck, 'Long'))).toBeDefined()
  })

  it('measures a cuff between the corners beside its middle, where the outline shows both', () => {
    const apart = draw([[-40, 0], [40, 0], [110, 40], [170, 250], [130, 260], [98, 120], [98, 290], [-98, 290], [-98, 120], [-130, 260], [-170, 250], [-110, 40]]) // prettier-ignore
    const places = { ...seen, cuffL: [-150, 255], cuffR: [150, 255] } as const
    const ends = locateByPoints('top', cutRows(apart, axis), points(places), 'Long').lines
    expect(ends.find(({ name }) => name === 'Cuff')).toMatchObject({ from: [-170, 250], to: [-130, 260] })
    // Where sleeves lie against the body, the outline shows only the outer corner.
    const against = locateByPoints('top', jumper, points(seen), 'Long')
    expect([lengthOf('Sleeve Length', against) !== undefined, lengthOf('Cuff', against)]).toEqual([true, undefined])
  })

  it('measures a one-piece from the neck straight down to its lowest point', () => {
    const { lines } = locateByPoints('one-piece', jumper, points(seen), 'Long')
    expect(lines.map(({ name }) => name)).toEqual(['Chest', 'Shoulder', 'Length', 'Sleeve Length', 'Sleeve Length'])
    expect(lines[2]).toMatchObject({ from: [37, 3], to: [37, 291] })
  })

  it('leaves out sleeves that are folded over the body, and measures the one that is not', () => {
    const cuffs = (left: Point, right: Point) => [...points(seen), ...points({ cuffL: left, cuffR: right })]
    const both = locateByPoints('top', jumper, cuffs([-30, 200], [30, 200]), 'Long')
    expect(lengthOf('Sleeve Length', both)).toBeUndefined()
    const right = locateByPoints('top', jumper, cuffs(seen.cuffL, [0, 232]), 'Long')
    expect(right.lines.find(({ name }) => name === 'Sleeve Length')?.from).toEqual(seen.shoulderL)
  })
})
