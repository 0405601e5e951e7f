import { describe, expect, it } from 'vitest'
import { distance } from '../../../src/vision/geometry.ts'
import { locateByPoints } from '../../../src/vision/measure/locate-by-points.ts'
import { toFrame } from '../../../src/vision/measure/silhouette.ts'
import type { Point } from '../../../src/vision/picture.ts'
import { errorAt, silhouetteOfPolygon } from './outline-of.ts'

/** A waist of 60 at y = 20, a crotch 70 below it, and two legs of 40 that end at y = 220. */
const trousers = [[70, 20], [130, 20], [150, 220], [110, 220], [100, 90], [90, 220], [50, 220]] as const // prettier-ignore
const seen = { waistL: [70, 20], waistR: [130, 20], crotch: [100, 90] } as const

/** Hip and thigh of a polygon whose points the network has seen. */
function locate(polygon: readonly Point[], places: Readonly<Record<string, Point>>, reliability = 0.9) {
  const silhouette = silhouetteOfPolygon(polygon, 240, 240)
  const points = Object.entries(places).map(([name, [x, y]]) => ({
    name,
    place: toFrame(silhouette.axis, [x - 0.5, y - 0.5]),
    reliability,
  }))
  const { lines } = locateByPoints('legs', silhouette, points, undefined)
  const lineOf = (name: string) => lines.find((line) => line.name === name)
  return { silhouette, hip: lineOf('Hip'), thigh: lineOf('Thigh') }
}

describe('hip and thigh of legs', () => {
  it.each([
    // The sides widen by one in ten each; the hip lies at 72 % of the rise.
    ['hip', 60 + 2 * 0.1 * 0.72 * 70],
    // A fortieth of the height below the crotch, from the centre of the gap.
    ['thigh', 30 + 0.1 * 75 - 5 / 13],
  ] as const)('measures the %s to within two pixels', (name, length) => {
    const line = locate(trousers, seen)[name]
    expect(line && Math.abs(distance(line.from, line.to) - length)).toBeLessThan(2)
  })

  it('lays the hip across the body at 72 % of the rise', () => {
    const { silhouette, hip } = locate(trousers, seen)
    expect(errorAt(silhouette, hip?.from ?? [0, 0], [65, 70.4])).toBeLessThan(2)
    expect(errorAt(silhouette, hip?.to ?? [0, 0], [135, 70.4])).toBeLessThan(2)
  })

  it('takes a thigh up to the crotch where its seam lies above the gap between the legs', () => {
    const { silhouette, thigh } = locate(trousers, { ...seen, crotch: [98, 80] })
    expect(errorAt(silhouette, thigh?.from ?? [0, 0], [98, 85])).toBeLessThan(2)
  })

  it('measures neither where the crotch or a corner of the waist is hardly seen', () => {
    expect(locate(trousers, seen, 0.4)).toMatchObject({ hip: undefined, thigh: undefined })
    expect(locate(trousers, { waistL: seen.waistL, crotch: seen.crotch }).hip).toBeUndefined()
  })

  it('measures neither of legs that lie across their frame', () => {
    const across = trousers.map(([x, y]) => [y, x] as const)
    const turned = Object.fromEntries(Object.entries(seen).map(([name, [x, y]]) => [name, [y, x] as const]))
    expect(locate(across, turned).hip).toBeUndefined()
  })

  it.each([
    [88, false],
    [94, true],
    [103, true],
    [106, false],
  ])('of a hip of 56 and a crotch at %i above cloth that ends at 128, measures the thigh: %s', (u, isGiven) => {
    const legs = [[75, 20], [125, 20], [128, 90], [128, 220], [72, 220], [72, 90]] as const // prettier-ignore
    const { hip, thigh } = locate(legs, { waistL: [75, 20], waistR: [125, 20], crotch: [u, 88] })
    expect([hip !== undefined, thigh !== undefined]).toEqual([true, isGiven])
  })
})
