import { fileOf } from '../support/stored-garment/stored-pictures.ts'
import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { parseExportDefaults } from '../../src/exports/shops/export-defaults.ts'
import { resultColumns } from '../../src/exports/export-columns.ts'
import { exportFormats, streamExport } from '../../src/exports/stream-export.ts'
import { correctGarment } from '../../src/garments/corrections/correct-garment.ts'
import { parseCorrections } from '../../src/garments/corrections/correction.ts'
import { overwriteByImport } from '../../src/imports/wake-importer.ts'
import { readColumns } from '../../src/imports/import-columns.ts'
import type { LinesFile } from '../../src/imports/store-import-lines.ts'
import { auditEntries, garments } from '../../src/platform/db/schema.ts'
import { deps, insertGarment, machineTag } from '../garments/review/complete-garment.ts'
import { readRows } from '../exports/read-rows.ts'
import { writeRow } from '../../src/platform/csv/write-csv.ts'
import { newImporter } from './tenant-imports.ts'

const by = { kind: 'member', id: 's', name: 'Ann' } as const

/** A shop with two garments, whose clock is given. */
async function newShop() {
  const importer = await newImporter()
  const { tenantId, db } = importer
  await insertGarment(tenantId, 'a', {
    attribute: '{"Brand":"Ann","Price":"5.00","Regal":"A 7","size":"M"}',
    tag: { ...machineTag, Brand: 'Ann' },
  })
  await insertGarment(tenantId, 'b', { pictures: [{ file: fileOf('i'.repeat(36), 'b.jpg') }] })
  await insertGarment(tenantId, 'failed', { status: 'failed', result: null })
  return {
    ...importer,
    async export(nowMs: number, format: (typeof exportFormats)[number] = 'csv') {
      const defaults = parseExportDefaults(null, 'EUR')
      const file = { format, defaults, withIncomplete: true }
      return await new Response(await streamExport(db, tenantId, file, { publicUrl: undefined, nowMs })).text()
    },
    /** The ends of its lines, and why. */
    async import(text: string, nowMs: number, more?: Partial<LinesFile>) {
      const id = await importer.store(text, nowMs, more)
      await importer.run(nowMs)
      const lines = (await importer.lines()).filter(({ importId }) => importId === id)
      return Object.fromEntries(lines.map(({ uuid, status, problem }) => [uuid, problem ? [status, problem] : status]))
    },
    change: async (uuid: string, patch: object, nowMs: number) =>
      await correctGarment(
        { ...deps, db },
        tenantId,
        { uuid, patch: { tag: {}, measurements: {}, ...patch }, by },
        nowMs,
      ),
    log: async () => await db.select().from(auditEntries).where(eq(auditEntries.holderId, tenantId)),
    async garment(uuid: string) {
      const [row] = await db
        .select()
        .from(garments)
        .where(and(eq(garments.tenantId, tenantId), eq(garments.uuid, uuid)))
      const { tag, measurements } = parseCorrections(row?.corrections ?? null)
      const values = Object.entries({ ...tag, ...measurements }).map(([name, { value }]) => [name, value])
      return {
        attribute: JSON.parse(row?.attribute ?? '{}') as object,
        corrected: Object.fromEntries(values) as object,
      }
    },
  }
}

/** The file with other cells in the row of a garment, in the order of columns of a spreadsheet's owner. */
function withCells(csv: string, uuid: string, cells: Readonly<Record<string, string>>): string {
  const rows = readRows(csv).map((row) => (row['uuid'] === uuid ? { ...row, ...cells } : row))
  const names = Object.keys(rows[0] ?? {}).toReversed()
  return [names, ...rows.map((row) => names.map((name) => row[name] ?? ''))].map((row) => writeRow(row)).join('')
}

describe('our own export, imported again', () => {
  it('changes nothing where no cell was changed', async () => {
    const shop = await newShop()
    const before = await shop.garments()
    expect(await shop.import(await shop.export(3000), 4000)).toEqual({
      a: 'unchanged',
      b: 'unchanged',
      failed: 'unchanged',
    })
    expect(await shop.garments()).toEqual(before)
    expect(await shop.log()).toEqual([])
    const ofA = withCells(await shop.export(5000), 'a', { 'attribute.Price': '6.00' })
    await shop.import(ofA, 6000)
    expect(await shop.log()).toMatchObject([{ action: 'garments.changed', at: 6000, count: 1 }])
  })

  it('has all pictures of a garment that is not there any more, and changes none of one that is', async () => {
    const shop = await newShop()
    const images = ['https://a.example/1.jpg', 'https://a.example/2.jpg', 'https://a.example/3.jpg']
    const pictures = images.map((url, place) => ({ url, kind: place === 2 ? ('label' as const) : null }))
    await insertGarment(shop.tenantId, 'several', { pictures })
    const csv = await shop.export(3000)
    expect(await shop.import(csv, 4000)).toMatchObject({ several: 'unchanged' })
    await shop.db.delete(garments).where(and(eq(garments.tenantId, shop.tenantId), eq(garments.uuid, 'several')))
    await shop.import(csv, 5000)
    const stored = (await shop.garments()).find(({ uuid }) => uuid === 'several')
    if (stored === undefined) throw new Error('It was not imported')
    expect(stored.pictureList.map(({ url }) => url)).toEqual(images)
  })

  it('changes what was changed: own values, tags and measurements, as a spreadsheet writes them', async () => {
    const shop = await newShop()
    const cells = {
      'attribute.Price': '7,5',
      'attribute.Stock': '2',
      Colour: 'Black',
      'Chest (cm)': '51,5',
      'Machine Pattern': 'Striped',
      attribute: '{"Price":"1.00","Regal":"B 2","size":"M"}',
    }
    expect(await shop.import(withCells(await shop.export(3000), 'a', cells), 4000)).toEqual({
      a: 'complete',
      b: 'unchanged',
      failed: 'unchanged',
    })
    expect(await shop.garment('a')).toEqual({
      attribute: { Brand: 'Ann', Price: '7.50', Regal: 'B 2', Stock: '2', size: 'M' },
      corrected: { Colour: 'Black', 'Chest (cm)': 51.5 },
    })
  })

  it('names what is computed, and knows every other column', () => {
    const { columns, source } = readColumns(resultColumns(0).map(([name]) => name))
    expect(source).toBe('ours')
    const ignored = columns.filter(({ target }) => target === null).map(({ name }) => name)
    expect(ignored).toEqual(expect.arrayContaining(['status', 'tagger', 'Machine Colour', 'Colour Confidence']))
    expect(columns.filter(({ isUnknown }) => isUnknown)).toEqual([])
    const targets = columns.flatMap(({ target }) => target ?? [])
    expect(targets).toEqual(expect.arrayContaining(['uuid', 'Price', 'tag.Colour', 'measurements.Chest (cm)']))
  })

  it('asks where a garment was changed since, until a person says that the row counts', async () => {
    const shop = await newShop()
    const csv = await shop.export(3000)
    await shop.change('a', { attribute: { Price: '9.00' }, tag: { Colour: 'Red' } }, 3500)
    // As it was before the change, a cell is none of the file's.
    expect(await shop.import(csv, 4000)).toMatchObject({ a: 'unchanged' })
    const changed = withCells(csv, 'a', { 'attribute.Price': '4', 'attribute.Shelf': 'C', Colour: 'Green' })
    expect(await shop.import(changed, 5000)).toMatchObject({
      a: ['asking', 'Price: Ann has changed it to 9.00 since; Colour: Ann has changed it to Red since'],
    })
    expect((await shop.garment('a')).attribute).toMatchObject({ Price: '9.00' })
    const asking = (await shop.imports()).find((row) => row.asking === 1)
    await overwriteByImport(shop, shop.tenantId, asking?.id ?? '', 6000)
    await shop.run(6000)
    expect(await shop.garment('a')).toMatchObject({
      attribute: { Price: '4.00', Shelf: 'C' },
      corrected: { Colour: 'Green' },
    })
    expect((await shop.imports()).map((row) => [row.asking, row.endedAt !== null])).toEqual([
      [0, true],
      [0, true],
    ])
  })

  it('adds the garments that are not there, without our predictions of them', async () => {
    const csv = await (await newShop()).export(3000)
    const other = await newImporter()
    await other.store(csv)
    await other.run()
    expect(other.uploaded).toEqual(['a', 'b', 'failed'])
    expect((await other.garments())[0]?.attribute).toBe('{"Brand":"Ann","Price":"5.00","Regal":"A 7","Size":"M"}')
    // An uploaded file, from its public address.
    expect((await other.garments())[1]?.pictureList[0]?.url).toMatch(/\/garment-tagging\/original\/[^/]+\/i{36}$/)
  })
})

it('a file of prices that is imported again asks where a price was changed since', async () => {
  const shop = await newShop()
  const csv = 'uuid;Preis;Größe\na;6,50 €;L\nb;3;\n'
  expect(await shop.import(csv, 3000)).toEqual({ a: 'complete', b: 'complete' })
  expect((await shop.garment('a')).attribute).toMatchObject({ Price: '6.50', Currency: 'EUR', size: 'L' })
  await shop.change('a', { attribute: { Price: '8.00' } }, 3500)
  expect(await shop.import(csv, 4000)).toEqual({
    a: ['asking', 'Price: Ann has changed it to 8.00 since'],
    b: 'unchanged',
  })
  expect(await shop.import(csv, 5000, { overwrites: true })).toEqual({ a: 'complete', b: 'unchanged' })
})

it('rows of one file change garments that are there and add the others, and another picture is refused', async () => {
  const shop = await newShop()
  const rows = ['a,https://a.example/x.jpg,5', 'b,https://a.example/other.jpg,5', 'new,http://127.0.0.1:9/n.jpg,5']
  const ends = await shop.import(`id,picture,price\n${rows.join('\n')}\n`, 3000)
  expect(ends).toEqual({ a: 'unchanged', b: ['refused', expect.stringMatching(/^uuid: /)], new: 'tagging' })
  await shop.import(`id,picture,shelf\na,https://a.example/x.jpg,C 1\n`, 3000)
  expect((await shop.garment('a')).attribute).toMatchObject({ Shelf: 'C 1' })
})

it.each(['shopify', 'google', 'ebay'] as const)(
  "the file for %s changes a garment's price and leaves its title to us",
  async (format) => {
    const shop = await newShop()
    const csv = await shop.export(3000, format)
    const changed = csv.replaceAll(/(?<=[,"])5\.00/g, '6.50')
    expect(changed).not.toBe(csv)
    expect(await shop.import(changed, 4000)).toMatchObject({ a: 'complete' })
    const { attribute } = await shop.garment('a')
    expect(attribute).toMatchObject({ Price: '6.50', Regal: 'A 7', size: 'M' })
    expect(Object.keys(attribute)).not.toContain('Title')
  },
)

describe('the columns of a file', () => {
  const targets = (...names: string[]) => readColumns(names).columns.map(({ target }) => target)

  it.each([
    [['uuid', 'Preis', 'Währung', 'Größe', 'Marke', 'Zustand', 'Bestand'], 'German'],
    [['UUID', 'Prix', 'Devise', 'Taille', 'Marque', 'État', 'Quantité'], 'French'],
    [['uuid', 'Precio', 'Moneda', 'Talla', 'Marca', 'Estado', 'Cantidad'], 'Spanish'],
    [['Uuid', 'Prezzo', 'Valuta', 'Taglia', 'Marca', 'Condizioni', 'Quantità'], 'Italian'],
  ])('are known in %j (%s)', (names) => {
    expect(targets(...names)).toEqual(['uuid', 'Price', 'Currency', 'Size', 'Brand', 'Condition', 'Stock'])
  })

  it.each([
    ['Shopify', ['Handle', 'Title', 'Body (HTML)', 'Vendor', 'Variant SKU', 'Variant Price', 'Image Src', 'Status']],
    ['eBay', ['*Action(SiteID=US|Country=US)', 'Custom label (SKU)', 'Title', 'Start price', 'C:Brand', 'PicURL']],
    ['Google', ['id', 'title', 'description', 'image_link', 'price', 'google_product_category', 'gtin']],
    ['WooCommerce', ['ID', 'SKU', 'Name', 'Short description', 'Regular price', 'Images', 'Brands', 'Stock']],
  ])('are known as %s names them, and its others are its own affair', (_, names) => {
    const { columns, source } = readColumns(names)
    expect(source).toBe('shop')
    const found = columns.flatMap(({ target }) => target ?? [])
    expect(found).toEqual(expect.arrayContaining(['uuid', 'Title', 'Price', 'image_url']))
    expect(columns.filter(({ isUnknown }) => isUnknown)).toEqual([])
  })

  it('are guessed where they are not known, and may be chosen', () => {
    const names = ['uuid', 'Preis (EUR)', 'Brandd', 'Fabric weight']
    const { columns } = readColumns(names)
    expect(columns.map(({ isUnknown, guess }) => isUnknown && (guess ?? null))).toEqual([
      undefined,
      'Price',
      'Brand',
      null,
    ])
    const chosen = { 'Preis (EUR)': 'Price', Brandd: '', 'Fabric weight': 'Fabric weight' }
    expect(readColumns(names, chosen).columns.map(({ target }) => target)).toEqual([
      'uuid',
      'Price',
      null,
      'Fabric weight',
    ])
  })
})
