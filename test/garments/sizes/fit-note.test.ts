import { describe, expect, it } from 'vitest'
import { languages } from '../../../src/garments/listing-texts/listing-words.ts'
import { toHtml, toText, writeListing } from '../../../src/garments/listing-texts/write-listing.ts'
import { fittingLetters, type FittedGarment } from '../../../src/garments/sizes/fit-note.ts'

describe('the letter sizes that a garment fits', () => {
  const shirt: FittedGarment = { chestCm: 54, itemType: 'Shirt', fit: 'Regular', wearer: 'men' }
  it.each<[string, Partial<FittedGarment>, string | undefined]>([
    ['a regular shirt', {}, 'M to L'],
    ['a slim one is worn by broader people', { fit: 'Slim', chestCm: 55 }, 'L'],
    ['a relaxed one is worn by narrower people', { fit: 'Relaxed' }, 'S to M'],
    ['a coat is worn over other clothes', { itemType: 'Coat' }, 'S to M'],
    ['for women', { wearer: 'women', chestCm: 46 }, 'XS to S'],
    ['for everybody, as for men', { wearer: 'unisex' }, 'M to L'],
    ['an unknown fit counts as regular', { fit: '' }, 'M to L'],
    ['for children', { wearer: 'boys' }, undefined],
    ['for nobody known', { wearer: undefined }, undefined],
    ['of no human width', { chestCm: 200 }, undefined],
  ])('%s', (_, changes, expected) => {
    expect(fittingLetters({ ...shirt, ...changes })?.join(' to ')).toBe(expected)
  })
})

describe('the note on the fit', () => {
  const own = { title: '', description: '', brand: '', size: null, condition: '' }
  const tag = { 'Item Type': 'Shirt', Gender: "Men's", Fit: 'Regular' }
  const facts = { tag, measurements: { 'Chest (cm)': 54 }, isEstimated: false, own }

  it('stands in the description of a garment with true centimetres', () => {
    expect(toText(writeListing(facts, 'en'))).toContain('\nFits like M to L (54 cm across the chest)\n')
    expect(toHtml(writeListing(facts, 'en'))).toContain('<p>Fits like M to L (54 cm across the chest)</p>')
    for (const language of languages) expect(writeListing(facts, language).fit).toMatch(/\bM\b.*\bL\b.*54 cm/)
  })

  it('is missing where centimetres are estimated, the size is omitted, or the seller wrote the text', () => {
    expect(writeListing({ ...facts, isEstimated: true }, 'en').fit).toBe('')
    expect(writeListing(facts, 'en', { without: ['size'] }).fit).toBe('')
    expect(toText(writeListing({ ...facts, own: { ...own, description: 'Mine.' } }, 'en'))).toBe('Mine.')
  })

  it('is not the size', () => {
    expect(writeListing(facts, 'en').title).not.toContain('size')
  })
})
