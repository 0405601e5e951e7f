import { describe, expect, it } from 'vitest'
import { distance } from '../../../src/vision/geometry.ts'
import { locateByPoints } from '../../../src/vision/measure/locate-by-points.ts'
import { type FrameLine, type Silhouette, toFrame } from '../../../src/vision/measure/silhouette.ts'
import type { Point } from '../../../src/vision/picture.ts'
import { errorAt, silhouetteOfPolygon } from './outline-of.ts'

const lengthsOf = (lines: readonly FrameLine[]) =>
  Object.fromEntries(lines.map(({ name, from, to }) => [name, Math.round(distance(from, to))]))

/** A waist of 60, a hem of 120 and a length of 150 around (120, 120), turned clockwise. */
function skirt(degrees: number) {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  const corners = [[-30, -75], [30, -75], [60, 75], [-60, 75]] as const // prettier-ignore
  return corners.map(([u, v]) => [120 + u * cos - v * sin, 120 + u * sin + v * cos] as const)
}

/** The lines of a skirt both of whose ends the network has seen: waist, then hem. */
function locateSkirt(silhouette: Silhouette, corners: readonly Point[], reliability = 0.9) {
  const points = ['waistL', 'waistR', 'hemR', 'hemL'].map((name, index) => ({
    name,
    place: toFrame(silhouette.axis, [corners[index]![0] - 0.5, corners[index]![1] - 0.5]),
    reliability: name === 'hemL' ? reliability : 0.9,
  }))
  return locateByPoints('skirt', silhouette, points, undefined).lines
}

describe('a skirt', () => {
  it.each([0, 10, -10])('has hip and length where it is a trapezoid turned by %i degrees', (degrees) => {
    const layout = locateSkirt(silhouetteOfPolygon(skirt(degrees), 240, 240), skirt(degrees))
    // The hip lies 0.54 of the waist below it, where the trapezoid has widened to 73.
    for (const [name, length] of Object.entries({ Hip: 73, Length: 150 }))
      expect(Math.abs((lengthsOf(layout)[name] ?? 0) - length), name).toBeLessThanOrEqual(2)
  })

  it('has no length where a corner of its hem is hardly seen', () => {
    const lines = locateSkirt(silhouetteOfPolygon(skirt(0), 240, 240), skirt(0), 0.4)
    expect(lines.map(({ name }) => name)).toEqual(['Waist', 'Hip'])
  })

  it('has its hip half way down where it is very short', () => {
    const corners = [[50, 40], [150, 40], [170, 80], [30, 80]] as const // prettier-ignore
    const silhouette = silhouetteOfPolygon(corners, 200, 120)
    const hip = locateSkirt(silhouette, corners).find(({ name }) => name === 'Hip')
    expect(errorAt(silhouette, hip?.from ?? [0, 0], [40, 60])).toBeLessThan(2)
    expect(errorAt(silhouette, hip?.to ?? [0, 0], [160, 60])).toBeLessThan(2)
  })
})
