import { storeFailure } from '../../src/garments/failure.ts'
import type { Picture } from '../../src/garments/pictures/garment-picture.ts'
import { PictureError } from '../../src/vision/picture-error.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkExport } from '../../src/exports/check-export.ts'
import { ebaySites, type ExportDefaults, parseExportDefaults } from '../../src/exports/shops/export-defaults.ts'
import { type ShopFormat, shopFormats, shopOf } from '../../src/exports/shops/shop-formats.ts'
import { rowProblems } from '../../src/exports/shops/shop-rules.ts'
import { colourHandle } from '../../src/exports/shops/shopify.ts'
import { streamExport } from '../../src/exports/stream-export.ts'
import { languages } from '../../src/garments/listing-texts/listing-words.ts'
import { colourPrototypes } from '../../src/vision/colour/name-colour.ts'
import { itemTypes } from '../../src/vision/taxonomy/item-types.ts'
import { correctTag, db, insertGarment, machineTag } from '../garments/review/complete-garment.ts'
import { readRows } from './read-rows.ts'

const initial = parseExportDefaults(null, 'EUR')

/** What a shop fills in once. */
const filled: ExportDefaults = {
  ...initial,
  price: '9.50',
  condition: 'good',
  size: 'One size',
  link: 'https://shop.example/products/{handle}?sku={sku}',
  ebay_site: 'eBay.de',
}

const jumper = {
  ...machineTag,
  'Colour Confidence': 'High',
  'Item Type': 'Jumper',
  Gender: 'Herren',
  Brand: 'COS',
  Pattern: 'Striped',
  Fit: 'Slim',
  'Fit Alternatives': ['Regular'],
}

const ownAttribute = JSON.stringify({
  PRICE: '1299.00',
  currency: 'EUR',
  'article number': 'A-7',
  size_label: 'L',
  Condition: 'excellent',
  Quantity: '3',
  EAN: '4006381333931',
  shelf: 'B 12',
})

/** The columns that each shop's import knows, as it publishes them; others by what their names look like. */
const published: Readonly<Record<ShopFormat, readonly (string | RegExp)[]>> = {
  shopify: [
    'Title',
    'URL handle',
    'Description',
    'Vendor',
    'Product category',
    'Type',
    'Tags',
    'Published on online store',
    'Status',
    'SKU',
    'Barcode',
    'Option1 name',
    'Option1 value',
    'Price',
    'Charge tax',
    'Inventory tracker',
    'Inventory quantity',
    'Continue selling when out of stock',
    'Requires shipping',
    'Fulfillment service',
    'Product image URL',
    'Image position',
    'Image alt text',
    'Gift card',
    'Google Shopping / Google product category',
    'Google Shopping / Gender',
    'Google Shopping / Age group',
    'Google Shopping / Condition',
    /^.+ \(product\.metafields\.[\w-]+\.[\w-]+\)$/,
  ],
  ebay: [
    /^Action\(SiteID=/,
    'Custom label (SKU)',
    'Category ID',
    'Title',
    'UPC',
    'Price',
    'Quantity',
    'Item photo URL',
    'Condition ID',
    'Description',
    'Format',
    /^C:[\p{L} -]+$/u,
  ],
  google: [
    'id',
    'title',
    'description',
    'link',
    'image_link',
    'additional_image_link',
    'availability',
    'price',
    'condition',
    'brand',
    'gtin',
    'mpn',
    'identifier_exists',
    'google_product_category',
    'product_type',
    'gender',
    'age_group',
    'color',
    'size',
    'size_system',
    'size_type',
    'material',
    'pattern',
    'custom_label_0',
  ],
  woocommerce: [
    'Type',
    'SKU',
    'GTIN, UPC, EAN, or ISBN',
    'Name',
    'Published',
    'Description',
    'In stock?',
    'Stock',
    'Regular price',
    'Categories',
    'Brands',
    'Images',
    /^Attribute [1-4] (name|value\(s\)|visible)$/,
  ],
  // Columns of our own.
  vinted: [/^[A-Z]/],
}

async function exported(tenantId: string, format: ShopFormat, defaults: ExportDefaults, withIncomplete = false) {
  const deps = { publicUrl: undefined, nowMs: 1_000_000 }
  const stream = await streamExport(db, tenantId, { format, defaults, withIncomplete }, deps)
  return await new Response(stream).text()
}

/** A tenant with a garment of each type, and one with the client's own values. */
async function insertEveryType(): Promise<string> {
  const tenantId = crypto.randomUUID()
  for (const [index, itemType] of itemTypes.entries()) {
    const gender = index % 2 === 0 || itemType === 'Dress' ? 'Damen' : "Men's"
    const tag = {
      ...machineTag,
      'Colour Confidence': 'High',
      'Item Type': itemType,
      'Item Type Alternatives': [],
      'Item Type Confidence': 'High',
      Gender: gender,
      Brand: 'Ö'.repeat(index * 3) || 'COS',
    }
    await insertGarment(tenantId, `Ärmel/${itemType} ${'x'.repeat(index * 3)}`, { tag, createdAt: 1000 + index })
  }
  await insertGarment(tenantId, 'own', { tag: jumper, attribute: ownAttribute, createdAt: 2000 })
  return tenantId
}

describe.each(shopFormats)('the file for %s', (format) => {
  let tenantOfAll = ''
  beforeAll(async () => {
    tenantOfAll = await insertEveryType()
  })

  it.each(languages)('keeps the published rules, whatever the garment, in %s', async (language) => {
    const defaults = { ...filled, language }
    const rows = readRows(await exported(tenantOfAll, format, defaults))
    const { columns, rules } = shopOf(format, defaults)
    expect(rules).toMatchObject({
      source: expect.stringMatching(/https:\/\/|Seller Hub/),
      read: expect.stringMatching(/^2026-/),
    })
    // eBay has no category for a few types of men's garments.
    expect(rows.length).toBeGreaterThanOrEqual(format === 'ebay' ? itemTypes.length - 5 : itemTypes.length + 1)
    for (const row of rows) expect(rowProblems(columns, row)).toEqual([])
    const isPublished = (name: string) =>
      published[format].some((known) => (typeof known === 'string' ? known === name : known.test(name)))
    expect(Object.keys(rows[0] ?? {}).filter((name) => !isPublished(name))).toEqual([])
    const required = columns.filter(([, , rule]) => rule?.isRequired === true)
    expect(required.length).toBeGreaterThan(1)
    expect(Object.keys(rows[0] ?? {})).toEqual(expect.arrayContaining(required.map(([name]) => name)))
  })

  it('leaves out garments that failed, and those that the shop would refuse unless they are wanted', async () => {
    const tenantId = crypto.randomUUID()
    await insertGarment(tenantId, 'failed', { status: 'failed', result: null })
    await insertGarment(tenantId, 'plain', { attribute: '{"Barcode":"x","Price":"0.00"}' })
    expect(readRows(await exported(tenantId, format, initial))).toHaveLength(0)
    expect(readRows(await exported(tenantId, format, initial, true))).toHaveLength(1)
  })
})

describe("a garment with the client's own values", () => {
  const row = async (format: ShopFormat, defaults = filled) => {
    const tenantId = crypto.randomUUID()
    await insertGarment(tenantId, 'IMG 7', { tag: jumper, attribute: ownAttribute })
    return readRows(await exported(tenantId, format, defaults))[0]
  }

  it('is a draft of one variant for Shopify', async () => {
    expect(await row('shopify')).toMatchObject({
      Title: "COS men's striped jumper in navy, jersey, slim fit, size L",
      'URL handle': expect.stringMatching(/^cos-men-s-striped-jumper-in-navy-jersey-slim-fit-size-l-\d+$/),
      Description: expect.stringMatching(/^<p>Men's striped jumper in navy by COS\..*<li>Chest: 52 cm<\/li>/),
      Vendor: 'COS',
      'Product category': 'Apparel & Accessories > Clothing > Clothing Tops > Sweaters',
      Tags: expect.stringMatching(/^Navy, Striped, .*, excellent, Shelf B 12$/),
      Status: 'Draft',
      SKU: 'A-7',
      Barcode: '4006381333931',
      'Option1 name': 'Size',
      'Option1 value': 'L',
      Price: '1299.00',
      'Inventory quantity': '3',
      'Product image URL': 'https://a.example/x.jpg',
      'Color (product.metafields.shopify.color-pattern)': 'navy',
      'Google Shopping / Gender': 'Male',
      'Google Shopping / Condition': 'Used',
      'Chest (cm) (product.metafields.custom.chest_cm)': '52',
    })
  })

  it('is an offer for Google Merchant, in the language of the export', async () => {
    expect(await row('google', { ...filled, language: 'de' })).toMatchObject({
      id: 'A-7',
      title: 'COS Pullover für Herren mit Streifen in Marineblau, Jersey, schmale Passform, Größe L',
      description: expect.stringContaining(
        'Ungefähre Maße, flach liegend gemessen:\nBrustweite: 52 cm\nLänge: 70,5 cm',
      ),
      link: expect.stringMatching(/^https:\/\/shop\.example\/products\/cos-pullover-.*-passform-\d+\?sku=A-7$/),
      image_link: 'https://a.example/x.jpg',
      availability: 'in_stock',
      price: '1299.00 EUR',
      condition: 'used',
      gtin: '4006381333931',
      identifier_exists: 'yes',
      gender: 'male',
      age_group: 'adult',
      color: 'Navy',
      size: 'L',
      size_system: '',
      custom_label_0: 'B 12',
    })
  })

  it('is a draft for eBay, of the site and in its currency', async () => {
    expect(await row('ebay')).toMatchObject({
      'Action(SiteID=Germany|Country=DE|Currency=EUR|Version=1193|CC=UTF-8)': 'Draft',
      'Custom label (SKU)': 'A-7',
      'Category ID': '11484',
      Title: 'COS Pullover für Herren mit Streifen in Marineblau, Jersey, Größe L',
      Price: '1299.00',
      'Condition ID': '2990',
      'C:Marke': 'COS',
      'C:Größe': 'L',
      'C:Abteilung': 'Herren',
      'C:Produktart': 'Pullover',
      'C:Farbe': 'Marineblau',
      'C:Muster': 'Streifen',
      Quantity: '3',
    })
    const american = { ...filled, ebay_site: 'eBay.com' } as const
    const { columns } = shopOf('ebay', american)
    const tenantId = crypto.randomUUID()
    await insertGarment(tenantId, 'a', { tag: jumper, attribute: ownAttribute })
    const [refused = {}] = readRows(await exported(tenantId, 'ebay', american, true))
    expect(refused).toMatchObject({ 'C:Brand': 'COS', 'C:Department': 'Men', 'C:Pattern': 'Striped' })
    expect(rowProblems(columns, refused)).toMatchObject([{ column: 'Price', isRefused: true }])
  })

  it.each(ebaySites)('has the info rows by which $name knows its template', async ({ name, template }) => {
    const text = await exported(crypto.randomUUID(), 'ebay', { ...filled, ebay_site: name })
    expect(text).toMatch(new RegExp(`^#INFO,Version=0\\.0\\.2,Template= eBay-draft-listings-template_${template},`))
  })
})

it('guesses of confidence Low are in no field of a shop, until a person has confirmed them', async () => {
  const tenantId = crypto.randomUUID()
  const guessed = { ...jumper, 'Pattern Confidence': 'Low', 'Colour Confidence': 'Low', 'Item Type Confidence': 'Low' }
  await insertGarment(tenantId, 'g', { tag: guessed, attribute: '{"Price":"5.00"}' })
  const texts = async () => {
    const files: string[] = []
    for (const format of shopFormats) files.push(await exported(tenantId, format, filled, true))
    return files
  }
  for (const text of await texts()) expect(text).not.toMatch(/Striped|Navy|Sweaters|11484/i)
  await correctTag(tenantId, 'g', { Pattern: 'Striped', Colour: 'Navy', 'Item Type': 'Jumper' })
  for (const text of await texts())
    expect(text).toMatch(/striped jumper in navy|Pullover für Herren mit Streifen in Marineblau/i)
})

describe('the check of an export', () => {
  it('names each garment with what it lacks, and counts what many lack', async () => {
    const tenantId = crypto.randomUUID()
    await insertGarment(tenantId, 'ready', { tag: jumper, attribute: ownAttribute })
    await insertGarment(tenantId, 'bare', { createdAt: 1001 })
    await insertGarment(tenantId, 'odd', { tag: jumper, attribute: '{"EAN":"x"}', createdAt: 1002 })
    await insertGarment(tenantId, 'failed', { status: 'failed', result: null })
    const defaults = { ...initial, link: 'https://shop.example/{uuid}', condition: 'good', size: 'M' } as const
    const report = await checkExport(db, tenantId, { format: 'google', defaults })
    expect(report).toMatchObject({ checked: 3, hasMore: false, refused: 2, lacking: 0 })
    expect(report.named.map(({ uuid, problems }) => [uuid, problems.map(({ column }) => column)])).toEqual([
      ['bare', ['price', 'gender', 'color']],
      ['odd', ['price', 'gtin']],
    ])
    expect(report.counts).toContainEqual({ column: 'price', problem: 'is missing', isRefused: true, count: 2 })
    expect(report.named[1]?.problems[1]?.problem).toContain('“x”')
  })

  it('ends after so many garments', async () => {
    const tenantId = crypto.randomUUID()
    for (const uuid of ['a', 'b', 'c']) await insertGarment(tenantId, uuid)
    const report = await checkExport(db, tenantId, { format: 'shopify', defaults: initial, maxChecked: 0 })
    expect(report).toMatchObject({ checked: 0, hasMore: true })
  })

  it('reads only so many garments to find those of a filter', async () => {
    const tenantId = crypto.randomUUID()
    await insertGarment(tenantId, 'a')
    const check = { format: 'shopify', defaults: initial, brand: 'of none' } as const
    expect(await checkExport(db, tenantId, check)).toMatchObject({ checked: 0, hasMore: false })
    const report = await checkExport(db, tenantId, { ...check, maxLookedThrough: 0 })
    expect(report).toMatchObject({ checked: 0, hasMore: true })
  })
})

it('every colour has a handle of Shopify, and nothing else has', () => {
  expect([...Object.keys(colourPrototypes), 'Multi'].filter((colour) => colourHandle(colour) === '')).toEqual([])
  expect(['', 'Puce', 'constructor', '__proto__'].map(colourHandle)).toEqual(['', '', '', ''])
})

describe('a garment with several pictures', () => {
  const [first, second, third] = [
    'https://a.example/a.jpg',
    'https://a.example/b,1.jpg',
    'https://a.example/c.jpg',
  ] as const
  const size = { width: 30, height: 40 }
  const pictures = [
    { url: first, role: 'measured', hasCutout: true, ...size },
    { url: second, kind: 'back', role: 'tagged', hasCutout: true, ...size },
    { url: 'https://a.example/broken.jpg', failure: storeFailure(new PictureError('no_pixels')) },
    { url: third, kind: 'label', role: 'listed', ...size },
  ] as const satisfies readonly Partial<Picture>[]
  const rows = async (format: ShopFormat, defaults = filled, all: readonly Partial<Picture>[] = pictures) => {
    const tenantId = crypto.randomUUID()
    await insertGarment(tenantId, 'many', { tag: jumper, pictures: all })
    return readRows(await exported(tenantId, format, defaults))
  }

  it('has a row for each of them for Shopify, in their order and without those that failed', async () => {
    const [product, ...more] = await rows('shopify')
    expect(product).toMatchObject({ 'Product image URL': first, 'Image position': '1' })
    const { 'Image alt text': alt = '', 'URL handle': handle = '' } = product ?? {}
    expect(handle).toMatch(/^cos-men-s-striped-jumper-.*-\d+$/)
    expect(alt).not.toBe('')
    const filledIn = more.map((row) => Object.fromEntries(Object.entries(row).filter(([, text]) => text !== '')))
    expect(filledIn).toEqual([
      { 'URL handle': handle, 'Product image URL': second, 'Image position': '2', 'Image alt text': alt },
      { 'URL handle': handle, 'Product image URL': third, 'Image position': '3', 'Image alt text': alt },
    ])
  })

  it('has further addresses in a column of their own for Google, and all of them in one for eBay', async () => {
    const further = `https://a.example/b%2C1.jpg,${third}`
    expect(await rows('google')).toMatchObject([{ image_link: first, additional_image_link: further }])
    expect(await rows('ebay')).toMatchObject([{ 'Item photo URL': [first, second, third].join('|') }])
  })

  it('begins with the first one cut out if the shop wants that, where it has a cut-out', async () => {
    const wanted: ExportDefaults = { ...filled, first_picture: 'cut-out' }
    const isCutOut = /\/garment-tagging\/cutout\/[^/]+\/[^/]+$/
    const [product, ...more] = await rows('shopify', wanted)
    expect(product?.['Product image URL']).toMatch(isCutOut)
    expect(more.map((row) => [row['Image position'], row['Product image URL']])).toEqual([
      ['2', first],
      ['3', second],
      ['4', third],
    ])
    const [offered] = await rows('google', wanted)
    expect(offered?.['image_link']).toMatch(isCutOut)
    expect(offered?.['additional_image_link']).toBe(`${first},https://a.example/b%2C1.jpg,${third}`)
    const unsure = pictures.map((picture) => ({ ...picture, hasCutout: false }))
    expect((await rows('google', wanted, unsure))[0]).toMatchObject({ image_link: first })
  })

  it.each(shopFormats)('is reported for %s where a shop cannot reach one of them', async (format) => {
    const tenantId = crypto.randomUUID()
    for (const [uuid, url] of [
      ['http', 'http://a.example/x.jpg'],
      ['local', 'https://localhost:8787/x.jpg'],
      ['fine', 'https://a.example/x.jpg'],
    ] as const)
      await insertGarment(tenantId, uuid, { tag: jumper, attribute: ownAttribute, pictures: [{ url }] })
    const { named, refused } = await checkExport(db, tenantId, { format, defaults: filled })
    expect(refused).toBe(0)
    const ofCutOuts = async (publicUrl?: string) => {
      const defaults: ExportDefaults = { ...filled, first_picture: 'cut-out' }
      return (await checkExport(db, tenantId, { format, defaults, publicUrl })).named.map(({ uuid }) => uuid)
    }
    expect(await ofCutOuts()).toEqual(['http', 'local'])
    expect(await ofCutOuts('http://tagging.example')).toEqual(['fine', 'http', 'local'])
    expect(named.map(({ uuid, problems }) => [uuid, problems.map(({ problem }) => problem)])).toEqual([
      ['http', [expect.stringMatching(/which no shop can reach, because it must be an https URL$/)]],
      [
        'local',
        [expect.stringMatching(/which no shop can reach, because it must name a host on the public internet$/)],
      ],
    ])
  })
})

describe("a shop's check", () => {
  const problemsOf = async (
    format: ShopFormat,
    attribute: object,
    defaults: Partial<ExportDefaults> = {},
    tag = jumper,
  ) => {
    const tenantId = crypto.randomUUID()
    await insertGarment(tenantId, 'a', { tag, attribute: JSON.stringify(attribute) })
    const report = await checkExport(db, tenantId, { format, defaults: { ...filled, size: '', ...defaults } })
    return Object.fromEntries((report.named[0]?.problems ?? []).map(({ column, problem }) => [column, problem]))
  }

  it('names the title and the picture of each garment', async () => {
    const tenantId = crypto.randomUUID()
    await insertGarment(tenantId, 'a', { tag: jumper })
    const { named } = await checkExport(db, tenantId, { format: 'google', defaults: initial })
    expect(named).toMatchObject([
      {
        uuid: 'a',
        title: "COS men's striped jumper in navy, jersey, slim fit",
        picture: expect.stringMatching(/^\/garment-tagging\/annotated\/.*\/thumbnail$/),
      },
    ])
  })

  it('says why a size is left out', async () => {
    expect(await problemsOf('google', { Size: 'see label' })).toMatchObject({
      size: 'is left out, because “see label” is no size',
    })
    expect(await problemsOf('shopify', { Size: 'see label' })).toMatchObject({
      'Option1 value': expect.stringContaining('no size'),
    })
  })

  it('requires a size for Google of clothing and shoes only', async () => {
    expect(await problemsOf('google', {})).toMatchObject({ size: 'is missing' })
    expect(await problemsOf('google', {}, {}, { ...jumper, 'Item Type': 'Bag' })).not.toHaveProperty('size')
  })

  it('refuses a price of 0 and a wrong check digit for Google', async () => {
    const problems = await problemsOf('google', { Size: 'M', Price: '0.00', EAN: '4006381333930' })
    expect(problems).toMatchObject({ price: 'is 0', gtin: expect.stringContaining('check digit') })
  })

  it("refuses an SKU that is another garment's stock number", async () => {
    expect(await problemsOf('shopify', { SKU: 'G-7', Size: 'M' })).toMatchObject({
      SKU: 'is “G-7”, the stock number of another garment',
    })
  })

  it('leaves an unknown brand empty for eBay, and asks for it', async () => {
    const { Brand: _brand, ...unbranded } = jumper
    expect(await problemsOf('ebay', { Size: 'M' }, {}, unbranded as typeof jumper)).toMatchObject({
      'C:Marke': 'is missing',
    })
  })

  it('asks for the wearer where eBay has no category without it', async () => {
    const { Gender: _gender, ...anybody } = jumper
    const problems = await problemsOf('ebay', { Size: 'M' }, {}, anybody as typeof jumper)
    expect(problems).toMatchObject({ 'Category ID': expect.stringContaining('choose For in the defaults') })
    const girls = await problemsOf('ebay', { Size: '116' }, { gender: 'girls' }, {
      ...anybody,
      'Item Type': 'T-Shirt',
    } as typeof jumper)
    expect(girls).not.toHaveProperty('Category ID')
  })

  it('gives eBay grades of used condition for clothing only', async () => {
    const conditionOf = async (itemType: string) => {
      const tenantId = crypto.randomUUID()
      const tag = { ...jumper, 'Item Type': itemType } as typeof jumper
      await insertGarment(tenantId, 'a', { tag, attribute: '{"Condition":"excellent"}' })
      return readRows(await exported(tenantId, 'ebay', filled, true))[0]?.['Condition ID']
    }
    expect([await conditionOf('Dress'), await conditionOf('Boots'), await conditionOf('Bag')]).toEqual([
      '2990',
      '3000',
      '3000',
    ])
  })

  it('asks once for the eBay categories of children that are not public', async () => {
    const dress = { ...jumper, 'Item Type': 'Dress' } as typeof jumper
    const girls = { Gender: 'girls', Size: '116' }
    const tag = { ...dress, Gender: 'girls' } as typeof jumper
    expect(await problemsOf('ebay', girls, {}, tag)).toMatchObject({
      'Category ID': 'is not public for Dress, girls; enter it once under eBay categories in the defaults',
    })
    const known = { ebay_categories: 'Skirt, girls: 11\ndress, Girls : 12' }
    expect(await problemsOf('ebay', girls, known, tag)).not.toHaveProperty('Category ID')
    const shoes = { ...jumper, 'Item Type': 'Trainers', Gender: 'boys' } as typeof jumper
    expect(await problemsOf('ebay', { Size: '30' }, {}, shoes)).not.toHaveProperty('Category ID')
  })

  it("names a title that is not in the market's language", async () => {
    const title = { Title: 'Schwarzer Mantel für Damen mit Kapuze', Size: 'M' }
    expect(await problemsOf('shopify', title)).toMatchObject({ Title: expect.stringContaining('Deutsch') })
    expect(await problemsOf('ebay', title)).not.toHaveProperty('Title')
  })
})

it.each(shopFormats)('what is sold or withdrawn is not in the file for %s', async (format) => {
  const tenantId = crypto.randomUUID()
  for (const stage of ['draft', 'ready', 'listed', 'sold', 'withdrawn'])
    await insertGarment(tenantId, `${stage}-1`, {
      tag: jumper,
      attribute: JSON.stringify({ Stage: stage, SKU: `S-${stage}`, Price: '5.00' }),
    })
  const text = await exported(tenantId, format, filled)
  expect(['draft', 'ready', 'listed', 'sold', 'withdrawn'].filter((stage) => text.includes(`${stage}`))).toEqual([
    'draft',
    'ready',
    'listed',
  ])
})

it('a title of one language is its own, and the other languages have the common one', async () => {
  const tenantId = crypto.randomUUID()
  await insertGarment(tenantId, 'a', { tag: jumper, attribute: '{"Title":"Coat","Title de":"Mantel","Price":"5.00"}' })
  const title = async (language: 'de' | 'fr') =>
    readRows(await exported(tenantId, 'shopify', { ...filled, language }))[0]?.['Title']
  expect([await title('de'), await title('fr')]).toEqual(['Mantel', 'Coat'])
})

it('a text that begins with a sign stays as it is in the files of shops, and is guarded in our own', async () => {
  const tenantId = crypto.randomUUID()
  await insertGarment(tenantId, 'a', { tag: jumper, attribute: '{"Description":"-20 % today","Price":"5.00"}' })
  const [row] = readRows(await exported(tenantId, 'google', filled))
  expect(row?.['description']).toBe('-20 % today')
  const stream = await streamExport(
    db,
    tenantId,
    { format: 'csv', defaults: filled },
    { publicUrl: undefined, nowMs: 1_000_000 },
  )
  expect(await new Response(stream).text()).toContain("'-20 % today")
})

it('British and Irish buyers read of colours, Americans of colors, and shoes have sizes of their own', async () => {
  const tenantId = crypto.randomUUID()
  const attribute = '{"Size":"8","Price":"5.00","Currency":"GBP"}'
  await insertGarment(tenantId, 'a', {
    tag: { ...jumper, 'Item Type': 'Boots' },
    attribute: attribute.replace('8', 'UK 8'),
  })
  const row = async (name: ExportDefaults['ebay_site']) =>
    readRows(await exported(tenantId, 'ebay', { ...filled, ebay_site: name }, true))[0]
  expect(await row('eBay.ie')).toMatchObject({ 'C:Colour': 'Navy', 'C:UK Shoe Size': '8', 'C:Size': '' })
  expect(await row('eBay.com')).toMatchObject({ 'C:Color': 'Navy', 'C:US Shoe Size': 'UK 8', 'C:Size': '' })
})
