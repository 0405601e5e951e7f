import { describe, expect, it } from 'vitest'
import { showsGarment } from '../../../src/vision/network/predict-picture.ts'

const heads = (none: number, best: number): Parameters<typeof showsGarment>[0] => ({
  type: [['T-Shirt', best], ['Shirt', 1 - best]], // prettier-ignore
  presence: [['None', none], ['One', 1 - none], ['Several', 0]], // prettier-ignore
})

describe('showsGarment', () => {
  it('refuses what surely is none and takes what surely is one', () => {
    expect(showsGarment(heads(0.9999, 0.2))).toBe(false)
    expect(showsGarment(heads(0.01, 0.9))).toBe(true)
  })

  it('has an answer at both ends', () => {
    expect([showsGarment(heads(1, 0.5)), showsGarment(heads(0, 0.5))]).toEqual([false, true])
  })
})
