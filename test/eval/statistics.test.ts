import { describe, expect, it } from 'vitest'
import { createRandom } from '../../training/flat-lay/random.ts'
import { bootstrap, calibrationError, chanceError, reliability, shareOf } from './statistics.ts'

const answers = (probability: number, right: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ probability, right: index < right }))

describe('shareOf', () => {
  it("has Wilson's interval", () => {
    // 8 of 10: 0.490 to 0.943 (Wilson 1927, as R's prop.test without correction).
    const { value, low, high } = shareOf(Array.from({ length: 10 }, (_, index) => index < 8))
    expect(value).toBe(0.8)
    expect(low).toBeCloseTo(0.4902, 3)
    expect(high).toBeCloseTo(0.9433, 3)
  })

  it('stays within 0 and 1, and is 0 of nothing', () => {
    expect(shareOf([true, true]).high).toBe(1)
    expect(shareOf([])).toEqual({ count: 0, value: 0, low: 0, high: 0 })
  })
})

describe('calibrationError', () => {
  it('is zero where nine in ten answers of 0.9 are right, and the gap elsewhere', () => {
    const mixed = Array.from({ length: 150 }, (_, index) => ({ probability: 0.9, right: index % 10 !== 0 }))
    expect(calibrationError(mixed)).toBeCloseTo(0, 6)
    expect(calibrationError(answers(1, 0, 30))).toBeCloseTo(1, 6)
  })

  it('does not let over- and underconfidence in different bins cancel out', () => {
    expect(calibrationError([...answers(0.9, 0, 15), ...answers(0.1, 15, 15)])).toBeGreaterThan(0.8)
  })

  it('is zero for no answers', () => {
    expect(calibrationError([])).toBe(0)
  })
})

describe('chanceError', () => {
  it('is what answers that are as right as they say have in as many bins, and less with more answers', () => {
    const { next } = createRandom(1)
    // The mean deviation of 10 throws of a coin is 0.123, of 1,000 throws 0.0126.
    expect(chanceError(answers(0.5, 0, 150), next)).toBeCloseTo(0.123, 2)
    expect(chanceError(answers(0.5, 0, 15_000), next, 20)).toBeCloseTo(0.0126, 2)
    expect(chanceError(answers(1, 0, 30), next)).toBe(0)
  })
})

describe('reliability', () => {
  it('puts as many answers into each of 15 bins, least probable first', () => {
    const bins = reliability([...answers(0.2, 3, 15), ...answers(0.8, 12, 30)])
    expect(bins.map(({ count }) => count)).toEqual(Array.from({ length: 15 }, () => 3))
    expect(bins[0]?.probability).toBeCloseTo(0.2, 6)
    expect(bins[14]?.probability).toBeCloseTo(0.8, 6)
  })
})

describe('bootstrap', () => {
  it('surrounds the figure, and more tightly with more answers', () => {
    let state = 1
    const next = () => (state = (state * 16807) % 2147483647) / 2147483647
    const mean = (sample: readonly number[]) => sample.reduce((sum, value) => sum + value, 0) / sample.length
    const items = (count: number) => Array.from({ length: count }, (_, index) => index % 2)
    const few = bootstrap(items(20), mean, next)
    const many = bootstrap(items(2000), mean, next)
    expect(few.low).toBeLessThan(0.5)
    expect(few.high).toBeGreaterThan(0.5)
    expect(many.high - many.low).toBeLessThan(few.high - few.low)
  })
})
