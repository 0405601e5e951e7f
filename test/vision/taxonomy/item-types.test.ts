import { describe, expect, it } from 'vitest'
import { isItemType, itemTypes, itemOf } from '../../../src/vision/taxonomy/item-types.ts'

describe('the taxonomy', () => {
  it.each(itemTypes)('gives %s priors that sum to 1 and sizes for measurements it has', (itemType) => {
    const { closure, fabric, sizes, measurements } = itemOf(itemType)
    for (const prior of [closure, fabric])
      expect(Object.values(prior).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 6)
    for (const table of Object.values(sizes))
      for (const name of Object.keys(table)) expect(measurements).toContain(name)
  })

  it('knows its own item types and no other words', () => {
    expect(itemTypes.every(isItemType)).toBe(true)
    expect(['t-shirt', '', 'toString', 'Aubergine'].some(isItemType)).toBe(false)
  })
})
