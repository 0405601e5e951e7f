import { describe, expect, it } from 'vitest'
import { invert, project } from '../../../src/vision/card/homography.ts'
import { encodeJpeg } from '../../../src/vision/image/encode-jpeg.ts'
import { decodePicture } from '../../../src/vision/image/decode-picture.ts'
import { landmarksOf, replaceLines, toCopy, toView } from '../../../src/vision/measure/original-lines.ts'
import { lineLength } from '../../../src/vision/view.ts'
import { tagPicture } from '../../../src/vision/tag-picture.ts'
import { makeFlatLay } from '../../../training/flat-lay/make-flat-lay.ts'

/** From the picture to centimetres, of a tilted card. */
const plane = invert([24, 3, 900, -2, 26, 700, 0.0004, 0.0011, 1])!

describe('the view of a measured picture', () => {
  it('has lines and scale in pixels of the original, so that lengths are those of the copy', () => {
    const line = { name: 'Chest', from: [400.5, 300.25], to: [801.75, 333.5], cm: 0 } as const
    const scale = plane.slice(0, 8).map((value) => value / plane[8]!)
    const view = toView({ lines: [line], scale }, [3600, 2400], 3)
    const [from, to] = [line.from, line.to].map((point) => project(plane, point))
    const cm = Math.hypot(to![0] - from![0], to![1] - from![1])
    expect(Math.abs(lineLength(view.scale!, view.lines['Chest']!) - cm)).toBeLessThanOrEqual(0.26)
    const back = toCopy(view.lines['Chest']!, 3)
    for (const [place, was] of [
      [back.from, line.from],
      [back.to, line.to],
    ] as const)
      expect(Math.hypot(place[0] - was[0], place[1] - was[1])).toBeLessThan(0.3)
    expect(toView({ lines: [], scale: 0.3 }, [3600, 2400], 3)).toEqual({ size: [3600, 2400], scale: 0.1, lines: {} })
    expect(toView({ lines: [], scale: undefined }, [36, 24], 3)).toEqual({ size: [36, 24], lines: {} })
  })

  it('gives no length beyond the horizon of the plane', () => {
    expect(lineLength([1, 0, 0, 0, 1, 0, 0, -0.01], [10, 10, 10, 50])).toBeGreaterThan(0)
    expect(lineLength([1, 0, 0, 0, 1, 0, 0, -0.01], [10, 10, 10, 150])).toBeNaN()
  })
})

it('corrected lines replace predicted ones, unless the item type has no such line', () => {
  const predicted = [
    { name: 'Chest', from: [1, 1], to: [9, 1], cm: 8 },
    { name: 'Hem', from: [1, 9], to: [9, 9], cm: 8 },
  ] as const
  const view = { size: [20, 20], scale: 0.5, lines: {} } as const
  const given = { Chest: [0, 4, 18, 4], Hem: null, Inseam: [1, 1, 9, 9] } as const
  expect(replaceLines({ itemType: 'T-Shirt', lines: predicted }, given, view, 1)).toEqual([
    { name: 'Chest', from: [0, 4], to: [18, 4], cm: 9 },
  ])
})

it('the predicted line stays where nothing gives the corrected one a length', () => {
  const lines = [{ name: 'Chest', from: [1, 1], to: [9, 1], cm: 8 }] as const
  const view = { size: [20, 20], lines: {} } as const
  expect(replaceLines({ itemType: 'T-Shirt', lines }, { Chest: [0, 4, 18, 4] }, view, 1)).toEqual(lines)
})

it('landmarks of lines that were moved or removed are not drawn', () => {
  const lines = [{ name: 'Hem', from: [1, 90], to: [90, 90], cm: 8 }] as const
  const landmarks = { 'Left Hem': [1.5, 89.5], 'Left Armpit': [1, 10] } as const
  expect(landmarksOf(lines, landmarks)).toEqual({ 'Left Hem': [1.5, 89.5] })
})

it('the annotated picture shows given lines in place of the predicted ones, which stay stored', async () => {
  const lay = makeFlatLay(3, { itemType: 'T-Shirt', gender: "Men's", pattern: 'Plain', width: 600, height: 800 })
  const bytes = encodeJpeg(lay.picture, 88)
  const hints = { attribute: {}, cmPerPixel: 0.1 }
  const predicted = await tagPicture(bytes, hints)
  const { view } = predicted.details
  expect(view).toMatchObject({ size: [600, 800], scale: 0.1 })
  const names = Object.keys(predicted.measurements).map((key) => key.replace(' (cm)', ''))
  expect(Object.keys(view.lines)).toEqual(names)
  for (const name of names)
    expect(Math.abs(lineLength(view.scale!, view.lines[name]!) - predicted.measurements[`${name} (cm)`]!)).toBeLessThan(
      0.6,
    )

  const drawn = await tagPicture(bytes, { ...hints, lines: { Chest: [20, 780, 580, 780] } })
  expect(drawn.details).toEqual(predicted.details)
  expect(drawn.measurements).toEqual(predicted.measurements)
  const [before, after] = [
    await decodePicture(predicted.annotated.bytes, 1280),
    await decodePicture(drawn.annotated.bytes, 1280),
  ]
  const at = (x: number, y: number) => [before, after].map(({ picture }) => picture.data[(y * 600 + x) * 4]!)
  // Cyan has no red.
  const [was, is] = at(60, 780)
  expect([was! > 100, is! < 60]).toEqual([true, true])
})
