import { describe, expect, it } from 'vitest'
import { distance } from '../../../src/vision/geometry.ts'
import { locateTop } from '../../../src/vision/measure/locate-top.ts'
import { silhouetteOfPolygon } from './outline-of.ts'

/** A sleeveless garment: shoulders of 2 x 60 pixels at y = 40, armholes that end at y = 130 where it is 2 x 90 wide. */
function sleeveless(hem: number, hemHalf: number) {
  const half: [number, number][] = [
    [25, 40],
    [60, 44],
    [62, 80],
    [68, 105],
    [78, 122],
    [90, 130],
    [hemHalf, hem],
  ]
  const mirrored = half.toReversed().map(([u, v]): [number, number] => [-u, v])
  return [...half, ...mirrored].map(([u, v]): [number, number] => [u + 200, v])
}

function linesOf(hem: number, hemHalf: number) {
  const { lines } = locateTop(silhouetteOfPolygon(sleeveless(hem, hemHalf), 400, 480), 'None')
  return Object.fromEntries(lines.map(({ name, from, to }) => [name, distance(from, to)]))
}

describe('the chest of a garment without sleeves', () => {
  it.each([
    ['a tank top', 330, 92],
    ['an A-line dress', 440, 170],
    ['a dress that is taken in', 440, 84],
  ])('is measured where the armholes of %s end', (_, hem, hemHalf) => {
    const { Chest } = linesOf(hem, hemHalf)
    expect(Chest).toBeGreaterThan(172)
    expect(Chest).toBeLessThan(192)
  })

  it('has no waist below it where the garment widens all the way down', () => {
    expect(linesOf(440, 170)['Waist']).toBeUndefined()
    expect(linesOf(330, 80)['Waist']).toBeDefined()
  })
})
