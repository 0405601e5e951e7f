import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { exportDefaults, importLines, lastExports } from '../../../src/platform/db/schema.ts'
import { toFields } from '../../../src/dashboard/export-page.tsx'
import { insertGarment, machineTag } from '../../garments/review/complete-garment.ts'
import { readRows } from '../../exports/read-rows.ts'
import { databaseOf, newTenant, raw } from '../../service.ts'
import { purgeTenant } from '../../operations/purge-tenant.ts'
import { sessionOf } from '../session-of.ts'

const defaults = {
  language: 'de',
  currency: 'EUR',
  price: '9,50',
  condition: 'good',
  stock: '1',
  availability: 'in_stock',
  brand: '',
  size: 'M',
  gender: 'women',
  age_group: 'adult',
  link: 'https://shop.example/{uuid}',
  ebay_site: 'eBay.de',
  ebay_category: '',
  first_picture: '',
  cutout_ratio: '1:1',
}

async function newShop() {
  const { tenantId, merchant } = await newTenant()
  const session = { Origin: 'http://service.test', ...(await sessionOf(merchant.id)) }
  const get = async (path: string) => {
    const response = await raw('GET', path, session)
    return { status: response.status, text: await response.text() }
  }
  const post = async (path: string, fields: Record<string, string>) =>
    await raw('POST', path, session, new URLSearchParams(fields))
  const save = async (values: Record<string, string>) =>
    await post('/dashboard/export/defaults', { ...toFields(values) })
  /** The SKUs in a file for a shop, or the uuids in one of our own formats. */
  const idsOf = async (fields: Record<string, string>) => {
    const rows = readRows(await (await post('/dashboard/export/file', fields)).text())
    return rows.map((row) => row['id'] ?? row['uuid'] ?? row['SKU'] ?? row['Custom label (SKU)'])
  }
  return { tenantId, get, post, save, idsOf }
}

const jumper = { ...machineTag, 'Item Type': 'Jumper', 'Colour Confidence': 'High' }

describe('the page Export', () => {
  it('stores the defaults, shows them again, and uses them in the file', async () => {
    const { tenantId, get, post, idsOf, save } = await newShop()
    await insertGarment(tenantId, 'a', { number: 7, tag: jumper })
    expect(await idsOf({ format: 'google' })).toEqual([])
    const saved = await save(defaults)
    expect([saved.status, saved.headers.get('location')]).toEqual([
      303,
      '/dashboard/export?done=defaults-saved#defaults',
    ])
    const { text } = await get('/dashboard/export?done=defaults-saved')
    expect(text).toContain('The defaults were saved.')
    expect(text).toContain('value="https://shop.example/{uuid}"')
    const file = await post('/dashboard/export/file', { format: 'google' })
    expect(file.headers.get('content-disposition')).toMatch(/filename="garments-google-\d{4}-\d\d-\d\d\.csv"$/)
    expect(readRows(await file.text())).toMatchObject([
      {
        id: 'G-7',
        price: '9.50 EUR',
        title: 'Pullover für Damen in Marineblau, Jersey, normale Passform, Größe M',
        link: 'https://shop.example/a',
      },
    ])
    const spanish = await post('/dashboard/export/file', { format: 'google', language: 'es' })
    expect(readRows(await spanish.text())[0]?.['title']).toBe(
      'Jersey de mujer en azul marino, punto liso, corte regular, talla M',
    )
  })

  it('names the field of a default that cannot be, and stores nothing', async () => {
    const { tenantId, save } = await newShop()
    const refused = await save({
      ...defaults,
      link: 'https://shop.example/',
      price: 'soon',
    })
    const text = await refused.text()
    expect(refused.status).toBe(400)
    expect(text).toContain('Must be an address with {uuid}, {sku} or {handle}')
    expect(text).toContain('Must be an amount, such as 12.50 or 12,50 €.')
    expect(text).toContain('value="soon"')
    expect(
      (await databaseOf(tenantId).select().from(exportDefaults)).filter((row) => row.tenantId === tenantId),
    ).toEqual([])
  })

  it('checks what garments lack for a shop, with the filters of the list', async () => {
    const { tenantId, get } = await newShop()
    await insertGarment(tenantId, 'a', { tag: jumper })
    await insertGarment(tenantId, 'b', { tag: { ...jumper, 'Item Type': 'Skirt' } })
    const { text } = await get('/dashboard/export?item_type=Jumper&check=google')
    expect(text).toContain('Of 1 garment, the file omits 1, because Google Merchant would refuse it. 0 have everything')
    expect(text).toMatch(/<strong>link<\/strong> is missing: 1 garment/)
    expect(text).toContain('href="/dashboard/garment?uuid=a"')
    expect(text).not.toContain('href="/dashboard/garment?uuid=b"')
    expect(text).toContain('<details open="">')
  })

  it('asks once who wears the garments of an unknown wearer, and keeps the other defaults', async () => {
    const { tenantId, get, post, save } = await newShop()
    await insertGarment(tenantId, 'a', { tag: jumper })
    await save({ ...defaults, gender: '' })
    const { text } = await get('/dashboard/export?check=ebay')
    expect(text).toContain('Who wears the 1 garment whose wearer is unknown?')
    expect(text).toContain('Only signed-in sellers can read eBay')
    const [, form = ''] = /(<form[^>]*class="inline".*?<\/form>)/s.exec(text) ?? []
    const hidden = Array.from(
      form.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g),
      ([, name = '', value = '']) => [name, value],
    )
    await post('/dashboard/export/defaults', { ...Object.fromEntries(hidden), 'default.gender': 'women' })
    const after = await get('/dashboard/export?check=ebay')
    expect(after.text).not.toContain('wearer is unknown')
    expect(after.text).toContain('value="https://shop.example/{uuid}"')
  })

  it('exports what is new since the last whole export of the format, and what was left out then', async () => {
    const { tenantId, get, idsOf, save } = await newShop()
    await save({ ...defaults, price: '' })
    const soldAt = JSON.stringify({ Price: '5.00' })
    await insertGarment(tenantId, 'a', { number: 1, tag: jumper, attribute: soldAt, endedAt: Date.now() })
    await insertGarment(tenantId, 'b', { number: 2, tag: jumper })
    expect(await idsOf({ format: 'google', since: 'last' })).toEqual(['G-1'])
    expect(await idsOf({ format: 'google', since: 'last' })).toEqual([])
    // Each format remembers its own last export, and filtered exports do not count.
    expect(await idsOf({ format: 'shopify', since: 'last', search: 'a' })).toEqual(['G-1'])
    expect(await idsOf({ format: 'shopify', since: 'last' })).toEqual(['G-1', 'G-2'])
    const added = { attribute: soldAt, endedAt: Date.now(), createdAt: 2000 }
    await insertGarment(tenantId, 'c', { number: 3, tag: jumper, ...added })
    await save(defaults)
    expect(await idsOf({ format: 'google', since: 'last' })).toEqual(['G-2', 'G-3'])
    expect((await get('/dashboard/export')).text).toMatch(
      /Google Merchant<span class="hint"[^>]*>Last whole export: \d/,
    )
  })

  it('has what is in the file marked as listed, and nothing that was left out', async () => {
    const { tenantId, get, idsOf } = await newShop()
    await insertGarment(tenantId, 'a', { number: 1, tag: jumper })
    await insertGarment(tenantId, 'b', { number: 2, tag: jumper })
    const file = { format: 'shopify', incomplete: 'yes', search: 'b', mark: 'yes' }
    expect(await idsOf(file)).toEqual(['G-2'])
    await expect.poll(async () => (await get('/dashboard/imports')).text).toContain('Stage of 1 garment')
    const lines = await databaseOf(tenantId).select().from(importLines).where(eq(importLines.tenantId, tenantId))
    expect(lines).toMatchObject([
      { uuid: 'b', attribute: expect.stringMatching(/^{"Stage":"listed","exported_at":"[^"]+"}$/) },
    ])
  })

  it('is linked from the list of garments, whose filters it keeps', async () => {
    const { tenantId, get, idsOf } = await newShop()
    await insertGarment(tenantId, 'a1')
    await insertGarment(tenantId, 'b1')
    const list = await get('/dashboard/garments?search=a&status=complete')
    expect(list.text).toContain('href="/dashboard/export?search=a&amp;status=complete"')
    expect((await get('/dashboard/export?search=a&status=complete')).text).toContain('name="search"')
    expect(await idsOf({ format: 'csv', search: 'a', status: 'complete' })).toEqual(['a1'])
  })

  it.each(['xml', '', '__proto__'])('refuses the format “%s”', async (format) => {
    const { post } = await newShop()
    expect((await post('/dashboard/export/file', { format })).status).toBe(400)
  })

  it("leaves nothing of a deleted tenant's choices", async () => {
    const { tenantId, idsOf, save } = await newShop()
    await save(defaults)
    await idsOf({ format: 'csv' })
    const rows = async () =>
      [
        ...(await databaseOf(tenantId).select({ tenantId: exportDefaults.tenantId }).from(exportDefaults)),
        ...(await databaseOf(tenantId).select({ tenantId: lastExports.tenantId }).from(lastExports)),
      ].filter((row) => row.tenantId === tenantId)
    expect(await rows()).toHaveLength(2)
    await purgeTenant(tenantId)
    expect(await rows()).toEqual([])
  })
})

describe("a garment's page", () => {
  it("shows the listing in the tenant's language, or in another", async () => {
    const { tenantId, get, save } = await newShop()
    await insertGarment(tenantId, 'a', { tag: jumper, attribute: '{"size":"L","Brand":"<i>Ann"}' })
    await save(defaults)
    const german = (await get('/dashboard/garment?uuid=a')).text
    expect(german).toContain('&lt;i&gt;Ann Pullover für Damen in Marineblau, Jersey, normale Passform, Größe L')
    expect((await get('/dashboard/garment?uuid=a&language=it')).text).toContain(
      'Maglione da donna &lt;i&gt;Ann, colore blu navy',
    )
    expect((await get('/dashboard/garment?uuid=a&language=xx')).text).toContain(
      '&lt;i&gt;Ann women&#39;s jumper in navy',
    )
  })

  it('has no listing while it is not complete', async () => {
    const { tenantId, get } = await newShop()
    await insertGarment(tenantId, 'a', { status: 'failed', result: null })
    expect((await get('/dashboard/garment?uuid=a')).text).not.toContain('id="listing"')
  })
})
