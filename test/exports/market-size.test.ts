import { describe, expect, it } from 'vitest'
import { ebaySites } from '../../src/exports/shops/export-defaults.ts'
import { ebaySize, googleSize, isForeignSize } from '../../src/exports/shops/market-size.ts'
import { barcode, globalBarcode } from '../../src/exports/shops/shop-rules.ts'
import { parseSize } from '../../src/garments/sizes/parse-size.ts'
import type { SizeContext } from '../../src/garments/sizes/size-rules.ts'
import { sizeText } from '../../src/garments/sizes/size-text.ts'

const site = (name: string) => ebaySites.find((each) => each.name === name) ?? ebaySites[0]

const trousers: SizeContext = { wearer: 'men', kind: 'trousers' }

it.each([
  ['UK 12', {}, ['12', 'UK', '']],
  ['10P', { wearer: 'women' }, ['10', 'US', 'petite']],
  ['W32 L34', trousers, ['32/34', '', '']],
  ['44R', { wearer: 'men' }, ['44R', '', 'regular']],
  ['3XLT', { wearer: 'men' }, ['3XL', '', 'big, tall']],
  ['one size', {}, ['one_size', '', '']],
  ['newborn', { wearer: 'baby' }, ['newborn', '', '']],
  ['3.5Y', { kind: 'shoes' }, ['3.5', 'US', '']],
  ['38 2/3', { kind: 'shoes' }, ['38 2/3', 'EU', '']],
  ['58cm', { kind: 'hat' }, ['58', '', '']],
  ['KR 66', {}, ['66', '', '']],
  ['CN 165/88A', {}, ['165/88A', 'CN', '']],
  ['see label', {}, ['', '', '']],
  ['10-Dez', {}, ['', '', '']],
] as const)('Google writes “%s” as size, system and type', (text, context, [size, system, type]) => {
  expect(googleSize(parseSize(text, context))).toEqual({ size, system, type })
})

describe('eBay', () => {
  it.each([
    ['UK 12', {}, 'eBay.co.uk', ['12', '', '']],
    ['UK 12', {}, 'eBay.com', ['UK 12', '', '']],
    ['W32 L34', trousers, 'eBay.de', ['32', '34', '']],
    ['7-8 years', {}, 'eBay.com', ['7-8 Years', '', '']],
    ['0-3m', { wearer: 'baby' }, 'eBay.com', ['0-3 Months', '', '']],
    ['EU 42,5', { kind: 'shoes' }, 'eBay.de', ['42.5', '', '']],
    ['EU 42,5', { kind: 'shoes' }, 'eBay.ie', ['EU 42.5', '', '']],
    ['X-Large', {}, 'eBay.com', ['XL', '', '']],
    ['Tall XXL', { wearer: 'men' }, 'eBay.com', ['2XL', '', 'Big & Tall']],
    ['one-size', {}, 'eBay.fr', ['One Size', '', '']],
  ] as const)('writes “%s” as size, leg and type for its site', (text, context, name, [size, leg, type]) => {
    expect(ebaySize(parseSize(text, context), site(name))).toEqual({ size, leg, type })
  })

  it('asks for a size of its own country', () => {
    const size = parseSize('UK 12')
    expect(size && [isForeignSize(size, site('eBay.com')), isForeignSize(size, site('eBay.ie'))]).toEqual([true, false])
    const letter = parseSize('M')
    expect(letter && isForeignSize(letter, site('eBay.com'))).toBe(false)
  })
})

it('people read sizes with their system and unit, in their language', () => {
  const read = (text: string, context?: SizeContext) => {
    const size = parseSize(text, context)
    return size === null ? '' : [sizeText(size), sizeText(size, 'fr')]
  }
  expect(read('uk14')).toEqual(['UK 14', 'UK 14'])
  expect(read('44R', { wearer: 'men' })).toEqual(['44', '44'])
  expect(read('104', { wearer: 'kids' })).toEqual(['104 cm', '104 cm'])
  expect(read('up to 3 mths')).toEqual(['0-3 months', '0-3 mois'])
  expect(read('15½ collar')).toEqual(['15.5 in', '15.5 in'])
})

describe('a barcode', () => {
  const problem = (text: string, rule = globalBarcode) =>
    rule.pattern?.test(text) === true ? rule.findProblem?.(text) : 'is none'

  it.each(['4006381333931', '96385074', '012345678905', '00012345600012'])('of %s is a GTIN', (text) => {
    expect(problem(text)).toBeUndefined()
  })

  it.each(['4006381333930', '123456789', '400638133393', ''])('of %s is none', (text) => {
    expect(problem(text)).toBeDefined()
  })

  it.each(['2000000000008', '0212345678909', '9810000000007', '9912345678901'])(
    'of %s is for use inside a shop, or a coupon, which Google refuses',
    (text) => {
      const digits = text.slice(0, -1)
      const withCheckDigit = [...'0123456789']
        .map((digit) => digits + digit)
        .find((each) => !barcode.findProblem?.(each))
      expect(problem(withCheckDigit ?? '')).toContain('inside a shop')
    },
  )
})
