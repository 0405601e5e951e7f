import { describe, expect, it } from 'vitest'
import { distance } from '../../../src/vision/geometry.ts'
import type { Layout } from '../../../src/vision/measure/silhouette.ts'
import { locateBox, locateSkirt } from '../../../src/vision/measure/locate-garment.ts'
import { errorAt, silhouetteOfPolygon } from './outline-of.ts'

const lengthsOf = ({ lines }: Layout) =>
  Object.fromEntries(lines.map(({ name, from, to }) => [name, Math.round(distance(from, to))]))

/** A waist of 60, a hem of 120 and a length of 150 around (120, 120), turned clockwise. */
function skirt(degrees: number) {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  const corners = [[-30, -75], [30, -75], [60, 75], [-60, 75]] as const // prettier-ignore
  return corners.map(([u, v]) => [120 + u * cos - v * sin, 120 + u * sin + v * cos] as const)
}

describe('locateSkirt', () => {
  it.each([0, 10, -10])('finds hip and length of a trapezoid turned by %i degrees', (degrees) => {
    const layout = locateSkirt(silhouetteOfPolygon(skirt(degrees), 240, 240))
    // The hip lies 0.54 of the waist below it, where the trapezoid has widened to 73.
    for (const [name, length] of Object.entries({ Hip: 73, Length: 150 }))
      expect(Math.abs((lengthsOf(layout)[name] ?? 0) - length), name).toBeLessThanOrEqual(2)
  })

  it('has the hip of a very short skirt half way down', () => {
    const silhouette = silhouetteOfPolygon([[50, 40], [150, 40], [170, 80], [30, 80]], 200, 120) // prettier-ignore
    const hip = locateSkirt(silhouette).lines.find(({ name }) => name === 'Hip')
    expect(errorAt(silhouette, hip?.from ?? [0, 0], [40, 60])).toBeLessThan(2)
    expect(errorAt(silhouette, hip?.to ?? [0, 0], [160, 60])).toBeLessThan(2)
  })
})

describe('locateBox', () => {
  it('measures the height of a bag without its handle', () => {
    const bag = [[50, 90], [70, 90], [70, 30], [130, 30], [130, 90], [150, 90], [150, 170], [50, 170]] as const // prettier-ignore
    const { Width, Height } = lengthsOf(locateBox(silhouetteOfPolygon(bag, 200, 200)))
    expect([Width, Height]).toEqual([100, 80])
  })
})
