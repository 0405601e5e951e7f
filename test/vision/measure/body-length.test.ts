import { describe, expect, it } from 'vitest'
import type { Point } from '../../../src/vision/picture.ts'
import { bodyLength } from '../../../src/vision/measure/point-lines.ts'
import { levelPlane, type Plane } from '../../../src/vision/geometry.ts'

/** On the cloth. */
const marks = { neckL: [-38, 2], neckR: [38, 2], armpitL: [-92, 110], armpitR: [92, 110], hemL: [-98, 290], hemR: [98, 290] } as const // prettier-ignore

/** The length on the cloth that is drawn into a picture of it. */
function lengthOnCloth(cloth: Plane, known: Plane, places: Readonly<Record<string, Point>> = marks) {
  const at = (name: string) => {
    const place = places[name]
    return place === undefined
      ? { name, place: [0, 0] as const, reliability: 0 }
      : { name, place: cloth.from(place), reliability: 0.9 }
  }
  const line = bodyLength(at, known)[0]
  if (line === undefined) return undefined
  const [[x, y], [endX, endY]] = [cloth.to(line.from), cloth.to(line.to)]
  return Math.hypot(endX - x, endY - y)
}

/** The picture of a camera that is tilted over a corner of the cloth, whose square corners are not square in it. */
const oblique = (share: number): Plane => ({
  to: ([x, y]) => [x - share * y, y],
  from: ([u, v]) => [u + share * v, v],
})

describe('bodyLength', () => {
  it('measures the body straight down on the cloth where the tilt of the camera is known', () => {
    expect(lengthOnCloth(levelPlane, levelPlane)).toBeCloseTo(288, 6)
    expect(lengthOnCloth(oblique(0.25), oblique(0.25))).toBeCloseTo(288, 6)
    expect(Math.abs((lengthOnCloth(oblique(0.25), levelPlane) ?? 0) - 288)).toBeGreaterThan(6)
  })

  it('gives a length of the body that only the tilt of the camera makes skew', () => {
    expect(lengthOnCloth(oblique(0.4), levelPlane)).toBeUndefined()
    expect(lengthOnCloth(oblique(0.4), oblique(0.4))).toBeCloseTo(288, 6)
  })

  it('goes down along the garment from one neck point where the other was not seen', () => {
    expect(lengthOnCloth(levelPlane, levelPlane, { neckR: [38, 2], hemL: [-98, 290], hemR: [98, 290] })).toBeCloseTo(
      288,
      6,
    )
  })
})
