import { describe, expect, it } from 'vitest'
import { allValues, attributes, isRanked } from '../../../src/vision/attributes/attribute-catalogue.ts'
import { rankAttributes, rankEntry } from '../../../src/vision/attributes/build-tag.ts'
import network from '../../../src/vision/network/network.json'
import calibration from '../../../src/vision/network/calibration.json'

import { type ItemType } from '../../../src/vision/taxonomy/item-types.ts'

const heads = {
  type: [],
  pattern: [['Plain', 0.7], ['Striped', 0.2], ['Unknown', 0.1]],
  closure: [],
  sleeve: [['Short', 0.9], ['Long', 0.1]],
  colour: [],
  presence: [],
  label: [],
  orientation: [],
  shown: [],
  neckline: [['Hood', 0.8], ['Collar', 0.2]],
  fit: [['Slim', 0.5], ['Regular', 0.3], ['Pencil', 0.2]],
  fabric: [['Woven', 0.9], ['Denim', 0.1]],
} as const // prettier-ignore

const rankedOf = (itemType: ItemType, { attribute = {} } = {}) =>
  rankAttributes({ itemType, heads, colour: { ranked: [], hex: '#000000' }, attribute })

describe('rankAttributes', () => {
  it('takes the classes of a head that are values of the attribute', () => {
    const [plain, striped, other] = rankedOf('Shirt')['Pattern']!
    expect([plain, striped]).toMatchObject([{ value: 'Plain' }, { value: 'Striped' }])
    expect(plain!.probability).toBeCloseTo(7 / 9, 6)
    expect(other).toBeUndefined()
  })

  it('has no values of what the item type cannot have', () => {
    expect(rankedOf('Shirt')['Sleeve']?.[0]?.value).toBe('Short')
    expect([rankedOf('Skirt')['Sleeve'], rankedOf('Bag')['Fit']]).toEqual([[], []])
  })

  it('reads fit and neckline among the values of the item type', () => {
    expect(rankedOf('Shirt')['Fit']!.map(({ value }) => value)).toEqual(['Slim', 'Regular'])
    expect(rankedOf('Skirt')['Fit']![0]).toEqual({ value: 'Pencil', probability: 1 })
    expect(rankedOf('Jacket')['Neckline']![0]?.value).toBe('Hood')
    expect([rankedOf('Skirt')['Neckline'], rankedOf('Bag')['Neckline']]).toEqual([[], []])
  })

  it('fails for a head that the network does not have', () => {
    const entry = { name: 'Lining', meaning: '', values: ['Yes'], head: 'lining', isReviewed: true } as const
    const evidence = { itemType: 'Coat', heads, colour: { ranked: [], hex: '' }, attribute: {} } as const
    expect(() => rankEntry(entry, evidence)).toThrow('Lining is read from the head lining, which does not exist')
  })
})

describe('the catalogue', () => {
  it('names heads that the network has and that are calibrated, with classes that are values', () => {
    const read = attributes.filter(isRanked).filter(({ head }) => head !== undefined)
    expect(read.filter(({ head = '' }) => !(head in calibration.temperatures))).toEqual([])
    const unknown = read.map((entry) => {
      const { name, head, rank } = entry
      const classes = network.heads.find((other) => other.name === head)?.classes
      return [name, rank === undefined ? classes?.filter((value) => !allValues(entry).includes(value)) : classes && []]
    })
    expect(unknown).toEqual(read.map(({ name }) => [name, []]))
  })

  it('has each attribute once', () => {
    const names = attributes.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})
