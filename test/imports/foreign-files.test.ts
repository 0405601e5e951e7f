import { describe, expect, it } from 'vitest'
import { choosable, readColumns } from '../../src/imports/import-columns.ts'
import { openRows, readLines } from '../../src/imports/read-import-lines.ts'
import { problemText } from '../../src/imports/import-line-problem.ts'
import { settings } from './tenant-imports.ts'

/** The lines of a file, with the problems of refused ones. */
function linesOf(text: string, chosen?: Readonly<Record<string, string>>) {
  const { rows, read } = openRows(text, chosen)
  const policy = { settings, ownOrigin: 'https://s.example' }
  return [...readLines(rows, { policy, read, found: new Map() })].map(
    ({ line, uuid, attribute, problem, ...pictures }) => ({
      line,
      uuid,
      attribute: JSON.parse(attribute) as Record<string, string>,
      problem: problemText(problem),
      pictures: JSON.stringify(pictures).match(/https:[^"\\]+/g) ?? [],
    }),
  )
}

const targets = (...names: string[]) =>
  Object.fromEntries(readColumns(names).columns.map(({ name, target }) => [name, target]))

describe('a file of another shop', () => {
  it('has a row for each picture of a product for Shopify, which is one garment', () => {
    const file = `Handle,Title,Body (HTML),Vendor,Option1 Name,Option1 Value,Variant SKU,Variant Price,Image Src,Image Position
blue-tee,Blue tee,"<p>Soft &amp; warm</p><ul><li>Wool</li></ul>",Ann,Size,M,S-1,12.50,https://a.example/a.jpg?1,1
blue-tee,,,,,,,,https://a.example/a.jpg?2,2
blue-tee,,,,,,,,https://a.example/a.jpg?3,3
red-tee,Red tee,,Ann,Size,L,S-2,9.00,https://a.example/b.jpg,1
`
    const [blue, red, ...others] = linesOf(file)
    expect(others).toEqual([])
    expect(blue).toMatchObject({ uuid: 'blue-tee', problem: '', attribute: { Size: 'M', SKU: 'S-1', Price: '12.50' } })
    expect(blue?.attribute['Description']).toBe('Soft & warm\nWool')
    expect(new Set(blue?.pictures)).toEqual(new Set([1, 2, 3].map((n) => `https://a.example/a.jpg?${n}`)))
    expect(red).toMatchObject({ line: 5, uuid: 'red-tee', problem: '' })
  })

  it('takes the article number of a German or Italian WooCommerce as the id, and all pictures of a cell', () => {
    const german = `ID,Typ,Artikelnummer,Name,"Regulärer Preis",Bilder
12,simple,W-2,Hemd,"12,50","https://a.example/a.jpg?1, https://a.example/a.jpg?2"
`
    expect(linesOf(german)).toMatchObject([{ uuid: 'W-2', problem: '', attribute: { Title: 'Hemd', Price: '12.50' } }])
    expect(new Set(linesOf(german)[0]?.pictures).size).toBe(2)
    expect(targets('ID', 'COD', 'Nome', 'Prezzo di listino')).toMatchObject({
      COD: 'uuid',
      'Prezzo di listino': 'Price',
    })
  })

  it.each([
    ['PrestaShop', ['ID', 'Name', 'Reference', 'Price (tax excl.)', 'Quantity', 'EAN13', 'Image URLs (x,y,z...)']],
    ['Magento', ['sku', 'attribute_set_code', 'name', 'price', 'qty', 'base_image', 'additional_images']],
    ['Vendoo', ['Images', 'SKU', 'Title', 'Description', 'Brand', 'Condition', 'Cost of Goods', 'Listing Price']],
  ])('of %s has known columns', (_, names) => {
    const { source, columns, hasImages } = readColumns(names)
    expect([source, hasImages]).toEqual(['shop', true])
    const found = columns.map(({ target }) => target)
    expect(found).toEqual(expect.arrayContaining(['uuid', 'image_url', 'Title', 'Price']))
  })
})

describe('the columns of a file', () => {
  it('may have two names of one meaning, of which the usual one counts', () => {
    const lines = linesOf('uuid,image_url,Name,Title\n1,https://a.example/a.jpg,B,A\n')
    expect(lines).toMatchObject([{ problem: '', attribute: { Title: 'A' } }])
    expect(targets('uuid', 'Name', 'Title')).toMatchObject({ Name: null, Title: 'Title' })
  })

  it('without a name are left out', () => {
    expect(linesOf('uuid,image_url,,Brand,\n1,https://a.example/a.jpg,x,Ann,y\n')).toMatchObject([
      { problem: '', attribute: { Brand: 'Ann' } },
    ])
  })

  it('have further pictures by their numbers, whatever they are called', () => {
    expect(targets('uuid', 'Image 1', 'Image 2', 'image_url_3', 'Foto 4', 'picture-5', 'Image 9')).toEqual({
      uuid: 'uuid',
      'Image 1': 'image_url',
      'Image 2': 'image_url_2',
      image_url_3: 'image_url_3',
      'Foto 4': 'image_url_4',
      'picture-5': 'image_url_5',
      'Image 9': 'Image 9',
    })
  })

  it('can be chosen to be any field', () => {
    const chosen = { 'Primary Color': 'tag.Colour', Breast: 'measurements.Chest (cm)', Photo: 'image_url' }
    const { columns } = readColumns(['uuid', 'Primary Color', 'Breast', 'Photo'], chosen)
    expect(columns.map(({ target }) => target)).toEqual(['uuid', ...Object.values(chosen)])
    const vendoo = readColumns(['SKU', 'Title', 'Primary Color', 'Cost of Goods'], {
      'Primary Color': 'tag.Colour',
      SKU: '',
    })
    expect(vendoo.columns.map(({ target }) => target)).toEqual([null, 'Title', 'tag.Colour', null])
  })

  it.each(choosable)('can be chosen to be %s, whatever the file', (target) => {
    const chosen = { 'Wert 7': target }
    for (const names of [
      ['uuid', 'Wert 7'],
      ['SKU', 'Title', 'Cost of Goods', 'Wert 7'],
      ['Artikelnummer', 'Regulärer Preis', 'Wert 7'],
    ])
      expect(readColumns(names, chosen).columns.at(-1)?.target).toBe(target)
  })
})

it('a barcode or article number that a spreadsheet has rounded is refused with its name', () => {
  const [gtin, sku] = linesOf(
    'uuid,image_url,GTIN,SKU\n1,https://a.example/a.jpg,4.01E+12,\n2,https://a.example/b.jpg,,"4,01E+12"\n',
  )
  expect(gtin?.problem).toMatch(/^Barcode: a spreadsheet has rounded this number/)
  expect(sku?.problem).toMatch(/^SKU: a spreadsheet has rounded this number/)
})

it('a cell of a tab-separated file may begin with a quote', () => {
  const file =
    'uuid\timage_url\tTitle\tBrand\n1\thttps://a.example/a.jpg\t"Vintage" coat\tAnn\n2\thttps://a.example/b.jpg\t"Open\tAnn\n3\thttps://a.example/c.jpg\t"a ""b"""\tAnn\n'
  expect(linesOf(file).map(({ attribute, problem }) => [attribute['Title'], attribute['Brand'], problem])).toEqual([
    ['"Vintage" coat', 'Ann', ''],
    ['"Open', 'Ann', ''],
    ['a "b"', 'Ann', ''],
  ])
})
