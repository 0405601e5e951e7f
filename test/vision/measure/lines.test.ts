import { describe, expect, it } from 'vitest'
import { invert, project } from '../../../src/vision/card/homography.ts'
import { encodeJpeg } from '../../../src/vision/image/encode-jpeg.ts'
import { redrawLines, toCopy, toView } from '../../../src/vision/measure/original-lines.ts'
import { lineLength } from '../../../src/vision/view.ts'
import { tagPicture } from '../../../src/vision/tag-picture.ts'
import { drawing } from '../../support/picture-copy.ts'
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
  const lines = [
    { name: 'Chest', from: [1, 1], to: [9, 1], cm: 8 },
    { name: 'Hem', from: [1, 9], to: [9, 9], cm: 8 },
  ] as const
  const given = { Chest: [1, 9, 37, 9], Hem: null, Inseam: [1, 1, 9, 9] } as const
  expect(redrawLines({ ...drawing, lines, scale: 2 }, given, { scale: 0.5 }).lines).toEqual([
    { name: 'Chest', from: [0.25, 4.25], to: [18.25, 4.25], cm: 18 },
  ])
})

it('the predicted line stays where nothing gives the corrected one a length', () => {
  expect(redrawLines(drawing, { Chest: [0, 4, 18, 4] }, {})).toEqual(drawing)
})

it('the drawing has the lines of the view, in pixels of the copy', async () => {
  const lay = makeFlatLay(3, { itemType: 'T-Shirt', gender: "Men's", pattern: 'Plain', width: 1080, height: 1440 })
  const { copy, details, measurements } = await tagPicture(encodeJpeg(lay.picture, 88), {
    attribute: {},
    cmPerPixel: 0.055,
  })
  const { view } = details
  expect(view).toMatchObject({ size: [1080, 1440], scale: 0.055 })
  expect(copy.drawing.lines.map(({ name }) => `${name} (cm)`)).toEqual(Object.keys(measurements))
  for (const { name, from, cm } of copy.drawing.lines) {
    const [x, y] = toCopy(view.lines[name]!, copy.drawing.scale).from
    expect(Math.hypot(from[0] - x, from[1] - y)).toBeLessThan(1)
    expect(Math.abs(lineLength(view.scale!, view.lines[name]!) - cm)).toBeLessThan(0.6)
  }
})
