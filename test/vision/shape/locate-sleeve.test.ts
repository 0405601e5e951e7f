import { describe, expect, it } from 'vitest'
import { findArmpits } from '../../../src/vision/shape/find-armpits.ts'
import { bareSide, findBodySide, isOnBody } from '../../../src/vision/shape/find-body-side.ts'
import { distance } from '../../../src/vision/shape/find-corners.ts'
import { locateShoulders } from '../../../src/vision/shape/locate-shoulders.ts'
import { locateSleeve } from '../../../src/vision/shape/locate-sleeve.ts'
import { locateTop } from '../../../src/vision/shape/locate-top.ts'
import type { Silhouette } from '../../../src/vision/shape/silhouette.ts'
import { errorAt, silhouetteOfPolygon } from './outline-of.ts'

/** The right half of an outline and its mirror image about x = 100. */
const mirrored = (half: readonly (readonly [number, number])[]) => [
  ...half,
  ...half.map(([x, y]) => [200 - x, y] as const).reverse(),
]

/** Neckline, neck, shoulder, the two corners of the cuff, armpit, hem: sleeves that hang at 45 degrees. */
const SHIRT = [[100, 34], [115, 20], [134, 26], [174, 66], [158, 82], [140, 64], [140, 190]] as const // prettier-ignore
const shirt = silhouetteOfPolygon(mirrored(SHIRT), 200, 210)

const armpitsOf = (silhouette: Silhouette) =>
  findArmpits(silhouette, [findBodySide(silhouette, -1), findBodySide(silhouette, 1)])

describe('findArmpits', () => {
  it('finds the armpits of a T with straight sleeves', () => {
    const letter = silhouetteOfPolygon(mirrored([[180, 20], [180, 60], [140, 60], [140, 200]]), 200, 220) // prettier-ignore
    const { v, left, right } = armpitsOf(letter) ?? { v: 0, left: 0, right: 0 }
    expect(errorAt(letter, [left, v], [60, 60])).toBeLessThan(2)
    expect(errorAt(letter, [right, v], [140, 60])).toBeLessThan(2)
  })

  it('finds the armpits under hanging sleeves', () => {
    const { v, left, right } = armpitsOf(shirt) ?? { v: 0, left: 0, right: 0 }
    expect(errorAt(shirt, [left, v], [60, 64])).toBeLessThan(2)
    expect(errorAt(shirt, [right, v], [140, 64])).toBeLessThan(2)
  })

  it('finds none where only one side has a sleeve, and none in an empty mask', () => {
    const oneSleeve = [[60, 20], [180, 20], [180, 60], [140, 60], [140, 200], [60, 200]] as const // prettier-ignore
    expect(armpitsOf(silhouetteOfPolygon(oneSleeve, 200, 220))).toBeUndefined()
    expect(armpitsOf(silhouetteOfPolygon([], 200, 220))).toBeUndefined()
  })
})

describe('locateSleeve', () => {
  it.each([-1, 1] as const)('finds both corners of the cuff on side %i', (side) => {
    const v = (y: number) => y - 0.5 - shirt.axis.origin[1]
    const body = findBodySide(shirt, side) ?? bareSide(shirt, side, 1)
    const cuff = locateSleeve(shirt, side, [side * 34, v(26)], [side * 40, v(64)], body)
    expect(errorAt(shirt, cuff?.outer ?? [0, 0], [100 + side * 74, 66])).toBeLessThan(2)
    expect(errorAt(shirt, cuff?.inner ?? [0, 0], [100 + side * 58, 82])).toBeLessThan(2)
    const isOn = (u: number, y: number) => isOnBody(shirt, body, [side * u, v(y)])
    expect([isOn(40, 120), isOn(58, 82)]).toEqual([true, false])
  })

  it('finds no cuff where nothing reaches beyond the body', () => {
    const vest = silhouetteOfPolygon(mirrored([[140, 20], [140, 190]]), 200, 210) // prettier-ignore
    expect(locateSleeve(vest, 1, [34, vest.top], [50, vest.top + 40], bareSide(vest, 1, 0))).toBeUndefined()
  })
})

describe('locateShoulders', () => {
  it('finds where the shoulder of a sleeveless top turns into the armhole', () => {
    const top = silhouetteOfPolygon(mirrored([[100, 34], [112, 20], [130, 26], [140, 64], [140, 190]]), 200, 210) // prettier-ignore
    const { left, right, neckRight } = locateShoulders(top, top.top + 44, 40, false, [undefined, undefined])
    expect(errorAt(top, left, [70, 26])).toBeLessThan(2)
    expect(errorAt(top, right, [130, 26])).toBeLessThan(2)
    expect(errorAt(top, neckRight, [112, 20])).toBeLessThan(2)
  })
})

describe('locateTop', () => {
  it.each([
    ['Chest', 80],
    ['Shoulder', 68],
    ['Sleeve Length', Math.hypot(40, 40)],
    ['Cuff', Math.hypot(16, 16)],
    ['Body Length', 170],
    ['Hem', 80],
  ] as const)('measures the %s of a shirt to within three pixels', (name, length) => {
    const line = locateTop(shirt, 'Short').lines.find((candidate) => candidate.name === name)
    expect(line && Math.abs(distance(line.from, line.to) - length)).toBeLessThan(3)
  })
})
