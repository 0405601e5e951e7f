import { expect, test } from 'vitest'
import type { Point } from '../../../src/vision/picture.ts'
import { waistLine } from '../../../src/vision/measure/point-lines.ts'

/** The waist of a skirt whose left end lies at the upper corner, by the place of its right end. */
const waistTo = (right: Point, hemReliability = 0.9) => {
  const places: Readonly<Record<string, Point>> = { waistL: [-50, 0], waistR: right, hemL: [-60, 150], hemR: [60, 150] }
  return waistLine((name) => ({
    name,
    place: places[name] ?? [0, 0],
    reliability: name.startsWith('hem') ? hemReliability : 0.9,
  }))
}

test('a waist that runs askew to the hem is left out, so that the outline shows it', () => {
  expect(waistTo([52, 20])).toMatchObject([{ name: 'Waist', from: [-50, 0], to: [52, 20] }])
  expect(waistTo([54, 55])).toEqual([])
})

test('a hem that is hardly seen says nothing about the waist', () => {
  expect(waistTo([54, 55], 0.2)).toHaveLength(1)
})
