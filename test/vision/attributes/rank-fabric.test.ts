import { describe, expect, it } from 'vitest'
import { rankFabric } from '../../../src/vision/attributes/rank-fabric.ts'
import { confidenceOf } from '../../../src/vision/rank.ts'
import { itemTypes } from '../../../src/vision/taxonomy/item-types.ts'

describe('rankFabric', () => {
  it('is never High from the item type alone, and Medium only for jeans', () => {
    for (const itemType of itemTypes)
      expect(confidenceOf(rankFabric(itemType, undefined)[0]!.probability)).toBe(
        itemType === 'Jeans' ? 'Medium' : 'Low',
      )
  })

  it('takes the material as evidence where it names a fabric, and a mere fibre as none', () => {
    expect(rankFabric('Shirt', '100% Linen')[0]).toMatchObject({ value: 'Linen' })
    expect(rankFabric('Jumper', 'Merino wool')[0]).toMatchObject({ value: 'Knit' })
    expect(rankFabric('T-Shirt', 'Cotton')).toEqual(rankFabric('T-Shirt', undefined))
  })

  it('gives only fabrics that the item type can have', () => {
    expect(rankFabric('Jeans', 'leather')).toEqual(rankFabric('Jeans', undefined))
  })
})
