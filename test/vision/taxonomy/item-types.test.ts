import { describe, expect, it } from 'vitest'
import { isItemType, itemTypes, itemOf } from '../../../src/vision/taxonomy/item-types.ts'

describe('the taxonomy', () => {
  it.each(itemTypes)('gives %s closures and fabrics, none twice, and sizes for measurements it has', (itemType) => {
    const { closure, fabric, sizes, measurements } = itemOf(itemType)
    for (const values of [closure, fabric]) {
      expect(values.length).toBeGreaterThan(0)
      expect(new Set(values).size).toBe(values.length)
    }
    for (const table of Object.values(sizes))
      for (const name of Object.keys(table)) expect(measurements).toContain(name)
  })

  it('knows its own item types and no other words', () => {
    expect(itemTypes.every(isItemType)).toBe(true)
    expect(['t-shirt', '', 'toString', 'Aubergine'].some(isItemType)).toBe(false)
  })
})
