import { describe, expect, it } from 'vitest'
import { rankFabric } from '../../../src/vision/attributes/rank-fabric.ts'

describe('rankFabric', () => {
  it('takes the material as evidence where it names a fabric, and a mere fibre as none', () => {
    expect(rankFabric('Shirt', '100% Linen')[0]).toMatchObject({ value: 'Linen' })
    expect(rankFabric('Jumper', 'Merino wool')[0]).toMatchObject({ value: 'Knit' })
    expect(rankFabric('T-Shirt', 'Cotton')).toEqual(rankFabric('T-Shirt', undefined))
  })

  it('gives only fabrics that the item type can have', () => {
    expect(rankFabric('Jeans', 'leather')).toEqual(rankFabric('Jeans', undefined))
  })
})
