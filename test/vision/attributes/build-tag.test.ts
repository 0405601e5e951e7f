import { describe, expect, it } from 'vitest'
import { buildTag, describeGarment } from '../../../src/vision/attributes/build-tag.ts'
import type { Evidence } from '../../../src/vision/attributes/attribute-catalogue.ts'

const colour = { ranked: [], hex: '#102030' }
const noHeads = Object.fromEntries(
  ['type', 'pattern', 'closure', 'sleeve', 'colour', 'presence', 'shown', 'fabric', 'fit', 'neckline'].map((head) => [
    head,
    [],
  ]),
) as unknown as Evidence['heads']

describe('buildTag', () => {
  it('leaves blank values of the client to the item type, and out of the description', () => {
    const attribute = { Brand: ' ', Category: '', Gender: ' ', Material: '' }
    const tag = buildTag({}, { attribute, colour, heads: noHeads, itemType: 'Dress' })
    expect(tag).toEqual({ Category: 'Clothing', Gender: "Women's", 'Colour Hex': '#102030' })
    expect(describeGarment('Dress', tag)).toBe("A women's dress.")
  })

  it('says of a set, and of nothing else, what it consists of', () => {
    const type: Evidence['heads']['type'] = [['Set', 0.6], ['Coat', 0.02], ['Shirt', 0.2], ['Jeans', 0.01], ['Trousers', 0.1]] // prettier-ignore
    const evidence = { attribute: {}, colour, heads: { ...noHeads, type } }
    const tag = buildTag({}, { ...evidence, itemType: 'Set' })
    expect(tag['Parts']).toBe('Shirt and Trousers')
    expect(describeGarment('Set', tag)).toBe('A set of shirt and trousers.')
    expect(buildTag({}, { ...evidence, itemType: 'Shirt' })).not.toHaveProperty('Parts')
  })
})
