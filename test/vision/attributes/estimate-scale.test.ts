import { describe, expect, it } from 'vitest'
import { estimateScale, readGender } from '../../../src/vision/attributes/estimate-scale.ts'

describe('estimateScale', () => {
  it('finds the scale that makes a garment of usual proportions usual in size', () => {
    const pixels = { Chest: 520, 'Body Length': 720, Shoulder: 450, 'Sleeve Length': 210 }
    expect(estimateScale('T-Shirt', "Men's", pixels)).toBeCloseTo(0.1, 6)
  })

  it('is moved less by a length that fashion sets freely than by the chest', () => {
    const usual = { Chest: 520, 'Body Length': 720 }
    const cropped = Math.abs(estimateScale('T-Shirt', "Men's", { ...usual, 'Body Length': 500 })! - 0.1)
    const narrow = Math.abs(estimateScale('T-Shirt', "Men's", { ...usual, Chest: 361 })! - 0.1)
    expect(cropped).toBeLessThan(narrow)
  })

  it('has no answer without a known length', () => {
    expect(estimateScale('T-Shirt', "Men's", {})).toBeUndefined()
  })
})

describe('readGender', () => {
  it('reads what clients write', () => {
    expect(['Womens', "Women's", 'ladies', 'Female'].map(readGender)).toEqual([
      "Women's",
      "Women's",
      "Women's",
      "Women's",
    ])
    expect(["Men's", 'male', 'Gents', 'mens'].map(readGender)).toEqual(["Men's", "Men's", "Men's", "Men's"])
    expect(['Unisex', '', undefined].map(readGender)).toEqual([undefined, undefined, undefined])
  })
})
