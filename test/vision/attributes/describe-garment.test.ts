import { describe, expect, it } from 'vitest'
import { describeGarment } from '../../../src/vision/attributes/build-tag.ts'

const shirt = {
  Brand: 'Acme',
  Gender: "Men's",
  Colour: 'Light Blue',
  Pattern: 'Striped',
  Fit: 'Slim',
  'Fit Confidence': 'Medium',
  Closure: 'Button',
  'Fabric Type': 'Poplin',
  'Fabric Type Confidence': 'Low',
}

describe('describeGarment', () => {
  it('says what the tags say and leaves out what is doubtful', () => {
    expect(describeGarment('Shirt', shirt)).toBe(
      "A men's striped shirt in light blue by Acme. It has a slim fit and a button fastening.",
    )
  })

  it('speaks of pairs in the plural and of several colours as such', () => {
    expect(describeGarment('Jeans', { Colour: 'Multi', Pattern: 'Plain' })).toBe('Jeans in several colours.')
  })

  it('leaves a doubtful pattern out, and names the colour even so', () => {
    const tag = { Colour: 'Red', 'Colour Confidence': 'Low', Pattern: 'Dotted', 'Pattern Confidence': 'Low' }
    expect(describeGarment('Dress', tag)).toBe('A dress in red.')
  })

  it.each([
    ['Pullover', 'It has no fastening.'],
    ['Open Front', 'It has an open front.'],
    ['Elasticated', 'It has an elasticated waist.'],
    ['Button & Zip', 'It has a button and zip fastening.'],
    ['Zip', 'It has a zip fastening.'],
  ])('speaks of the closure %s', (closure, sentence) => {
    expect(describeGarment('Cardigan', { Colour: 'Red', Closure: closure })).toBe(`A cardigan in red. ${sentence}`)
  })

  it.each([
    ['Woven', 'woven cloth'],
    ['Denim', 'denim'],
    ['Rib Knit', 'rib knit'],
  ])('speaks of the fabric %s as of a cloth', (fabric, words) => {
    const text = describeGarment('Cardigan', { Colour: 'Red', 'Fabric Type': fabric })
    expect(text).toBe(`A cardigan in red. It has the look of ${words}.`)
  })

  it.each([
    ['Fit & Flare', 'a fit-and-flare cut'],
    ['Wide Leg', 'wide legs'],
    ['Oversized', 'an oversized fit'],
  ])('speaks of the fit %s as people do', (fit, words) => {
    expect(describeGarment('Dress', { Colour: 'Red', Fit: fit })).toBe(`A dress in red. It has ${words}.`)
  })

  it.each([
    ['Animal', 'An animal-print dress in off-white.'],
    ['Colour Block', 'A colour-block dress in off-white.'],
    ['Knit', 'A textured-knit dress in off-white.'],
    ['Camouflage', 'A camouflage dress in off-white.'],
    ['Plain', 'A dress in off-white.'],
  ])('speaks of the pattern %s in an adjective', (pattern, text) => {
    expect(describeGarment('Dress', { Colour: 'Off White', Pattern: pattern })).toBe(text)
  })

  it('keeps the capital of a letter that stands for a shape, and uses the right article', () => {
    const text = describeGarment('T-Shirt', { Colour: 'Orange', Fit: 'A-Line' })
    expect(text).toBe('A T-shirt in orange. It has an A-line cut.')
  })

  it('keeps that capital inside a name, too', () => {
    expect(describeGarment('Long-Sleeve T-Shirt', { Colour: 'Navy' })).toBe('A long-sleeve T-shirt in navy.')
  })

  it('always ends with a whole sentence', () => {
    expect(describeGarment('Bag', {})).toBe('A bag.')
  })
})
