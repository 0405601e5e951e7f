import { shownSize } from '../../src/garments/label.ts'
import { describe, expect, it } from 'vitest'
import { listingNames, readListingValue } from '../../src/garments/listing-values.ts'
import { exportDefaultsSchema, parseExportDefaults } from '../../src/exports/shops/export-defaults.ts'
import { shortId, toListing, toSlug } from '../../src/exports/shops/product.ts'
import { cutText } from '../../src/garments/listing-texts/cut-text.ts'
import { noteSentences } from '../../src/vision/scene.ts'
import { isNewSince, rememberExport } from '../../src/exports/last-exports.ts'

describe('ids and texts', () => {
  it.each([
    ['Blue shirt, size M', 'blue-shirt-size-m'],
    ['Größe 7 – Øre', 'grosse-7-ore'],
    ['-a--b-', 'a-b'],
    ['日本', ''],
  ])('as in %s become %s in a handle', (text, slug) => {
    expect(toSlug(text)).toBe(slug)
  })

  it('are shortened', () => {
    expect(shortId('x'.repeat(50), 50)).toBe('x'.repeat(50))
    expect(shortId('x'.repeat(51), 50)).toHaveLength(50)
    expect(shortId('x'.repeat(51), 50)).not.toBe(shortId('x'.repeat(52), 50))
    expect(cutText('a red jumper, size M', 14)).toBe('a red jumper')
    expect(cutText('a'.repeat(30), 20)).toHaveLength(20)
    expect(cutText('COS Pullover für Herren mit Streifen in Marineblau', 42)).toBe(
      'COS Pullover für Herren mit Streifen',
    )
    expect(cutText('COS long striped jumper in light blue, size M and more', 45)).toBe(
      'COS long striped jumper in light blue',
    )
  })
})

it("the client's values are found under each of their names, whatever their spelling", () => {
  expect(readListingValue({ 'AGE-group': ' Kids ' }, listingNames.ageGroup)).toBe('Kids')
  expect(readListingValue({ gtin: '2', Barcode: ' ', ean: '3' }, listingNames.barcode)).toBe('2')
  expect(readListingValue({ Prices: '5' }, listingNames.price)).toBe('')
})

it.each([
  ['predicted', [], { Chest: {}, Hem: {} }, true],
  ['typed in part', ['Chest (cm)'], { Hem: {} }, true],
  ['typed, but for a moved line', ['Chest (cm)', 'Hem (cm)'], { Hem: {} }, true],
  ['typed', ['Chest (cm)', 'Hem (cm)'], {}, false],
])('measurements of an estimated scale that were %s are sold accordingly', (_, corrected, places, isEstimated) => {
  const end: [x: number, y: number] = [1, 1]
  const garment = {
    tag: { 'Item Type': 'T-Shirt', Colour: 'Navy' },
    measurements: { 'Chest (cm)': 52, 'Hem (cm)': 50 },
    scale: 'estimate',
    notes: [] as string[],
    attribute: {},
    corrected,
    lines: Object.fromEntries(Object.keys(places).map((name) => [name, { from: end, to: end }])),
  } as const
  const { measurements } = toListing(garment, parseExportDefaults(null, 'GBP'))
  expect(measurements?.label.startsWith('Approximate')).toBe(isEstimated)
})

it('of an unsure outline, only measurements that a person corrected or confirmed are sold', () => {
  const garment = {
    tag: { 'Item Type': 'T-Shirt' },
    measurements: { 'Chest (cm)': 52, 'Hem (cm)': 50, 'Body Length (cm)': 63 },
    notes: [noteSentences.unsure_outline as string],
    attribute: {},
    corrected: ['Chest (cm)'],
    confirmed: ['Hem (cm)'],
  }
  const listing = toListing({ ...garment, scale: 'card' }, parseExportDefaults(null, 'GBP'))
  expect(listing.measurements?.values.map(([name]) => name)).toEqual(['Chest', 'Hem width'])
  const predicted = { ...garment, corrected: [], confirmed: [] }
  expect(toListing({ ...predicted, scale: 'card' }, parseExportDefaults(null, 'GBP')).measurements).toBe(null)
  const sure = toListing({ ...predicted, scale: 'card', notes: [] }, parseExportDefaults(null, 'GBP'))
  expect(sure.measurements?.values).toHaveLength(3)
})

it("the size is the corrected one, the client's, or a certain one of the label", () => {
  const garment = {
    tag: { 'Item Type': 'T-Shirt' },
    measurements: {},
    notes: [],
    scale: null,
  }
  const label = { Size: 'M', 'Size Confidence': 'Medium', proof: {} } as const
  const sizeOf = (more: Pick<Parameters<typeof toListing>[0], 'attribute' | 'label' | 'corrected'>) =>
    shownSize({ ...garment, ...more })
  expect(sizeOf({ attribute: {}, label })).toBe('M')
  expect(sizeOf({ attribute: { Size: 'L' }, label })).toBe('L')
  expect(sizeOf({ attribute: { Size: 'L' }, label, corrected: ['Size'] })).toBe('M')
  expect(sizeOf({ attribute: {}, label: { ...label, 'Size Confidence': 'Low' } })).toBe('')
  const { title } = toListing({ ...garment, attribute: {}, label }, parseExportDefaults(null, 'GBP'))
  expect(title).toMatch(/\bM\b/)
})

describe('the defaults', () => {
  it('are the initial ones, with the currency of the tenant, until others are chosen', () => {
    expect(parseExportDefaults(null, 'JPY').ebay_site).toBe('eBay.com')
    expect(parseExportDefaults(null, 'GBP')).toMatchObject({ currency: 'GBP', stock: '1', ebay_site: 'eBay.co.uk' })
    const chosen = { ...parseExportDefaults(null, 'GBP'), price: '5.00', currency: 'EUR' }
    expect(parseExportDefaults(JSON.stringify(chosen), 'GBP')).toEqual(chosen)
  })

  it.each([
    ['price', 'soon'],
    ['currency', 'taler'],
    ['link', 'https://shop.example/'],
    ['link', 'javascript:alert(1)//{uuid}'],
    ['condition', 'repaired'],
    ['language', 'xx'],
    ['stock', '-1'],
    ['ebay_categories', 'Dress, girls: 12\nDress: 13'],
  ])('refuse a %s such as %s', (name, value) => {
    const result = exportDefaultsSchema.safeParse({ ...parseExportDefaults(null, 'EUR'), [name]: value })
    expect(result.error?.issues.map(({ path }) => path[0])).toEqual([name])
  })
})

describe('what is new since an export', () => {
  const at = (ms: number) => new Date(ms).toISOString()

  it('is what ended later, or was left out', () => {
    const last = { exportedAt: 100_000, recent: ['recent'], leftOut: ['lacking'] }
    const isNew = (uuid: string, ms: number) => isNewSince({ uuid, ended_at: at(ms) }, last)
    expect(isNew('later', 100_001)).toBe(true)
    expect(isNew('long before', 80_000)).toBe(false)
    expect(isNew('lacking', 1)).toBe(true)
    // It may have been stored after its page was read; the uuids of the file decide.
    expect([isNew('recent', 99_000), isNew('stored late', 99_000)]).toEqual([false, true])
  })

  it('is neither lost nor repeated by exports in quick succession', () => {
    const first = rememberExport(100_000, undefined)
    first.add({ uuid: 'a', ended_at: at(99_000) }, false)
    const last = first.end()
    const second = rememberExport(103_000, last ?? undefined)
    second.add({ uuid: 'b', ended_at: at(102_000) }, false)
    expect(second.end()).toEqual({ exportedAt: 103_000, recent: ['a', 'b'], leftOut: [] })
  })

  it('is not forgotten where more was left out than can be remembered', () => {
    const first = rememberExport(100_000, undefined)
    for (let i = 0; i <= 2000; i++) first.add({ uuid: `g${i}`, ended_at: at(1) }, true)
    expect(first.end()).toBeNull()
  })
})
