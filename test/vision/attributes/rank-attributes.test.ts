import { describe, expect, it } from 'vitest'
import { catalogue } from '../../../src/vision/attributes/catalogue.ts'
import { allValues, type CatalogueEntry, isRanked } from '../../../src/vision/attributes/catalogue-entry.ts'
import { rankAttributes } from '../../../src/vision/attributes/rank-attributes.ts'
import network from '../../../src/vision/network/network.json'
import calibration from '../../../src/vision/predict/calibration.json'
import { confidenceOf } from '../../../src/vision/rank.ts'
import { type ItemType, itemTypes } from '../../../src/vision/taxonomy/item-types.ts'

const heads = {
  type: [],
  pattern: [['Plain', 0.7], ['Striped', 0.2], ['Unknown', 0.1]],
  closure: [],
  sleeve: [['Short', 0.9], ['Long', 0.1]],
  colour: [],
  presence: [],
  shown: [],
} as const // prettier-ignore

const rankedOf = (itemType: ItemType, { lengths = {}, attribute = {} } = {}) =>
  rankAttributes({ itemType, heads, colour: { ranked: [], hex: '#000000' }, lengths, attribute })

const confidence =
  (...args: Parameters<typeof rankedOf>) =>
  (name: string) =>
    confidenceOf(rankedOf(...args)[name]![0]!.probability)

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

  it('is never High about the fit', () => {
    expect(confidence('Skirt', { lengths: { Hem: 90, Hip: 50 } })('Fit')).not.toBe('High')
  })

  it('is never High about the fabric from the item type alone, and Medium only for jeans', () => {
    for (const itemType of itemTypes)
      expect(confidence(itemType)('Fabric Type')).toBe(itemType === 'Jeans' ? 'Medium' : 'Low')
    expect(confidence('Shirt', { attribute: { Material: 'Linen' } })('Fabric Type')).not.toBe('Low')
  })

  it('fails for a head that the network does not have', () => {
    const entry = { name: 'Lining', meaning: '', values: ['Yes'], head: 'lining', isReviewed: true } as const
    const evidence = { itemType: 'Coat', heads, colour: { ranked: [], hex: '' }, lengths: {}, attribute: {} } as const
    expect(() => rankAttributes(evidence, [entry])).toThrow('Lining is read from the head lining, which does not exist')
  })
})

describe('the catalogue', () => {
  const entries: readonly CatalogueEntry[] = catalogue

  it('names heads that the network has and that are calibrated, with classes that are values', () => {
    const read = entries.filter(isRanked).filter(({ head }) => head !== undefined)
    expect(read.filter(({ head = '' }) => !(head in calibration.temperatures))).toEqual([])
    const unknown = read.map((entry) => {
      const { name, head, rank } = entry
      const classes = network.heads.find((other) => other.name === head)?.classes
      return [name, rank === undefined ? classes?.filter((value) => !allValues(entry).includes(value)) : classes && []]
    })
    expect(unknown).toEqual(read.map(({ name }) => [name, []]))
  })

  it('has each attribute once', () => {
    const names = entries.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})
