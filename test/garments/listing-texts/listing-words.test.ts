import { describe, expect, it } from 'vitest'
import { measurementNames } from '../../../src/garments/corrections/allowed-values.ts'
import {
  languages,
  type ListedAttribute,
  listingWords,
  readLanguage,
} from '../../../src/garments/listing-texts/listing-words.ts'
import { allValues, attributes } from '../../../src/vision/attributes/attribute-catalogue.ts'
import { itemTypes } from '../../../src/vision/taxonomy/item-types.ts'

/** The client's own words, what has a reader or table of its own, and what is not for customers. */
const unlisted = ['Parts', 'Brand', 'Category', 'Gender', 'Item Type', 'Material', 'Colour Hex']

const listedAttributes = Object.keys(listingWords.en.values) as ListedAttribute[]

const catalogued = attributes.map((entry) => [entry.name, allValues(entry)] as const)

describe.each(languages)('the words of %s', (language) => {
  const words = listingWords[language]

  it.each(listedAttributes)('have every value of %s, and no other', (name) => {
    const [, values] = catalogued.find((entry) => entry[0] === name) ?? []
    expect(Object.keys(words.values[name]).sort()).toEqual([...(values ?? [])].sort())
  })

  it('have every item type and every measurement, and no other', () => {
    expect(Object.keys(words.itemTypes).sort()).toEqual([...itemTypes].sort())
    const names = measurementNames.map((name) => name.replace(' (cm)', ''))
    expect(Object.keys(words.measurements).sort()).toEqual([...names].sort())
  })

  it('are plain text: not empty but for what goes without saying, and without space around', () => {
    const silent = ['Plain', 'Other', 'Pullover', 'Slip-On']
    const tables = [
      words.itemTypes,
      words.measurements,
      words.wearers,
      words.conditions,
      ...Object.values(words.values),
    ]
    for (const [value, word] of tables.flatMap((table) => Object.entries(table))) {
      expect([value, word === '']).toEqual([value, silent.includes(value)])
      expect(word).toBe(word.trim())
    }
  })

  it('tell two colours and two item types apart', () => {
    for (const table of [words.values.Colour, words.itemTypes])
      expect(new Set(Object.values(table)).size).toBe(Object.keys(table).length)
  })
})

it('every attribute of the catalogue is in a table, or known not to need one', () => {
  const names = catalogued.map(([name]) => name)
  expect([...listedAttributes, ...unlisted].sort()).toEqual([...names].sort())
})

it.each([
  ['de', 'de'],
  ['xx', 'en'],
  ['constructor', 'en'],
  [undefined, 'en'],
])('a listing for the language code %s is in %s', (code, language) => {
  expect(readLanguage(code)).toBe(language)
})
