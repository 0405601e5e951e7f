import { describe, expect, it } from 'vitest'
import { streamExport } from '../../src/exports/stream-export.ts'
import { parseExportDefaults } from '../../src/exports/shops/export-defaults.ts'
import { fileOf } from '../support/stored-garment/stored-pictures.ts'
import type { Picture } from '../../src/garments/pictures/garment-picture.ts'
import { decodePicture } from '../../src/vision/image/decode-picture.ts'
import { encodeJpeg } from '../../src/vision/image/encode-jpeg.ts'
import { withOrientation } from '../fixtures/pictures/with-orientation.ts'
import { readRows } from '../exports/read-rows.ts'
import { insertGarment } from './review/complete-garment.ts'
import { bindings, databaseOf, newTenant, raw } from '../service.ts'
import { sessionOf } from '../dashboard/session-of.ts'
import { expectPublicPicture } from './public-picture.ts'

const jpeg = encodeJpeg({ width: 16, height: 8, data: new Uint8ClampedArray(16 * 8 * 4).fill(120) })

/** A complete garment whose picture was uploaded from a device. */
async function uploaded(picture: Partial<Picture> = {}) {
  const { tenantId, merchant } = await newTenant()
  const id = crypto.randomUUID()
  await bindings.PICTURES.put(`uploaded/${tenantId}/${id}`, withOrientation(jpeg, 1), {
    httpMetadata: { contentType: 'image/jpeg' },
  })
  // Today, because another file's sweep removes what has expired.
  const createdAt = Date.now() - 3600_000
  await insertGarment(tenantId, 'g', {
    pictures: [{ ...picture, file: fileOf(id, 'a b.jpg') }],
    createdAt,
    endedAt: createdAt + 1000,
  })
  return { tenantId, merchant, path: `/garment-tagging/original/${tenantId}/${id}` }
}

describe('the original of an uploaded picture', () => {
  it('is public, cached for long, can run nothing, and is without its metadata', async () => {
    const { path } = await uploaded()
    expect(await expectPublicPicture(path)).toEqual(jpeg)
  })

  it.each(['none', '..%2Fp', '%00'])('is not found by the name %s', async (name) => {
    const { path } = await uploaded()
    const response = await raw('GET', path.replace(/[^/]+$/, name))
    expect([response.status, await response.json()]).toMatchObject([404, { status: false }])
  })

  it("is not found once its tenant is deleted, nor under another tenant's id", async () => {
    const { path, tenantId } = await uploaded()
    const other = await uploaded()
    expect((await raw('GET', path.replace(tenantId, other.tenantId))).status).toBe(404)
    await databaseOf(tenantId).$client.prepare('DELETE FROM tenant_state WHERE tenant_id = ?').bind(tenantId).run()
    expect((await raw('GET', path)).status).toBe(404)
  })

  it('is upright in files for shops once its picture is rotated', async () => {
    const { tenantId, path } = await uploaded({ rotation: 90 })
    const options = { format: 'shopify', defaults: parseExportDefaults(null, 'EUR'), withIncomplete: true } as const
    const origin = 'https://tags.example'
    const stream = await streamExport(databaseOf(tenantId), tenantId, options, { publicUrl: origin, nowMs: Date.now() })
    const [row] = readRows(await new Response(stream).text())
    const upright = `${path.replace('/original/', '/upright/')}.jpg`
    expect(row).toMatchObject({ 'Product image URL': `${origin}${upright}?rotated=90` })
    const sizeOf = async (query: string) => (await decodePicture(await expectPublicPicture(upright + query), 320)).size
    expect([await sizeOf('?rotated=90'), await sizeOf('?rotated=180&size=thumbnail')]).toEqual([
      [8, 16],
      [16, 8],
    ])
    expect((await raw('GET', `${upright}?rotated=45`)).status).toBe(400)
    await bindings.PICTURES.put(`uploaded/${path.split('/').slice(-2).join('/')}`, jpeg.subarray(0, 20))
    expect((await raw('GET', `${upright}?rotated=270`)).status).toBe(404)
  })

  it("is on the garment's page beside the annotated picture, and in exports", async () => {
    const { path, merchant, tenantId } = await uploaded()
    const page = await (await raw('GET', '/dashboard/garment?uuid=g', await sessionOf(merchant.id))).text()
    expect(page).toContain(`<a href="${path}">Original photograph</a>`)
    const row = async (format: 'shopify' | 'csv') => {
      const options = { format, defaults: parseExportDefaults(null, 'EUR'), withIncomplete: true }
      const stream = await streamExport(databaseOf(tenantId), tenantId, options, {
        publicUrl: 'https://tags.example',
        nowMs: Date.now(),
      })
      return readRows(await new Response(stream).text())[0]
    }
    // Some shops' importers accept only URLs with a file extension.
    expect(await row('shopify')).toMatchObject({ 'Product image URL': `https://tags.example${path}.jpg` })
    expect(await expectPublicPicture(`${path}.jpg`)).toEqual(jpeg)
    expect(await row('csv')).toMatchObject({
      original_img: `https://tags.example${path}`,
      image_url: 'a b.jpg',
    })
  })

  it("is not shown of a client's address, which stays theirs", async () => {
    const { tenantId, merchant } = await newTenant()
    await insertGarment(tenantId, 'g', { createdAt: Date.now() })
    const page = await (await raw('GET', '/dashboard/garment?uuid=g', await sessionOf(merchant.id))).text()
    expect(page).not.toContain('Original photograph')
    expect(page).not.toContain('<img src="https://a.example')
  })
})
