import { describe, expect, it } from 'vitest'
import { distance } from '../../../src/vision/geometry.ts'
import { locateGarment } from '../../../src/vision/measure/locate-garment.ts'
import { itemOf } from '../../../src/vision/taxonomy/item-types.ts'
import type { ItemType } from '../../../training/flat-lay/garments/sample-garment.ts'
import { makeFlatLay } from '../../../training/flat-lay/make-flat-lay.ts'
import { silhouetteOf } from './outline-of.ts'

const [width, height] = [315, 420]
const seeds = Array.from({ length: 5 }, (_, index) => 700 + index)

/** Lines that end at points that the network sees. */
const ofPoints = new Set(['Waist', 'Hem', 'Front Rise', 'Inseam', 'Outseam', 'Leg Opening'])

/** Measured minus drawn, in cm, by measurement; NaN where the line is missing. */
function errorsOf(itemType: ItemType): Record<string, number[]> {
  const errors: Record<string, number[]> = {}
  for (const seed of seeds) {
    const { truth } = makeFlatLay(seed, { itemType, width, height, hook: false })
    const { lines } = locateGarment(itemOf(itemType).build, silhouetteOf(truth.mask, width, height))
    for (const [name, cm] of Object.entries(truth.measurements).filter(([name]) => !ofPoints.has(name))) {
      const line = lines.find((candidate) => candidate.name === name)
      const error = line === undefined ? Number.NaN : distance(line.from, line.to) * truth.cmPerPixel - cm
      errors[name] = [...(errors[name] ?? []), error]
    }
  }
  return errors
}

const legErrors = { Hip: 0.4, Thigh: 0.4 }

/** Largest median absolute error in cm. */
const limits: readonly (readonly [ItemType, Readonly<Record<string, number>>])[] = [
  ['Trousers', legErrors],
  ['Jeans', legErrors],
  ['Shorts', { ...legErrors, Hip: 0.9 }],
  ['Skirt', { Hip: 0.4, Length: 0.5 }],
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

  it('of a garment turned by 12 degrees are as long as those of the upright one', () => {
    const lengths = [0, 12].map((rotationDegrees) => {
      const { truth } = makeFlatLay(705, { itemType: 'Trousers', width, height, hook: false, rotationDegrees })
      const { lines } = locateGarment('legs', silhouetteOf(truth.mask, width, height))
      return Object.fromEntries(lines.map(({ name, from, to }) => [name, distance(from, to) * truth.cmPerPixel]))
    })
    for (const [name, upright] of Object.entries(lengths[0]!))
      expect(Math.abs(lengths[1]![name]! - upright), name).toBeLessThan(1)
  })
})

describe('locateGarment', () => {
  it.each(['legs', 'skirt', 'bag', 'hat', 'shoe'] as const)(
    'returns finite points even for a square that is treated as a %s',
    (build) => {
      const mask = new Uint8Array(80 * 80)
      for (let y = 20; y < 60; y++) mask.fill(1, y * 80 + 20, y * 80 + 60)
      const { lines, landmarks } = locateGarment(build, silhouetteOf(mask, 80, 80))
      expect(lines.length).toBeGreaterThan(0)
      for (const point of [...lines.flatMap(({ from, to }) => [from, to]), ...Object.values(landmarks)])
        expect(point.every(Number.isFinite)).toBe(true)
    },
  )
})
