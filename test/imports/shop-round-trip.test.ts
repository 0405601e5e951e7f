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
