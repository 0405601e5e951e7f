import { describe, expect, it } from 'vitest'
import { parseExportDefaults } from '../../src/exports/shops/export-defaults.ts'
import { shopFormats } from '../../src/exports/shops/shop-formats.ts'
import { streamExport } from '../../src/exports/stream-export.ts'
import { insertGarment, machineTag } from '../garments/review/complete-garment.ts'
import { newImporter } from './tenant-imports.ts'

const tag = {
  ...machineTag,
  'Item Type': 'Jumper',
  'Item Type Alternatives': [],
  'Item Type Confidence': 'High',
  'Colour Confidence': 'High',
  Gender: "Women's",
  Brand: 'Größe & Co',
}

const [first, second] = ['https://a.example/a.jpg', 'https://a.example/b,1.jpg']

async function newShop() {
  const importer = await newImporter()
  const { tenantId, db } = importer
  const own = { Size: 'UK 12', Price: '9.50', Condition: 'good', Description: 'Warm, soft\nand "green"' }
  const attribute = (more: object) => JSON.stringify({ ...own, ...more })
  const pictures = [{ url: first }, { url: second }]
  await insertGarment(tenantId, 'IMG 7/ä', { tag, pictures, attribute: attribute({}), createdAt: 900 })
  await insertGarment(tenantId, 'b', { tag, pictures, attribute: attribute({ SKU: 'A-7' }), createdAt: 901 })
  return {
    ...importer,
    async export(format: (typeof shopFormats)[number], language: 'en' | 'de') {
      const defaults = { ...parseExportDefaults(null, 'GBP'), language, link: 'https://s.example/{sku}' }
      const stream = await streamExport(
        db,
        tenantId,
        { format, defaults, withIncomplete: true },
        { publicUrl: undefined, nowMs: 1000 },
      )
      return await new Response(stream).text()
    },
    async own(uuid: string) {
      const found = (await importer.garments()).find((each) => each.uuid === uuid)
      return JSON.parse(found?.attribute ?? '{}') as Record<string, string>
    },
    async prices() {
      return (await importer.garments()).map(({ uuid, attribute }) => [uuid, JSON.parse(attribute).Price])
    },
  }
}

describe.each(shopFormats)("a shop's own file for %s, edited and imported again,", (format) => {
  it.each(['en', 'de'] as const)('changes its garments and adds none, in %s', async (language) => {
    const shop = await newShop()
    const file = await shop.export(format, language)
    const edited = file.replaceAll('9.50', '12.00').replaceAll('Größe & Co', 'Größe & Co!')
    const id = await shop.store(edited, 2000)
    await shop.run(2000)
    const lines = (await shop.lines()).filter(({ importId }) => importId === id)
    expect(lines.map(({ uuid, status, problem }) => [uuid, status, problem])).toEqual([
      ['IMG 7/ä', 'complete', ''],
      ['b', 'complete', ''],
    ])
    expect(await shop.prices()).toEqual([
      ['IMG 7/ä', '12.00'],
      ['b', '12.00'],
    ])
  })

  it('keeps texts that were edited in the shop, and makes no generated text the own one', async () => {
    const shop = await newShop()
    const file = await shop.export(format, 'en')
    await shop.store(file.replaceAll('9.50', '12.00'), 2000)
    await shop.run(2000)
    const { Price, Title, 'Title en': titleEn, Description } = await shop.own('b')
    expect([Price, Title, titleEn, Description]).toEqual(['12.00', undefined, undefined, 'Warm, soft\nand "green"'])
    await shop.store(file.replaceAll('jumper', 'sweater').replaceAll('Warm', 'Very warm'), 3000, { overwrites: true })
    await shop.run(3000)
    expect(await shop.own('b')).toMatchObject({
      'Title en': expect.stringContaining('sweater'),
      'Description en': 'Very warm, soft\nand "green"',
    })
    expect(await shop.garments()).toHaveLength(2)
    expect(await shop.export(format, 'en')).toContain('sweater')
  })
})

it('a row whose SKU several garments have names these garments, and changes none', async () => {
  const shop = await newShop()
  await insertGarment(shop.tenantId, 'c', { tag, attribute: JSON.stringify({ SKU: 'A-7', Price: '1.00' }), number: 77 })
  await shop.store('SKU,Name,Images,Regular price\nA-7,x,https://b.example/1.jpg,5.00\nG-77,x,,6.00\n', 2000)
  await shop.run(2000)
  expect(await shop.lines()).toMatchObject([
    {
      status: 'refused',
      problem: expect.stringMatching(/^SKU: several garments have the SKU “A-7” \(G-.*G-77|G-77.*G-/),
    },
    { status: 'complete', uuid: 'c' },
  ])
  expect(await shop.garments()).toHaveLength(3)
})

it("another shop's file with article numbers 1 to 50 changes no garment", async () => {
  const shop = await newShop()
  const rows = Array.from({ length: 50 }, (_, i) => `${i + 1},x,https://b.example/${i}.jpg,1.00`)
  await shop.store(`SKU,Name,Images,Regular price\n${rows.join('\n')}\n`, 2000)
  await shop.run(2000)
  expect(await shop.prices()).toEqual(
    expect.arrayContaining([
      ['IMG 7/ä', '9.50'],
      ['b', '9.50'],
    ]),
  )
  expect(await shop.garments()).toHaveLength(52)
})
