import { describe, expect, it } from 'vitest'
import { measureGarment } from '../../../src/vision/measure/measure-garment.ts'
import type { Point } from '../../../src/vision/picture.ts'
import { levelPlane } from '../../../src/vision/geometry.ts'
import { sortOutlines, traceOutlines } from '../../../src/vision/segment/trace-outline.ts'
import type { ItemType } from '../../../src/vision/taxonomy/item-types.ts'
import type { Vertex } from '../../../training/flat-lay/drawing/fill-polygon.ts'
import { fillMask } from './outline-of.ts'

const [width, height] = [200, 210]

/** The right half of a short-sleeved top; its armpits are at y = 64. */
const half = [[100, 34], [115, 20], [134, 26], [174, 66], [158, 82], [140, 64], [140, 190]] as const // prettier-ignore
const mask = fillMask([...half, ...half.map(([x, y]) => [width - x, y] as const).reverse()], width, height)

const [side, edge] = [64, 220]

/** A map with a peak at a place of the picture. */
const mapAt = ([x, y]: Point) =>
  Float32Array.from({ length: side * side }, (_, cell) => {
    const toPicture = (index: number) => ((index + 0.5) / side) * edge - 0.5
    return -Math.hypot(toPicture(cell % side) - x, toPicture(Math.floor(cell / side)) - y)
  })

/** Lines of what a mask shows, whose points a network has seen with a probability. One pixel is one centimetre. */
function linesOf(data: Uint8Array, itemType: ItemType, points: Readonly<Record<string, Point>> = {}, presence = 0) {
  const coverage = data.map((value) => value * 255)
  const analysis = {
    ...sortOutlines(traceOutlines(coverage, width, height)),
    segmentation: { mask: { width, height, data } },
    prediction: {
      landmarks: {
        side,
        reach: 3,
        square: { left: 0, top: 0, side: edge },
        points: Object.entries(points).map(([name, place]) => ({ name, presence, logits: mapAt(place) })),
      },
    },
  }
  const sizing = { gender: undefined, child: undefined }
  return measureGarment(analysis, itemType, 'Short', sizing, levelPlane).lines
}

/** Names of the lines of a T-shirt. */
const namesOf = (points: Readonly<Record<string, Point>>, presence: number) =>
  linesOf(mask, 'T-Shirt', points, presence).map(({ name }) => name)

describe('measureGarment', () => {
  it('measures a skirt whose corners are seen, and none whose corners are not', () => {
    const skirt = fillMask([[75, 30], [125, 30], [150, 190], [50, 190]], width, height) // prettier-ignore
    const corners = { waistL: [76, 31], waistR: [124, 31], hemL: [52, 189], hemR: [148, 189] } as const
    const namesWith = (presence: number) => linesOf(skirt, 'Skirt', corners, presence).map(({ name }) => name)
    expect(namesWith(0.95)).toEqual(['Waist', 'Hip', 'Length', 'Hem'])
    expect(namesWith(0.2)).toEqual([])
  })

  it('leaves out lines to seams that the network does not see', () => {
    const seams = { shoulderL: [66, 26], shoulderR: [134, 26], cuffL: [34, 74], cuffR: [166, 74] } as const
    expect(namesOf(seams, 0.95)).toEqual(expect.arrayContaining(['Shoulder', 'Sleeve Length']))
    expect(namesOf(seams, 0.2)).toEqual([])
  })
})

/** A shoe of 100 by 40 from the side, and one of 36 by 100 from above, whose toe points up. */
const fromSide = [[40, 100], [60, 104], [90, 122], [132, 128], [140, 140], [40, 140]] as const // prettier-ignore
const fromAbove = [[30, 60], [40, 40], [54, 42], [66, 64], [62, 130], [50, 140], [38, 132]] as const // prettier-ignore

const turned = (shape: readonly Vertex[], degrees: number) => {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  return shape.map(([x, y]): Vertex => [100 + (x - 90) * cos - (y - 110) * sin, 100 + (x - 90) * sin + (y - 110) * cos])
}

/** Lengths of the lines of a picture that shows these shapes. */
function lengthsOf(itemType: ItemType, ...shapes: readonly (readonly Vertex[])[]) {
  const masks = shapes.map((shape) => fillMask(shape, width, height))
  const all = masks.reduce((sum, part) => sum.map((value, index) => value | part[index]!))
  return linesOf(all, itemType).map(({ name, cm }) => [name, Math.round(cm / 3) * 3])
}

describe('the length of a shoe', () => {
  it.each([
    ['from the side', fromSide],
    ['from the side, turned by 35 degrees', turned(fromSide, 35)],
    ['from above, pointing up', fromAbove],
  ])('%s is its longest side', (_, shape) => {
    expect(lengthsOf('Trainers', shape)).toEqual([['Length', 99]])
  })

  it('that touches the other one is not the width of both', () => {
    const other = fromAbove.map(([x, y]): Vertex => [x + 32, y])
    expect(lengthsOf('Sandals', fromAbove, other)).toEqual([['Length', 99]])
  })

  it('is not measured of a pair that lies apart, nor of a shoe that the picture cuts off', () => {
    const other = fromAbove.map(([x, y]): Vertex => [x + 80, y])
    expect(lengthsOf('Shoes', fromAbove, other)).toEqual([])
    expect(lengthsOf('Shoes', fromSide.map(([x, y]): Vertex => [x - 60, y]))).toEqual([]) // prettier-ignore
  })

  it('is not measured of boots, whose shaft may be longer than the foot', () => {
    expect(lengthsOf('Boots', [[60, 20], [100, 20], [104, 130], [150, 140], [150, 160], [60, 160]])).toEqual([]) // prettier-ignore
  })
})
