import { describe, expect, it } from 'vitest'
import {
  type ListingFacts,
  toHtml,
  toText,
  writeListing,
  writeTitle,
} from '../../../src/garments/listing-texts/write-listing.ts'
import { detectLanguage } from '../../../src/garments/listing-texts/detect-language.ts'
import { parseSize } from '../../../src/garments/sizes/parse-size.ts'
import { type Language, languages, mainFibre } from '../../../src/garments/listing-texts/listing-words.ts'

const own = { title: '', description: '', brand: 'COS', size: parseSize('M'), condition: 'excellent' }

const jumper: ListingFacts = {
  tag: {
    Gender: "Men's",
    'Item Type': 'Jumper',
    'Item Type Confidence': 'High',
    Colour: 'Navy',
    'Colour Confidence': 'Medium',
    Pattern: 'Striped',
    'Pattern Confidence': 'High',
    Material: '100% wool',
    Sleeve: 'Long',
    'Sleeve Confidence': 'High',
    Neckline: 'Crew',
    'Neckline Confidence': 'Medium',
    Fit: 'Slim',
    'Fit Confidence': 'Low',
    Closure: 'Pullover',
    'Closure Confidence': 'High',
  },
  measurements: { 'Chest (cm)': 54, 'Body Length (cm)': 68.5 },
  isEstimated: true,
  own,
}

describe('a listing', () => {
  it.each([
    [
      'en',
      "COS men's striped jumper in navy, wool, crew neck, long sleeves, size M",
      "Men's striped jumper in navy by COS. Crew neck, long sleeves.",
    ],
    [
      'de',
      'COS Pullover für Herren mit Streifen in Marineblau, Wolle, lange Ärmel, Größe M',
      'Pullover von COS für Herren mit Streifen in Marineblau. Rundhalsausschnitt, lange Ärmel.',
    ],
    [
      'fr',
      'Pull pour homme COS à rayures, coloris bleu marine, laine, col rond, taille M',
      'Pull pour homme COS à rayures, coloris bleu marine. Col rond, manches longues.',
    ],
    [
      'es',
      'Jersey de hombre COS de rayas en azul marino, lana, cuello redondo, talla M',
      'Jersey de hombre COS de rayas en azul marino. Cuello redondo, manga larga.',
    ],
    [
      'it',
      'Maglione da uomo COS a righe, colore blu navy, lana, girocollo, taglia M',
      'Maglione da uomo COS a righe, colore blu navy. Girocollo, maniche lunghe.',
    ],
  ] as const)('in %s says what is known, and nothing that is a guess', (language, title, lead) => {
    expect(writeListing(jumper, language)).toMatchObject({ title, lead })
    const tag = { ...jumper.tag, 'Colour Confidence': 'Low' }
    expect(writeListing({ ...jumper, tag }, language).title).not.toMatch(/navy|marin|blu/i)
  })

  it.each([
    ['Long', 'Cuff width', 'Ärmelbündchen'],
    ['Short', 'Sleeve opening', 'Ärmelöffnung'],
    [undefined, 'Sleeve opening', 'Ärmelöffnung'],
  ])('calls the end of a T-shirt’s sleeve (%s) what it is', (sleeve, english, german) => {
    const tag = { 'Item Type': 'T-Shirt', ...(sleeve !== undefined && { Sleeve: sleeve }) }
    const shirt = { ...jumper, tag, measurements: { 'Cuff (cm)': 18 } }
    const namesIn = (language: Language) => writeListing(shirt, language).measurements?.values.map(([name]) => name)
    expect([namesIn('en'), namesIn('de')]).toEqual([[english], [german]])
  })

  it('has size, material, condition and measurements in its text, with the decimals of its language', () => {
    expect(toText(writeListing(jumper, 'en'))).toBe(
      `Men's striped jumper in navy by COS. Crew neck, long sleeves.

Size: M
Material: 100% wool
Condition: excellent

Approximate measurements, laid flat:
Chest: 54 cm
Body length: 68.5 cm`,
    )
    expect(toText(writeListing({ ...jumper, isEstimated: false }, 'de'))).toMatch(
      /Zustand: sehr gut\nFällt aus wie M bis L \(54 cm Brustweite, flach gemessen\)\n\nMaße, flach liegend gemessen:\nBrustweite: 54 cm\nLänge: 68,5 cm$/,
    )
  })

  it('has a space before each colon in French, which never begins a line', () => {
    const listing = writeListing(jumper, 'fr')
    for (const text of [toText(listing), toHtml(listing)]) {
      expect(text).toContain('Mesures approximatives, à plat\u00a0:')
      expect(text).toContain('Longueur\u00a0: 68,5 cm')
      expect(text).not.toMatch(/[^\u00a0]:/)
    }
  })

  it('calls the waist something else than the size in French', () => {
    const [name] = writeListing({ ...jumper, measurements: { 'Waist (cm)': 38 } }, 'fr').measurements?.values[0] ?? []
    expect(name).toBe('Largeur à la taille')
  })

  it.each([
    ['fr', 'Jacket', 'Devant ouvert.'],
    ['es', 'Jacket', 'Delantero abierto.'],
    ['it', 'Jacket', 'Davanti aperto.'],
    ['it', 'Bag', 'Parte superiore aperta.'],
  ] as const)(
    'in %s speaks of a %s that is open without agreeing with the wrong gender',
    (language, itemType, words) => {
      const tag = { 'Item Type': itemType, Closure: itemType === 'Bag' ? 'Open' : 'Open Front' }
      expect(writeListing({ ...jumper, tag }, language).lead).toContain(`. ${words}`)
    },
  )

  it('agrees with several things for children in Spanish', () => {
    const tag = { 'Item Type': 'Shoes', Gender: 'Kids' }
    expect(writeListing({ ...jumper, tag, own: { ...own, brand: '' } }, 'es').lead).toBe('Zapatos para niños.')
  })

  it('is good English without a brand, in the plural, of no known wearer, and in several colours', () => {
    const tag = { 'Item Type': 'Trousers', Colour: 'Multi', Pattern: 'Plain', 'Fabric Type': 'Leather' }
    const plain = { tag, measurements: {}, isEstimated: false, own: { ...own, brand: '', size: null, condition: '' } }
    expect(writeListing(plain, 'en')).toEqual({
      title: 'Trousers in several colours, leather look',
      lead: 'Trousers in several colours.',
      facts: [['Fabric', 'leather look']],
      fit: '',
      measurements: null,
      colon: ': ',
    })
    expect(writeListing({ ...plain, tag: { ...tag, Gender: 'Ladies' } }, 'en').title).toBe(
      "Women's trousers in several colours, leather look",
    )
  })

  it("has the client's own title and description in place of ours", () => {
    const words = { ...own, title: 'My jumper', description: 'From 1990.\nNever worn.' }
    const listing = writeListing({ ...jumper, own: words }, 'fr')
    expect(listing).toMatchObject({ title: 'My jumper', lead: 'From 1990.\nNever worn.' })
    // The text is exported as it is, without the size and measurements that it may already name.
    expect(toHtml(listing)).toBe('<p>From 1990.</p><p>Never worn.</p>')
  })

  it('cannot inject HTML', () => {
    const tag = { ...jumper.tag, Material: '<i>&' }
    const generated = toHtml(writeListing({ ...jumper, tag, own: { ...own, brand: '<script>' } }, 'en'))
    expect(generated).toContain('by &lt;script&gt;')
    expect(generated).toContain('Material: &lt;i&gt;&amp;<br>')
    const written = toHtml(writeListing({ ...jumper, own: { ...own, description: '<b>&' } }, 'en'))
    expect(written).toBe('<p>&lt;b&gt;&amp;</p>')
    expect(generated + written).not.toMatch(/<(?!\/?(p|ul|li|br)>)/)
  })

  it('says a type and leaves out values of an earlier tagger', () => {
    const tag = { 'Item Type': 'Kilt', Colour: 'Puce', Neckline: 'constructor', Fit: '__proto__' }
    for (const language of languages)
      expect(writeListing({ ...jumper, tag, measurements: { 'Sporran (cm)': 3 } }, language)).toMatchObject({
        lead: expect.stringMatching(/^Kilt\b[^[]*\.$/),
        measurements: null,
      })
  })

  it('leaves out the blocks that a tenant has switched off', () => {
    const text = toText(writeListing(jumper, 'en', { without: ['size', 'material', 'measurements'] }))
    expect(text).toBe("Men's striped jumper in navy by COS. Crew neck, long sleeves.\n\nCondition: excellent")
  })
})

describe('a title', () => {
  const coat: ListingFacts = {
    tag: {
      Gender: "Women's",
      'Item Type': 'Coat',
      Colour: 'Black',
      'Fabric Type': 'Quilted',
      Neckline: 'Hood',
      Closure: 'Zip',
      Fit: 'Regular',
      Sleeve: 'Long',
    },
    measurements: {},
    isEstimated: false,
    own: { ...own, brand: 'Weekday', size: parseSize('UK 12', { wearer: 'women' }), condition: 'new with tags' },
  }

  it('has as many details as fit, the most distinguishing first, and always ends with the size', () => {
    expect(writeTitle(coat, 'en', 80)).toBe("Weekday women's coat in black, quilted, hood, zip fastening, size UK 12")
    expect(writeTitle(coat, 'en', 150)).toBe(
      "Weekday women's coat in black, quilted, hood, zip fastening, regular fit, long sleeves, new with tags, size UK 12",
    )
    for (const language of languages)
      for (const length of [40, 80, 150]) expect(writeTitle(coat, language, length).length).toBeLessThanOrEqual(length)
  })

  it('names ages and one size in its language', () => {
    const sized = (text: string) => writeTitle({ ...coat, own: { ...coat.own, size: parseSize(text) } }, 'de', 80)
    expect(sized('3-4 years')).toMatch(/, Größe 3-4 Jahre$/)
    expect(sized('one size')).toMatch(/, Einheitsgröße$/)
  })

  it("of the client's own words is cut between words, and never in the middle of an emoji", () => {
    const title = `${'x'.repeat(78)}👗👗`
    expect(writeTitle({ ...coat, own: { ...coat.own, title } }, 'en', 79)).toBe('x'.repeat(78))
    const family = `${'x'.repeat(75)}👩‍👩‍👧 and more`
    expect(writeTitle({ ...coat, own: { ...coat.own, title: family } }, 'en', 80)).toBe('x'.repeat(75))
  })
})

it.each([
  ['100% wool', 'de', 'Wolle'],
  ['80% Baumwolle, 20% Polyester', 'en', 'cotton'],
  ['Merinowolle', 'en', 'merino wool'],
  ['laine mérinos', 'it', 'lana merino'],
  ['unobtainium', 'en', ''],
] as const)('the main fibre of %s in %s is %s', (material, language, fibre) => {
  expect(mainFibre(material, language)).toBe(fibre)
})

it.each([
  ['Schwarzes Kleid mit Kapuze, nie getragen', 'de'],
  ["Women's coat with a hood, never worn", 'en'],
  ['Robe noire avec manches longues et poches', 'fr'],
  ['Vestido negro con mangas largas y bolsillos', 'es'],
  ['Vestito nero con maniche lunghe e tasche', 'it'],
  ['Levis 501 W32 L34', undefined],
  ['Parka', undefined],
])('the language of “%s” is %s', (text, language) => {
  expect(detectLanguage(text)).toBe(language)
})
