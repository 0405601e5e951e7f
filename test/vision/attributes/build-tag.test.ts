import { describe, expect, it } from 'vitest'
import { buildTag } from '../../../src/vision/attributes/build-tag.ts'
import { describeGarment } from '../../../src/vision/attributes/describe-garment.ts'

const colour = { ranked: [], hex: '#102030' }

describe('buildTag', () => {
  it('leaves blank values of the client to the item type, and out of the description', () => {
    const attribute = { Brand: ' ', Category: '', Gender: ' ', Material: '' }
    const tag = buildTag({}, { attribute, colour, itemType: 'Dress' })
    expect(tag).toEqual({ Category: 'Clothing', Gender: "Women's", 'Colour Hex': '#102030' })
    expect(describeGarment('Dress', tag)).toBe("A women's dress.")
  })
})
