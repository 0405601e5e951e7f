import { describe, expect, it } from 'vitest'
import { type Prediction, showsGarment } from '../../../src/vision/predict/predict-picture.ts'

const prediction = (none: number, best: number): Prediction => ({
  outlines: [
    { square: { left: 0, top: 0, side: 1 }, side: 1, probabilities: new Float32Array(1) },
    { square: { left: 0, top: 0, side: 1 }, side: 1, probabilities: new Float32Array(1) },
  ],
  type: [['T-Shirt', best], ['Shirt', 1 - best]], // prettier-ignore
  presence: [['None', none], ['One', 1 - none], ['Several', 0]], // prettier-ignore
  pattern: [],
  closure: [],
  sleeve: [],
  colour: [],
  shown: [],
})

describe('showsGarment', () => {
  it('refuses what surely is none and takes what surely is one', () => {
    expect(showsGarment(prediction(0.9999, 0.2))).toBe(false)
    expect(showsGarment(prediction(0.01, 0.9))).toBe(true)
  })

  it('has an answer at both ends', () => {
    expect([showsGarment(prediction(1, 0.5)), showsGarment(prediction(0, 0.5))]).toEqual([false, true])
  })
})
