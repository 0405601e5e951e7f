import { describe, expect, it } from 'vitest'
import { rankClosure } from '../../src/vision/attributes/rank-closure.ts'
import { describeGarment, type Findings } from '../../src/vision/attributes/describe-garment.ts'
import { rankFabric } from '../../src/vision/attributes/rank-fabric.ts'
import { readGender, estimateScale } from '../../src/vision/attributes/estimate-scale.ts'
import { confidenceOf, rank, toEntries } from '../../src/vision/rank.ts'
import { ITEM_TYPES, itemOf } from '../../src/vision/taxonomy/item-types.ts'

describe('the taxonomy', () => {
  it.each(ITEM_TYPES)('gives %s priors that sum to 1 and sizes for measurements it has', (itemType) => {
    const { closure, fabric, sizes, measurements } = itemOf(itemType)
    for (const prior of [closure, fabric])
      expect(Object.values(prior).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 6)
    for (const table of Object.values(sizes))
      for (const name of Object.keys(table)) expect(measurements).toContain(name)
  })
})

describe('confidence', () => {
  it('is High from 0.85 and Medium from 0.6', () => {
    expect([0.86, 0.85, 0.849, 0.6, 0.59].map(confidenceOf)).toEqual(['High', 'High', 'Medium', 'Medium', 'Low'])
  })

  it('comes with at most three alternatives, best first, never the value itself', () => {
    expect(toEntries('Fit', rank({ A: 5, B: 1, C: 2, D: 1.5, E: 1.2 }))).toEqual({
      Fit: 'A',
      'Fit Alternatives': ['C', 'D', 'E'],
      'Fit Confidence': 'Low',
    })
  })

  it('gives no entry at all where an attribute makes no sense', () => {
    expect(toEntries('Fit', [])).toEqual({})
  })
})

describe('rankClosure', () => {
  it('follows what is seen along the front', () => {
    const front = { none: 0.02, placket: 0.01, buttons: 0.02, zip: 0.95 }
    expect(rankClosure('Jacket', front)[0]).toMatchObject({ value: 'Zip' })
    expect(rankClosure('Jacket', { ...front, zip: 0.02, buttons: 0.95 })[0]).toMatchObject({ value: 'Button' })
  })

  it('is of Low confidence where nothing can be seen', () => {
    const [best] = rankClosure('Skirt', { none: 1, placket: 0, buttons: 0, zip: 0 })
    expect(confidenceOf(best!.probability)).toBe('Low')
  })
})

describe('rankFabric', () => {
  it('is of Low confidence where only the item speaks', () => {
    for (const itemType of ITEM_TYPES.filter((type) => type !== 'Jeans'))
      expect(confidenceOf(rankFabric(itemType, 1, undefined)[0]!.probability)).toBe('Low')
  })

  it('takes the material as evidence where it names a fabric, and a mere fibre as none', () => {
    expect(rankFabric('Shirt', 0.9, '100% Linen')[0]).toMatchObject({ value: 'Linen' })
    expect(rankFabric('Jumper', 0.9, 'Merino wool')[0]).toMatchObject({ value: 'Knit' })
    expect(rankFabric('T-Shirt', 0.9, 'Cotton')).toEqual(rankFabric('T-Shirt', 0.9, undefined))
  })
})

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

describe('describeGarment', () => {
  const findings: Findings = {
    itemType: 'Shirt',
    colour: 'Light Blue',
    pattern: 'Striped',
    fit: rank({ Slim: 9, Regular: 1 }),
    closure: rank({ Button: 9, Snap: 1 }),
    fabric: [{ value: 'Poplin', probability: 0.3 }],
    gender: "Men's",
    brand: 'Acme',
  }

  it('says what the tags say and leaves out what they doubt', () => {
    expect(describeGarment(findings)).toBe(
      "A men's striped shirt in light blue by Acme. It has a slim fit and a button fastening.",
    )
  })

  it('speaks of pairs in the plural and of several colours as such', () => {
    const text = describeGarment({
      ...findings,
      itemType: 'Jeans',
      colour: 'Multi',
      pattern: 'Plain',
      gender: undefined,
      brand: undefined,
      fit: [],
      closure: [],
    })
    expect(text).toBe('Jeans in several colours.')
  })

  it('never ends with less than a sentence', () => {
    expect(
      describeGarment({
        ...findings,
        itemType: 'Bag',
        fit: [],
        closure: [],
        fabric: [],
        gender: undefined,
        brand: undefined,
        pattern: 'Plain',
        colour: 'Orange',
      }),
    ).toBe('A bag in orange.')
  })
})
