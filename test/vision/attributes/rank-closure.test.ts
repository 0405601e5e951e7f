import { describe, expect, it } from 'vitest'
import { rankClosure } from '../../../src/vision/attributes/rank-values.ts'
import { itemTypes, itemOf } from '../../../src/vision/taxonomy/item-types.ts'

const best = (...args: Parameters<typeof rankClosure>) => rankClosure(...args)[0]?.value

describe('rankClosure', () => {
  it('follows what is seen', () => {
    expect(best('Jacket', [['Zip', 0.9], ['Buttons', 0.1]])).toBe('Zip') // prettier-ignore
    expect(best('Jacket', [['Zip', 0.1], ['Buttons', 0.9]])).toBe('Button') // prettier-ignore
  })

  it('calls a short placket a button closure, and no closure by what the garment is', () => {
    expect(best('Polo Shirt', [['Placket', 1]])).toBe('Button')
    expect(best('T-Shirt', [['None', 1]])).toBe('Pullover')
    expect(best('Cardigan', [['None', 1]])).toBe('Open Front')
  })

  it.each(itemTypes)('gives only closures that a %s can have, summing to 1', (itemType) => {
    const ranked = rankClosure(itemType, [['Fly', 0.4], ['Lace', 0.6]]) // prettier-ignore
    expect(ranked.map(({ value }) => value).sort()).toEqual([...itemOf(itemType).closure].sort())
    expect(ranked.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 6)
  })
})
