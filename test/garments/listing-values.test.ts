import { describe, expect, it } from 'vitest'
import { conditions, parseListingValues, readCondition } from '../../src/garments/listing-values.ts'

describe('a condition', () => {
  it.each(conditions)('is read from its own name: %s', (condition) => {
    expect(readCondition(condition.toUpperCase())).toBe(condition)
  })

  it.each([
    ['new', 'new with tags'],
    ['Neu ohne Etikett', 'new without tags'],
    ['Neuf avec étiquette', 'new with tags'],
    ['NWOT', 'new without tags'],
    ['New, without box', 'new without tags'],
    ['neuf avec défaut', 'new with defects'],
    ['Like new', 'excellent'],
    ['Sehr gut', 'excellent'],
    ['wie neu', 'excellent'],
    ['Très bon état', 'excellent'],
    ['gut', 'good'],
    ['buone', 'good'],
    ['Gebraucht', 'used'],
    ['Pre-owned', 'used'],
    ['de segunda mano', 'used'],
    ['acceptable', 'fair'],
  ])('is read from %s', (text, condition) => {
    expect(readCondition(text)).toBe(condition)
  })

  it('is not guessed', () => {
    expect(['', 'A+', 'constructor'].map(readCondition)).toEqual([undefined, undefined, undefined])
  })
})

const problemsOf = (given: Readonly<Record<string, string>>) => Object.fromEntries(parseListingValues(given).problems)

describe('a price', () => {
  it.each([
    ['12', { Price: '12.00' }],
    ['12.5', { Price: '12.50' }],
    ['12,50 €', { Price: '12.50', Currency: 'EUR' }],
    ['12,50Euro', { Price: '12.50', Currency: 'EUR' }],
    ['12,- €', { Price: '12.00', Currency: 'EUR' }],
    ['EUR 1.299,00', { Price: '1299.00', Currency: 'EUR' }],
    ['1,299.00 usd', { Price: '1299.00', Currency: 'USD' }],
    ['£1,299', { Price: '1299.00', Currency: 'GBP' }],
    ['1.299', { Price: '1299.00' }],
    ["1'299.00 CHF", { Price: '1299.00', Currency: 'CHF' }],
  ])('is stored in one form where it is given as %s', (text, stored) => {
    expect(parseListingValues({ Price: text })).toEqual({ values: stored, problems: new Map() })
  })

  it.each(['teuer', '-5', '12.345.6', '1.2.3', '1e9', '12 Stück', '€', '9'.repeat(30)])('is not %s', (text) => {
    expect(problemsOf({ price: text })).toEqual({ price: 'must be an amount, such as 12.50 or 12,50 €' })
  })

  it('sets the currency under the name that the garment has for it, unless another is given', () => {
    expect(parseListingValues({ price: '5 €' }, 'CURRENCY').values).toEqual({ price: '5.00', CURRENCY: 'EUR' })
    expect(parseListingValues({ price: '5 €', currency: 'eur' }).values).toEqual({ price: '5.00', currency: 'EUR' })
    expect(problemsOf({ price: '5 €', currency: 'USD' })).toEqual({ price: 'names EUR, but currency is USD' })
  })
})

it('sizes, conditions, currencies and stocks are stored in one form, whatever their names are spelled like', () => {
  const given = { 'Size label': ' W 32 ', SIZE: '42,5', Condition: 'Sehr gut', currency: 'Euro', Quantity: '3,0' }
  const stored = { 'Size label': 'W 32', SIZE: '42.5', Condition: 'excellent', currency: 'EUR', Quantity: '3' }
  expect(parseListingValues({ ...given, Shelf: ' A 7 ', Stock: null })).toEqual({
    values: { ...stored, Shelf: ' A 7 ', Stock: null },
    problems: new Map(),
  })
  expect(parseListingValues(stored).values).toEqual(stored)
})

it.each([
  ['Stock', 'zwölf', 'must be a whole number'],
  ['Stock', '-1', 'must be a whole number'],
  ['Stock', '1.5', 'must be a whole number'],
  ['Currency', 'Taler', 'must be a code of three letters'],
  ['Currency', 'XQQ', 'must be a code of three letters'],
  ['Condition', 'A+', 'must be one of new with tags'],
  ['Size', '10. Dez', 'must be a size'],
  ['Size', 'Oct-12', 'must be a size'],
  ['Size', '04.06.2026', 'must be a size'],
  ['Size', '-5', 'must be a size'],
  ['Size', 'x'.repeat(101), 'must be a size'],
])('as %s, “%s” is refused with a sentence', (name, text, sentence) => {
  expect(problemsOf({ [name]: text })[name]).toContain(sentence)
})

it.each(['10-12', '4/6', '3 months', 'Mar', '116/122', 'EU 38', 'one size'])('a size may be %s', (text) => {
  expect(problemsOf({ Size: text })).toEqual({})
})
