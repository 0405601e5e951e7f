import { describe, expect, it } from 'vitest'
import { conditions, readCondition } from '../../src/garments/own-values.ts'

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
