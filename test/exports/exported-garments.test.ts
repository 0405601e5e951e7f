import { describe, expect, it } from 'vitest'
import { parseExportDefaults } from '../../src/exports/shops/export-defaults.ts'
import type { ShopFormat } from '../../src/exports/shops/shop-formats.ts'
import { streamExport, type StreamedExport } from '../../src/exports/stream-export.ts'
import { checkExport } from '../../src/exports/check-export.ts'
import { correctGarment } from '../../src/garments/corrections/correct-garment.ts'
import { deps, insertGarment, machineTag } from '../garments/review/complete-garment.ts'
import { call, databaseOf, newTenant, raw } from '../service.ts'
import { readRows } from './read-rows.ts'

const tag = { ...machineTag, 'Colour Confidence': 'High', 'Item Type': 'Jumper', Gender: "Women's", Brand: 'COS' }
const attribute = JSON.stringify({ Price: '9.50', Size: 'M', Condition: 'good' })
const defaults = { ...parseExportDefaults(null, 'USD'), link: 'https://s.example/{handle}' }

async function newShop() {
  const { tenantId, auth } = await newTenant()
  const db = databaseOf(tenantId)
  await insertGarment(tenantId, 'a', { tag, attribute, createdAt: 1, endedAt: 2 })
  await insertGarment(tenantId, 'b', { tag, attribute, createdAt: 2, endedAt: 3 })
  const by = { kind: 'member', id: 's', name: 'Ann' } as const
  async function file(format: ShopFormat | 'csv', nowMs = 1_000_000, more: Partial<StreamedExport> = {}) {
    const marked: string[] = []
    const onWritten = async (uuids: readonly string[]) => void marked.push(...uuids)
    const stream = await streamExport(
      db,
      tenantId,
      { format, defaults, ...more },
      { publicUrl: undefined, nowMs, onWritten },
    )
    return { rows: readRows(await new Response(stream).text()), marked }
  }
  const change = async (uuid: string, values: Readonly<Record<string, string>>) =>
    await correctGarment(
      { ...deps, db },
      tenantId,
      { uuid, patch: { tag: {}, measurements: {}, attribute: values }, by },
      2_000_000,
    )
  const api = async (query: string) => await raw('GET', `/garment-tagging/export?${query}`, auth)
  const report = async (format: ShopFormat) =>
    (await call('GET', `/garment-tagging/export?format=${format}&report=1`, auth)).body.data
  return { tenantId, db, file, change, api, report }
}

describe('a garment that is sold or withdrawn', () => {
  it.each([
    ['shopify', { 'Inventory quantity': '0', 'Inventory tracker': 'shopify' }],
    ['woocommerce', { Stock: '0', 'In stock?': '0' }],
    ['google', { availability: 'out_of_stock' }],
  ] as const)('is in later files for %s as out of stock, if an earlier file contained it', async (format, cells) => {
    const shop = await newShop()
    await shop.change('b', { Stage: 'sold' })
    expect((await shop.file(format)).rows).toHaveLength(1)
    await shop.change('a', { Stage: 'withdrawn' })
    const { rows, marked } = await shop.file(format, 3_000_000)
    expect(rows).toHaveLength(1)
    expect(rows).toMatchObject([cells])
    expect(marked).toEqual([])
    await shop.change('a', { Stage: 'listed' })
    expect((await shop.file(format, 4_000_000)).rows).not.toMatchObject([cells])
  })

  it.each(['ebay', 'vinted'] as const)('is listed as to be ended, and in no file, for %s', async (format) => {
    const shop = await newShop()
    expect(await (await shop.api(`format=${format}&limit=1`)).text()).toContain('COS')
    await shop.change('a', { Stage: 'sold' })
    await shop.change('b', { Stage: 'sold' })
    expect((await shop.file(format)).rows).toEqual([])
    expect((await shop.report(format)).to_end).toEqual(['a'])
    const { toEnd, checked } = await checkExport(shop.db, shop.tenantId, { format, defaults })
    expect([toEnd.map(({ uuid, title }) => [uuid, title.slice(0, 3)]), checked]).toEqual([[['a', 'COS']], 0])
  })

  it('is in the next file of what is new, once', async () => {
    const shop = await newShop()
    await shop.file('shopify')
    const since = { exportedAt: 1_000_000, recent: [], leftOut: [] }
    expect((await shop.file('shopify', 1_500_000, { since })).rows).toEqual([])
    await shop.change('a', { Stage: 'sold' })
    expect((await shop.file('shopify', 2_500_000, { since })).rows).toMatchObject([{ 'Inventory quantity': '0' }])
    expect((await shop.file('shopify', 3_000_000, { since })).rows).toEqual([])
  })

  it('stays in our own CSV, which does not mark it as listed', async () => {
    const shop = await newShop()
    await shop.change('a', { Stage: 'sold' })
    const { rows, marked } = await shop.file('csv')
    expect([rows.map(({ uuid }) => uuid), marked]).toEqual([['a', 'b'], ['b']])
  })

  it('is not recorded by a report', async () => {
    const shop = await newShop()
    await shop.report('shopify')
    await shop.change('a', { Stage: 'sold' })
    expect((await shop.file('shopify')).rows).toHaveLength(1)
  })
})

it("a garment's handle for Shopify has its title and number, and stays when the title changes", async () => {
  const shop = await newShop()
  const handles = async () => (await shop.file('shopify')).rows.map((row) => [row['URL handle'], row['SKU']])
  const first = await handles()
  for (const [handle, sku = ''] of first) expect(handle).toMatch(new RegExp(`^cos-.*-${sku.replace('G-', '')}$`))
  await shop.change('a', { Title: 'Something else', Price: '8.00' })
  expect(await handles()).toEqual(first)
  const exported = JSON.parse(await (await shop.api('format=json')).text()).data.garments
  expect(exported[0].exported.shopify).toEqual({ at: '1970-01-01T00:16:40.000Z', handle: first[0]?.[0], ended: false })
})
