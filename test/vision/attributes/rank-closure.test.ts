import { describe, expect, it } from 'vitest'
import { rankClosure } from '../../../src/vision/attributes/rank-values.ts'
import { itemOf, type ItemType, itemTypes } from '../../../src/vision/taxonomy/item-types.ts'

type Seen = Parameters<typeof rankClosure>[1]

/** The closure of a garment whose type is seen beyond doubt. */
const rankSure = (itemType: ItemType, seen: Seen) => rankClosure(itemType, seen, [[itemType, 1]])

const best = (itemType: ItemType, seen: Seen) => rankSure(itemType, seen)[0]?.value

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
    const ranked = rankSure(itemType, [['Fly', 0.4], ['Lace', 0.6]]) // prettier-ignore
    expect(ranked.map(({ value }) => value).sort()).toEqual([...itemOf(itemType).closure].sort())
    expect(ranked.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 6)
  })

  it('is in doubt where the type is, and the closure that is seen is none of its own', () => {
    const doubtful = (seen: Seen) => rankClosure('T-Shirt', seen, [['T-Shirt', 0.6], ['Jacket', 0.4]])[0]?.probability // prettier-ignore
    expect(doubtful([['None', 1]])).toBeCloseTo(1, 1)
    expect(doubtful([['None', 0.5], ['Drawstring', 0.5]])).toBeCloseTo(0.5 / (0.5 + 0.5 * 0.4), 1) // prettier-ignore
  })
})
