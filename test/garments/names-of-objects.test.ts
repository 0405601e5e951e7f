import { describe, expect, it } from 'vitest'
import { toColumns } from '../../src/exports/own-files.ts'
import type { Product } from '../../src/exports/shops/product.ts'
import { sessionOf } from '../dashboard/session-of.ts'
import { call, newTenant, raw } from '../service.ts'
import { insertGarment } from './review/complete-garment.ts'

/** Names that every plain object inherits. */
const names = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__']

async function newShop() {
  const { tenantId, merchant, auth } = await newTenant()
  const session = { Origin: 'http://service.test', ...(await sessionOf(merchant.id)) }
  const page = async (path: string) => {
    const response = await raw('GET', path, session)
    return { status: response.status, text: await response.text() }
  }
  return { tenantId, auth, session, page }
}

describe.each(names)('the name %s', (name) => {
  const attribute = { [name]: name, Brand: name, Size: name, Title: name, Gender: name, Studio: name, Material: name }

  it('is an ordinary attribute and value on pages and in exports', async () => {
    const { tenantId, auth, page } = await newShop()
    await insertGarment(tenantId, name, { attribute: JSON.stringify(attribute) })
    const query = await call('GET', `/garment-tagging/query?uuid=${name}`, auth)
    expect(query.body.data).toMatchObject({ attribute, listing: { title: name, size: name }, size: null })
    for (const path of [
      `/dashboard/garment?uuid=${name}`,
      `/dashboard/garments?search=${name}`,
      `/dashboard/garments?size=${name}&gender=${name}`,
      `/dashboard/export?format=${name}&sort=${name}&status=${name}`,
    ])
      expect([path, (await page(path)).status]).toEqual([path, 200])
    expect((await page(`/dashboard/garments?search=${name}`)).text).toContain(`uuid=${name}&`)
    expect((await page(`/dashboard/garment?uuid=${name}`)).text).not.toContain('[native code]')
    for (const format of ['csv', 'json', 'shopify']) {
      const text = await (await raw('GET', `/garment-tagging/export?format=${format}`, auth)).text()
      expect(text).toContain(name)
      expect(text).not.toContain('[native code]')
    }
  })

  it('is refused as a tag, and changed as an attribute, with its history', async () => {
    const { tenantId, auth } = await newShop()
    await insertGarment(tenantId, 'g')
    const patch = async (body: object) => await call('PATCH', '/garment-tagging/garment?uuid=g', auth, body)
    const refused = await patch({
      tag: { [name]: 'x', Colour: name, 'Item Type': name },
      measurements: { [name]: 1 },
      lines: {
        [name]: [
          [0, 0],
          [9, 9],
        ],
      },
      label: { [name]: 'x' },
    })
    expect(refused.status).toBe(400)
    expect((await patch({ attribute: { [name]: 'a' } })).body.data).toMatchObject({ attribute: { [name]: 'a' } })
    expect((await patch({ attribute: { [name]: 'b' } })).body.data).toMatchObject({ attribute: { [name]: 'b' } })
    expect((await patch({ attribute: { [name]: null } })).body.data.attribute).toEqual({})
    const upload = { uuid: 'u', image_url: 'https://example.com/a.jpg', attribute: { [name]: 'a' } }
    expect((await call('POST', '/garment-tagging/upload', auth, upload)).status).toBe(200)
  })

  it('is a column of an import, of its report and of an own file', async () => {
    const { tenantId, auth, session, page } = await newShop()
    await insertGarment(tenantId, 'g', { attribute: '{"Brand":"Ann"}' })
    const csv = `uuid,image_url,${name},Brand\ng,,${name},Bob\nn,ftp://x,${name},${name}\n`
    const form = new FormData()
    form.append('csv', csv)
    form.append(`column.${name}`, name)
    const imported = await raw('POST', '/dashboard/imports', session, form)
    expect(imported.status).toBe(303)
    const path = imported.headers.get('location') ?? ''
    expect((await page(path)).status).toBe(200)
    const report = await page(`${path}/report.csv`)
    expect(report).toMatchObject({ status: 200, text: expect.stringContaining(name) })
    expect(report.text).not.toContain('[native code]')

    const textOf = toColumns([['Own', name]])[0]?.[1] ?? (() => 'no column')
    expect(textOf({ garment: { attribute: { [name]: 'a' } } } as Product)).toBe('a')
    expect(textOf({ garment: { attribute: {} } } as Product)).toBe('')
    expect((await call('GET', `/garment-tagging/garments?q=${name}&size=${name}`, auth)).status).toBe(200)
  })
})
