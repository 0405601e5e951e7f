import { describe, expect, it } from 'vitest'
import { difference, toLab } from '../../../src/vision/colour/colour-spaces.ts'
import { nameColour } from '../../../src/vision/colour/name-colour.ts'

const nameOf = (red: number, green: number, blue: number) => nameColour(toLab(red, green, blue))[0]?.name

describe('nameColour', () => {
  it('names cloth as shops do and not as style sheets do', () => {
    expect(nameOf(0x1f, 0x3a, 0x6d)).toBe('Navy')
    expect(nameOf(20, 20, 22)).toBe('Black')
    expect(nameOf(250, 250, 250)).toBe('White')
    expect(nameOf(110, 22, 40)).toBe('Burgundy')
    expect(nameOf(205, 160, 45)).toBe('Mustard')
    expect(nameOf(98, 100, 50)).toBe('Olive')
  })

  it('gives all names probabilities that sum to 1', () => {
    const names = nameColour(toLab(120, 125, 130))
    expect(names.length).toBeGreaterThanOrEqual(40)
    expect(names.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 6)
    expect(names.every(({ probability }, index) => index === 0 || probability <= names[index - 1]!.probability)).toBe(
      true,
    )
  })

  it('is less certain between two names than on one', () => {
    const [clear] = nameColour(toLab(200, 30, 42))
    const [between] = nameColour(toLab(154, 27, 42))
    expect(clear!.probability).toBeGreaterThan(0.85)
    expect(between!.probability).toBeLessThan(clear!.probability)
  })

  it('measures difference by CIEDE2000', () => {
    // Pairs 1 and 17 of the test data of Sharma, Wu and Dalal (2005).
    const lab = (l: number, a: number, b: number) => ({ mode: 'lab65' as const, l, a, b })
    expect(difference(lab(50, 2.6772, -79.7751), lab(50, 0, -82.7485))).toBeCloseTo(2.0425, 3)
    expect(difference(lab(50, 2.5, 0), lab(73, 25, -18))).toBeCloseTo(27.1492, 3)
  })
})
