import { describe, expect, it } from 'vitest'
import { distance } from '../../../src/vision/geometry.ts'
import { locateByOutline } from '../../../src/vision/measure/locate-by-outline.ts'
import { itemOf } from '../../../src/vision/taxonomy/item-types.ts'
import type { ItemType } from '../../../training/flat-lay/garments/sample-garment.ts'
import { makeFlatLay } from '../../../training/flat-lay/make-flat-lay.ts'
import { silhouetteOf, silhouetteOfPolygon } from './outline-of.ts'

const [width, height] = [315, 420]
const seeds = Array.from({ length: 5 }, (_, index) => 700 + index)

/** Measured minus drawn, in cm, by measurement; NaN where the line is missing. */
function errorsOf(itemType: ItemType): Record<string, number[]> {
  const errors: Record<string, number[]> = {}
  for (const seed of seeds) {
    const { truth } = makeFlatLay(seed, { itemType, width, height, hook: false })
    const lines = locateByOutline(itemOf(itemType).build, silhouetteOf(truth.mask, width, height))
    for (const [name, cm] of Object.entries(truth.measurements)) {
      const line = lines.find((candidate) => candidate.name === name)
      const error = line === undefined ? Number.NaN : distance(line.from, line.to) * truth.cmPerPixel - cm
      errors[name] = [...(errors[name] ?? []), error]
    }
  }
  return errors
}

/** Largest median absolute error in cm. */
const limits: readonly (readonly [ItemType, Readonly<Record<string, number>>])[] = [
  ['Bag', { Width: 0.3, Height: 0.4 }],
  ['Trainers', { Length: 0.4 }],
]

describe('the measuring lines', () => {
  it.each(limits)('of a drawn %s are as long as they were drawn', (itemType, limits) => {
    const errors = errorsOf(itemType)
    expect(Object.keys(errors).sort()).toEqual(Object.keys(limits).sort())
    for (const [name, values] of Object.entries(errors)) {
      const found = values.filter((value) => !Number.isNaN(value))
      expect(found.length, `${name} is missing too often`).toBeGreaterThanOrEqual(values.length - 1)
      const median = found.map(Math.abs).sort((a, b) => a - b)[found.length >> 1]
      expect(median, `${name}, errors ${found.map((value) => value.toFixed(1)).join(' ')}`).toBeLessThan(
        limits[name] ?? 0,
      )
    }
  })
})

describe('locateByOutline', () => {
  it.each(['bag', 'hat', 'shoe'] as const)(
    'returns finite points even for a square that is treated as a %s',
    (build) => {
      const mask = new Uint8Array(80 * 80)
      for (let y = 20; y < 60; y++) mask.fill(1, y * 80 + 20, y * 80 + 60)
      const lines = locateByOutline(build, silhouetteOf(mask, 80, 80))
      expect(lines.length).toBeGreaterThan(0)
      for (const point of lines.flatMap(({ from, to }) => [from, to])) expect(point.every(Number.isFinite)).toBe(true)
    },
  )
})

describe('a bag', () => {
  it('has a height without its handle', () => {
    const bag = [[50, 90], [70, 90], [70, 30], [130, 30], [130, 90], [150, 90], [150, 170], [50, 170]] as const // prettier-ignore
    const lines = locateByOutline('bag', silhouetteOfPolygon(bag, 200, 200))
    expect(lines.map(({ name, from, to }) => [name, Math.round(distance(from, to))])).toEqual([
      ['Width', 100],
      ['Height', 80],
    ])
  })
})
