import { describe, expect, it } from 'vitest'
import { rankFabric } from '../../../src/vision/attributes/rank-values.ts'
import { getNetwork } from '../../../src/vision/network/get-network.ts'
import { itemOf, itemTypes } from '../../../src/vision/taxonomy/item-types.ts'

const best = (...args: Parameters<typeof rankFabric>) => rankFabric(...args)[0]?.value

describe('rankFabric', () => {
  it('follows what is seen, among the fabrics that the item type can have', () => {
    expect(best('Shirt', [['Woven', 0.7], ['Linen', 0.3]])).toBe('Woven') // prettier-ignore
    expect(best('Jeans', [['Rubber', 0.9], ['Denim', 0.1]])).toBe('Denim') // prettier-ignore
  })

  it('takes the material as evidence where it names a fabric, and a mere fibre as none', () => {
    expect(best('Shirt', [['Woven', 0.8], ['Linen', 0.2]], '100% Linen')).toBe('Linen') // prettier-ignore
    expect(best('Jumper', [['Sweatshirt Fleece', 0.5], ['Knit', 0.5]], 'Merino wool')).toBe('Knit') // prettier-ignore
    const seen = [['Jersey', 0.6], ['Technical', 0.4]] as const // prettier-ignore
    expect(rankFabric('T-Shirt', seen, 'Cotton')).toEqual(rankFabric('T-Shirt', seen))
  })

  it('gives a finer name only if the material says it', () => {
    expect(rankFabric('Trousers', [['Woven', 1]]).map(({ value }) => value)).not.toContain('Twill')
    expect(best('Trousers', [['Woven', 1]], 'Cotton twill')).toBe('Twill')
    expect(best('Polo Shirt', [['Jersey', 0.9], ['Technical', 0.1]], 'Piqué')).toBe('Piqué') // prettier-ignore
  })

  it('lowers its probabilities by what it sees of fabrics of other item types', () => {
    const [denim] = rankFabric('Jeans', [['Rubber', 0.4], ['Denim', 0.6]]) // prettier-ignore
    expect(denim).toEqual({ value: 'Denim', probability: 0.6 })
    expect(rankFabric('Jeans', [['Rubber', 0.4], ['Denim', 0.6]], 'Denim')[0]?.probability).toBeCloseTo(15 / 15.4) // prettier-ignore
  })

  it('is less sure of what somebody wears, unless the material names it', () => {
    const probability = (material: string, worn: number) => rankFabric('Jeans', [['Denim', 1]], material, worn)[0]?.probability // prettier-ignore
    expect([probability('', 0), probability('', 1), probability('Denim', 1)]).toEqual([1, 0.88, 1])
    expect(probability('Cotton', 0.5)).toBeCloseTo(0.94)
  })

  it('gives only fabrics that the item type can have', () => {
    expect(best('Jeans', [['Denim', 1]], 'leather')).toBe('Denim')
  })

  it.each(itemTypes)('of a %s is one of the classes of the network, or a finer name', async (itemType) => {
    const network = await getNetwork()
    const classes = network.tags.heads.find(({ name }) => name === 'fabric')?.classes ?? []
    const ranked = rankFabric(itemType, classes.map((name) => [name, 1 / classes.length]), 'poplin twill flannel silk piqué felt') // prettier-ignore
    expect(ranked.map(({ value }) => value).sort()).toEqual([...itemOf(itemType).fabric].sort())
  })
})
