import { describe, expect, it } from 'vitest'
import { bareSide, findArmpits, findBodySide, isOnBody } from '../../../src/vision/measure/find-body-side.ts'
import { distance } from '../../../src/vision/geometry.ts'
import { locateShoulders, locateSleeve, locateTop } from '../../../src/vision/measure/locate-top.ts'
import type { Silhouette } from '../../../src/vision/measure/silhouette.ts'
import { errorAt, fillMask, silhouetteOf, silhouetteOfPolygon } from './outline-of.ts'

/** The right half of an outline and its mirror image about x = 100. */
const mirrored = (half: readonly (readonly [number, number])[]) => [
  ...half,
  ...half.map(([x, y]) => [200 - x, y] as const).reverse(),
]

/** Neckline, neck, shoulder, the two corners of the cuff, armpit, hem: sleeves that hang at 45 degrees. */
const shirtHalf = [[100, 34], [115, 20], [134, 26], [174, 66], [158, 82], [140, 64], [140, 190]] as const // prettier-ignore
const shirt = silhouetteOfPolygon(mirrored(shirtHalf), 200, 210)

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

/**
 * A top with long sleeves and armpits at y = 60; on the right the gap opens at `rightGap`, and may end where the cuff
 * touches the body. The gaps are thinner than a pixel at first, so that armpits are seen a little too low.
 */
function longSleeved(rightGap: number, cuffTouches: boolean): Silhouette {
  const right = [[115, 20], [138, 28], [172, 180], [150, 180], ...(cuffTouches ? [] : [[140, rightGap] as const]), [140, 210]] as const // prettier-ignore
  const left = [
    [60, 210],
    [60, 60],
    [50, 180],
    [28, 180],
    [62, 28],
    [85, 20],
  ] as const
  const polygon = [...right, ...left]
  const mask = fillMask(polygon, 200, 230)
  if (cuffTouches) {
    // Background that shows between body and sleeve, closed below by the cuff.
    const gap = fillMask([[140, rightGap], [152, 165], [140, 165]], 200, 230) // prettier-ignore
    gap.forEach((value, index) => value === 1 && (mask[index] = 0))
  }
  return silhouetteOf(mask, 200, 230)
}

describe('the chest of a garment with long sleeves', () => {
  it.each([
    ['both sleeves part from the body at the armpit', 60, false],
    ['one sleeve lies against the body further down', 80, false],
    ['a cuff touches the body', 60, true],
  ])('is measured from armpit to armpit where %s', (_, gap, cuffTouches) => {
    const silhouette = longSleeved(gap, cuffTouches)
    const { lines } = locateTop(silhouette, 'Long')
    const chest = lines.find(({ name }) => name === 'Chest')
    expect(errorAt(silhouette, chest?.from ?? [0, 0], [60, 60])).toBeLessThan(9)
    expect(errorAt(silhouette, chest?.to ?? [0, 0], [140, 60])).toBeLessThan(9)
    const hem = lines.find(({ name }) => name === 'Hem')
    expect(errorAt(silhouette, hem?.to ?? [0, 0], [140, 210])).toBeLessThan(3)
  })

  it('is not measured, nor the hem, where both sleeves lie against the body down to the hem', () => {
    const closed = silhouetteOfPolygon(mirrored([[115, 20], [138, 28], [172, 190], [100, 190]]), 200, 210) // prettier-ignore
    const { lines, neck } = locateTop(closed, 'Long')
    expect(neck).toBeDefined()
    for (const { name } of lines) expect(['Chest', 'Hem']).not.toContain(name)
  })

  it('has no neck point at the top of a hood', () => {
    const hood = [[100, 10], [122, 16], [126, 60], [160, 90], [176, 190], [156, 190], [142, 110], [142, 220]] as const // prettier-ignore
    const silhouette = silhouetteOfPolygon(mirrored(hood), 200, 240)
    expect(errorAt(silhouette, locateTop(silhouette, 'Long').neck ?? [0, 0], [126, 60])).toBeLessThan(4)
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
    const { left, right, neck } = locateShoulders(top, top.top + 44, 40, false, [undefined, undefined])
    expect(errorAt(top, left, [70, 26])).toBeLessThan(2)
    expect(errorAt(top, right, [130, 26])).toBeLessThan(2)
    expect(errorAt(top, neck, [112, 20])).toBeLessThan(2)
  })
})

describe('locateTop', () => {
  it.each([
    ['Chest', 80],
    ['Cuff', Math.hypot(16, 16)],
    ['Hem', 80],
  ] as const)('measures the %s of a shirt to within three pixels', (name, length) => {
    const line = locateTop(shirt, 'Short').lines.find((candidate) => candidate.name === name)
    expect(line && Math.abs(distance(line.from, line.to) - length)).toBeLessThan(3)
  })
})
