import { describe, expect, it } from 'vitest'
import { describeGarment, type Findings } from '../../../src/vision/attributes/describe-garment.ts'

const sure = (value: string, probability = 0.9) => [{ value, probability }]

const findings: Findings = {
  itemType: 'Shirt',
  ranked: {
    Colour: sure('Light Blue'),
    Pattern: sure('Striped'),
    Fit: sure('Slim'),
    Closure: sure('Button'),
    'Fabric Type': sure('Poplin', 0.3),
  },
  gender: "Men's",
  brand: 'Acme',
}

describe('describeGarment', () => {
  it('says what the tags say and leaves out what is doubtful', () => {
    expect(describeGarment(findings)).toBe(
      "A men's striped shirt in light blue by Acme. It has a slim fit and a button fastening.",
    )
  })

  it('speaks of pairs in the plural and of several colours as such', () => {
    const ranked = { Colour: sure('Multi'), Pattern: sure('Plain') }
    expect(describeGarment({ itemType: 'Jeans', ranked, gender: undefined, brand: undefined })).toBe(
      'Jeans in several colours.',
    )
  })

  it('leaves a doubtful pattern out', () => {
    const ranked = { Colour: sure('Red'), Pattern: sure('Dotted', 0.4) }
    expect(describeGarment({ itemType: 'Dress', ranked, gender: undefined, brand: undefined })).toBe('A dress in red.')
  })

  it.each([
    ['Pullover', 'It has no fastening.'],
    ['Open Front', 'It has an open front.'],
    ['Elasticated', 'It has an elasticated fastening.'],
  ])('speaks of the closure %s', (closure, sentence) => {
    const ranked = { Colour: sure('Red'), Closure: sure(closure) }
    const text = describeGarment({ itemType: 'Cardigan', ranked, gender: undefined, brand: undefined })
    expect(text).toBe(`A cardigan in red. ${sentence}`)
  })

  it('keeps the capital of a letter that stands for a shape, and uses the right article', () => {
    const ranked = { Colour: sure('Orange'), Fit: sure('A-Line') }
    const text = describeGarment({ itemType: 'T-Shirt', ranked, gender: undefined, brand: undefined })
    expect(text).toBe('A T-shirt in orange. It has an A-line fit.')
  })

  it('never ends with less than a sentence', () => {
    expect(describeGarment({ itemType: 'Bag', ranked: {}, gender: undefined, brand: undefined })).toBe('A bag.')
  })
})
