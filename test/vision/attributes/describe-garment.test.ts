import { describe, expect, it } from 'vitest'
import { describeGarment, type Findings } from '../../../src/vision/attributes/describe-garment.ts'

describe('describeGarment', () => {
  const findings: Findings = {
    itemType: 'Shirt',
    colour: 'Light Blue',
    pattern: 'Striped',
    fit: [{ value: 'Slim', probability: 0.9 }],
    closure: [{ value: 'Button', probability: 0.9 }],
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
