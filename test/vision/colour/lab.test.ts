import { describe, expect, it } from 'vitest'
import { difference, toLab } from '../../../src/vision/colour/colour-spaces.ts'

describe('toLab', () => {
  // Lindbloom's values for the primaries and secondaries of sRGB under D65.
  it.each([
    ['black', [0, 0, 0], [0, 0, 0]],
    ['white', [255, 255, 255], [100, 0, 0]],
    ['middle grey', [128, 128, 128], [53.585, 0, 0]],
    ['red', [255, 0, 0], [53.2408, 80.0925, 67.2032]],
    ['green', [0, 255, 0], [87.7347, -86.1827, 83.1793]],
    ['blue', [0, 0, 255], [32.297, 79.1875, -107.8602]],
    ['yellow', [255, 255, 0], [97.1393, -21.5537, 94.478]],
  ] as const)('gives %s the published coordinates', (_name, [red, green, blue], [l, a, b]) => {
    const lab = toLab(red, green, blue)
    expect(Math.abs(lab.l - l)).toBeLessThan(0.1)
    expect(Math.abs(lab.a - a)).toBeLessThan(0.1)
    expect(Math.abs(lab.b - b)).toBeLessThan(0.1)
  })

  it('places every level of grey on the axis without chroma, lighter with each level', () => {
    const greys = Array.from({ length: 256 }, (_, level) => toLab(level, level, level))
    for (const { a, b } of greys) expect(Math.hypot(a, b)).toBeLessThan(0.01)
    greys.slice(1).forEach(({ l }, index) => expect(l).toBeGreaterThan(greys[index]?.l ?? Infinity))
  })
})

describe('difference', () => {
  it('is zero between equal colours, 100 between black and white, and the same in both directions', () => {
    const [black, white, red] = [toLab(0, 0, 0), toLab(255, 255, 255), toLab(200, 30, 42)]
    expect(difference(red, toLab(200, 30, 42))).toBe(0)
    expect(difference(black, white)).toBeCloseTo(100, 2)
    expect(difference(red, white)).toBeCloseTo(difference(white, red), 6)
  })
})
