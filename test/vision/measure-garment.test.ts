import { describe, expect, it } from 'vitest'
import { measureGarment } from '../../src/vision/measure-garment.ts'
import type { Point } from '../../src/vision/picture.ts'
import { levelPlane } from '../../src/vision/points/plane.ts'
import { sortOutlines, traceOutlines } from '../../src/vision/segment/trace-outline.ts'
import { fillMask } from './shape/outline-of.ts'

const [width, height] = [200, 210]

/** The right half of a short-sleeved top; its armpits are at y = 64. */
const half = [[100, 34], [115, 20], [134, 26], [174, 66], [158, 82], [140, 64], [140, 190]] as const // prettier-ignore
const mask = fillMask([...half, ...half.map(([x, y]) => [width - x, y] as const).reverse()], width, height)
const coverage = mask.map((value) => value * 255)

const [side, edge] = [64, 220]

/** A map with a peak at a place of the picture. */
const mapAt = ([x, y]: Point) =>
  Float32Array.from({ length: side * side }, (_, cell) => {
    const toPicture = (index: number) => ((index + 0.5) / side) * edge - 0.5
    return -Math.hypot(toPicture(cell % side) - x, toPicture(Math.floor(cell / side)) - y)
  })

/** Names of the lines of a T-shirt whose points a network has seen with a probability. */
function namesOf(points: Readonly<Record<string, Point>>, presence: number): string[] {
  const analysis = {
    ...sortOutlines(traceOutlines(coverage, width, height)),
    segmentation: { mask: { width, height, data: mask } },
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
  const { lines } = measureGarment(analysis, 'T-Shirt', 'Short', sizing, levelPlane)
  return lines.map(({ name }) => name)
}

const armpits = { armpitL: [60, 64], armpitR: [140, 64] } as const

describe('measureGarment', () => {
  it('takes a chest from the outline where points seen without being sure do not contradict it', () => {
    expect(namesOf(armpits, 0.2)).toContain('Chest')
    expect(namesOf({ armpitL: [85, 64], armpitR: [115, 64] }, 0.2)).not.toContain('Chest')
  })

  it('leaves out lines to seams that the network does not see', () => {
    const seams = { shoulderL: [66, 26], shoulderR: [134, 26], cuffL: [34, 74], cuffR: [166, 74] } as const
    expect(namesOf(seams, 0.95)).toEqual(expect.arrayContaining(['Shoulder', 'Sleeve Length']))
    const unseen = namesOf({ ...armpits, ...seams }, 0.2)
    for (const name of ['Shoulder', 'Sleeve Length', 'Body Length']) expect(unseen).not.toContain(name)
  })
})
