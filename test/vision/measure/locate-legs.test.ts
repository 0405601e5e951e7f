import { describe, expect, it } from 'vitest'
import { distance } from '../../../src/vision/geometry.ts'
import { findCrotch, locateLegs } from '../../../src/vision/measure/locate-garment.ts'
import { errorAt, silhouetteOfPolygon } from './outline-of.ts'

/** A waist of 60 at y = 20, a crotch 70 below it, and two legs of 40 that end at y = 220. */
const trousers = [[70, 20], [130, 20], [150, 220], [110, 220], [100, 90], [90, 220], [50, 220]] as const // prettier-ignore
const silhouette = silhouetteOfPolygon(trousers, 200, 240)

describe('findCrotch', () => {
  it('finds the point where two spread legs meet, within one and a half pixels', () => {
    const crotch = findCrotch(silhouette)
    expect(errorAt(silhouette, [0, crotch ?? Number.NaN], [100, 90])).toBeLessThan(1.5)
  })

  it('finds the top of a gap that is equally wide all the way down', () => {
    const legs = [[60, 20], [140, 20], [140, 200], [110, 200], [110, 80], [90, 80], [90, 200], [60, 200]] as const // prettier-ignore
    const parallel = silhouetteOfPolygon(legs, 200, 220)
    const crotch = findCrotch(parallel)
    expect(errorAt(parallel, [0, crotch ?? Number.NaN], [100, 80])).toBeLessThan(1.5)
  })

  it('finds the same crotch where the picture ends above the hems', () => {
    const cut = silhouetteOfPolygon(trousers, 200, 180)
    expect(errorAt(cut, [0, findCrotch(cut) ?? Number.NaN], [100, 90])).toBeLessThan(1.5)
  })

  it('finds none in one piece of cloth, in a gap far from the centre line, or in an empty mask', () => {
    const sheet = [[60, 20], [140, 20], [140, 200], [60, 200]] as const // prettier-ignore
    expect(findCrotch(silhouetteOfPolygon(sheet, 200, 220))).toBeUndefined()
    const slit = [[60, 20], [140, 20], [140, 200], [136, 200], [136, 80], [126, 80], [126, 200], [60, 200]] as const // prettier-ignore
    expect(findCrotch(silhouetteOfPolygon(slit, 200, 220))).toBeUndefined()
    expect(findCrotch(silhouetteOfPolygon([], 200, 220))).toBeUndefined()
  })
})

describe('locateLegs', () => {
  const { landmarks, lines } = locateLegs(silhouette, findCrotch(silhouette) ?? Number.NaN)

  it('puts the crotch within one and a half pixels of its corner', () => {
    expect(errorAt(silhouette, landmarks['crotch'] ?? [0, 0], [100, 90])).toBeLessThan(1.5)
  })

  it.each([
    // The sides widen by one in ten each; the hip lies at 72 % of the rise.
    ['Hip', 60 + 2 * 0.1 * 0.72 * 70],
    // A fortieth of the height below the crotch, from the centre of the gap.
    ['Thigh', 30 + 0.1 * 75 - 5 / 13],
  ] as const)('measures the %s to within two pixels', (name, length) => {
    const line = lines.find((candidate) => candidate.name === name)
    expect(line && Math.abs(distance(line.from, line.to) - length)).toBeLessThan(2)
  })

  it('lays the hip across the body at 72 % of the rise', () => {
    const hip = lines.find(({ name }) => name === 'Hip')
    expect(errorAt(silhouette, hip?.from ?? [0, 0], [65, 70.4])).toBeLessThan(2)
    expect(errorAt(silhouette, hip?.to ?? [0, 0], [135, 70.4])).toBeLessThan(2)
  })
})
