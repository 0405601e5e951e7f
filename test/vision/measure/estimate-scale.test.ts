import { describe, expect, it } from 'vitest'
import { estimateNote, estimateScale } from '../../../src/vision/measure/estimate-scale.ts'
import { itemOf } from '../../../src/vision/taxonomy/item-types.ts'

const man = { gender: "Men's", child: undefined } as const

describe('estimateScale', () => {
  it('finds the scale that makes a garment of usual proportions usual in size', () => {
    const pixels = { Chest: 520, 'Body Length': 720, Shoulder: 450, 'Sleeve Length': 210 }
    expect(estimateScale('T-Shirt', 'Short', man, pixels)).toBeCloseTo(0.1, 6)
  })

  it('is moved less by a length that fashion sets freely than by the chest', () => {
    const usual = { Chest: 520, 'Body Length': 720 }
    const cropped = Math.abs(estimateScale('T-Shirt', 'Short', man, { ...usual, 'Body Length': 500 })! - 0.1)
    const narrow = Math.abs(estimateScale('T-Shirt', 'Short', man, { ...usual, Chest: 361 })! - 0.1)
    expect(cropped).toBeLessThan(narrow)
  })

  it.each([
    ['Shirt', 'Short', 22],
    ['Jumper', 'Three-Quarter', 45],
    ['T-Shirt', 'Long', 63],
  ] as const)('is not moved by the sleeve where that is unusual: %s, %s', (itemType, sleeve, cm) => {
    const { Chest, Shoulder } = itemOf(itemType).sizes["Men's"]!
    const pixels = { Chest: Chest![0] * 10, Shoulder: Shoulder![0] * 10, 'Sleeve Length': cm * 10 }
    expect(estimateScale(itemType, sleeve, man, pixels)).toBeCloseTo(0.1, 6)
  })

  it('scales sizes of children by body height, and says how far an estimate can be off', () => {
    const pixels = { Chest: 520, 'Body Length': 720, Shoulder: 450, 'Sleeve Length': 210 }
    const [gender, either] = ["Men's" as const, undefined]
    const child = { height: 88, isSized: true }
    expect(estimateScale('T-Shirt', 'Short', { gender, child }, pixels)).toBeCloseTo(0.05, 6)
    const [small, large] = [92, 164].map((height) =>
      estimateScale('T-Shirt', 'Short', { gender: either, child: { height, isSized: true } }, pixels),
    )
    expect(large! / small!).toBeCloseTo(164 / 92, 6)
    expect(estimateNote('T-Shirt', man)).toBe('estimate')
    expect(estimateNote('T-Shirt', { gender: either, child: undefined })).toBe('estimate_either')
    // There are no usual sizes of men's skirts.
    expect(estimateNote('Skirt', { gender: either, child: undefined })).toBe('estimate')
    expect(estimateNote('Skirt', { gender: either, child })).toBe('estimate_child')
    expect(estimateNote('Skirt', { gender: either, child: { ...child, isSized: false } })).toBe('estimate_any_child')
  })

  it('has no answer without a known length', () => {
    expect(estimateScale('T-Shirt', 'Short', man, {})).toBeUndefined()
  })
})
