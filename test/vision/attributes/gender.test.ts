import { describe, expect, it } from 'vitest'
import { describeGarment } from '../../../src/vision/attributes/build-tag.ts'

const tag = { 'Item Type': 'T-Shirt', Colour: 'Navy', 'Colour Confidence': 'High' }

describe('the gender that a client supplies', () => {
  it.each([
    ["Men's", "A men's T-shirt in navy."],
    ['men', "A men's T-shirt in navy."],
    ['Women', "A women's T-shirt in navy."],
    ['female', "A women's T-shirt in navy."],
    [' unisex ', 'A unisex T-shirt in navy.'],
    ['Damen', "A women's T-shirt in navy."],
    ['Men & Women', 'A unisex T-shirt in navy.'],
    ['Male child', 'A T-shirt in navy.'],
    ['Mango', 'A T-shirt in navy.'],
    ['Boys', 'A T-shirt in navy.'],
    ['Kids', 'A T-shirt in navy.'],
  ])('%s is said in words that fit, or not at all', (Gender, description) => {
    expect(describeGarment('T-Shirt', { ...tag, Gender })).toBe(description)
  })
})
