import { describe, expect, it } from 'vitest'
import { conditions, readCondition } from '../../src/listing/condition.ts'
import { readWearer } from '../../src/listing/wearer.ts'
import { readGender } from '../../src/vision/attributes/estimate-scale.ts'

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
    ["Women's", 'women'],
    ['womens', 'women'],
    ['Ladies', 'women'],
    ['female', 'women'],
    ['Damen', 'women'],
    ['Femme', 'women'],
    ['Señora', 'women'],
    ['donna', 'women'],
    ['Unisex', 'unisex'],
    ['Mixte', 'unisex'],
    ['Men, Women', 'unisex'],
    ['Damen und Herren', 'unisex'],
    ["Boys'", 'boys'],
    ['Mädchen', 'girls'],
    ['Boys & Girls', 'children'],
    ['Kids', 'children'],
    ['Baby girl', 'babies'],
  ])('is read from %s', (text, wearer) => {
    expect(readWearer(text)).toBe(wearer)
  })

  it.each(['', 'x', 'constructor', '__proto__', 'toString', 'Mensch', '123'])('is not known of “%s”', (text) => {
    expect(readWearer(text)).toBeUndefined()
  })

  it.each(['women', 'woman', 'ladies', 'lady', 'female', 'men', 'man', 'male', 'gents', 'gentlemen'])(
    'is read where the scale reads a gender: %s',
    (word) => {
      const isFemale = readGender(word) === "Women's"
      expect(readWearer(`${word}'s`)).toBe(isFemale ? 'women' : 'men')
    },
  )
})

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
