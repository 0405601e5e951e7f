import { describe, expect, it } from 'vitest'
import { readGender, readWearer } from '../../../src/vision/attributes/wearer.ts'

describe('whom a garment is for', () => {
  it.each([
    ["Men's", 'men'],
    ['MALE', 'men'],
    ['mens', 'men'],
    ['Gentlemen’s', 'men'],
    ['Herren', 'men'],
    ['Homme', 'men'],
    ['uomo', 'men'],
    ['m', 'men'],
    ['Males', 'men'],
    ["Women's", 'women'],
    ['womens', 'women'],
    ['Ladies', 'women'],
    ['female', 'women'],
    ['Damen', 'women'],
    ['Femme', 'women'],
    ['Señora', 'women'],
    ['donna', 'women'],
    ['Ladys', 'women'],
    ['Unisex', 'unisex'],
    ['Mixte', 'unisex'],
    ['Men, Women', 'unisex'],
    ['Damen und Herren', 'unisex'],
    ["Boys'", 'boys'],
    ['Mädchen', 'girls'],
    ['Boys & Girls', 'children'],
    ['Girls, boys', 'children'],
    ['Kids', 'children'],
    ['Baby girl', 'babies'],
    ['Unisex Kids', 'children'],
    ['Baby unisex', 'babies'],
    ['Kids Female', 'children'],
    ['Child (male)', 'children'],
    ['Boys (men)', 'boys'],
    ['Women, girls', 'girls'],
  ])('is read from %s', (text, wearer) => {
    expect(readWearer(text)).toBe(wearer)
  })

  it.each(['', 'x', 'constructor', '__proto__', 'toString', 'Mensch', 'Mango', '123'])(
    'is not known of “%s”',
    (text) => {
      expect(readWearer(text)).toBeUndefined()
    },
  )
})

it.each([
  ["Men's", "Men's"],
  ['gents', "Men's"],
  ['Herren', "Men's"],
  ['Ladies', "Women's"],
  ['Damen', "Women's"],
  ['Boys', undefined],
  ['Male child', undefined],
  ['Unisex', undefined],
  ['Men & Women', undefined],
  ['Mango', undefined],
  ['', undefined],
])('%s decides the usual sizes of adults only', (text, gender) => {
  expect(readGender(text)).toBe(gender)
})
