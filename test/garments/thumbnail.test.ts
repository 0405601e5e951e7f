import { annotatedCopyName, copyKey, thumbnailPath } from '../../src/garments/pictures/stored-copy.ts'
import { describe, expect, it } from 'vitest'
import { findThumbnail } from '../../src/garments/pictures/draw-pictures.ts'
import { formatCopy } from '../../src/vision/annotate/clean-copy.ts'
import { decodePicture } from '../../src/vision/image/decode-picture.ts'
import { encodeJpeg } from '../../src/vision/image/encode-jpeg.ts'
import { sessionOf } from '../dashboard/session-of.ts'
import { insertGarment } from './review/complete-garment.ts'
import { bindings, databaseOf, newTenant, raw } from '../service.ts'
import { drawing } from '../support/picture-copy.ts'
import { replaceMethods } from '../support/wrap-database.ts'
import { expectPublicPicture } from './public-picture.ts'

const { PICTURES: pictures } = bindings

/** Upper half red, lower half blue. */
function twoColours(width: number, height: number): Uint8Array {
  const data = new Uint8ClampedArray(width * height * 4).fill(255)
  for (let i = 0; i < width * height; i++) {
    const isUpper = i < (width * height) / 2
    data.set([isUpper ? 220 : 20, 20, isUpper ? 20 : 220], i * 4)
  }
  return formatCopy(encodeJpeg({ width, height, data }), { uuid: 'g', file: '', drawing })
}

async function tagged() {
  const { tenantId, merchant } = await newTenant()
  const pictureId = crypto.randomUUID()
  const key = copyKey(tenantId, pictureId)
  await pictures.put(key, twoColours(960, 1280), { httpMetadata: { contentType: 'image/jpeg' } })
  await insertGarment(tenantId, 'g', { pictures: [{ copyId: pictureId }] })
  return { tenantId, merchant, pictureId, key, path: thumbnailPath(tenantId, { copyId: pictureId, cutoutOff: false }) }
}

describe('the small copy of a picture', () => {
  it('is of 320 pixels, public, cached for long, and can run nothing', async () => {
    const { path } = await tagged()
    const bytes = await expectPublicPicture(path)
    const { picture } = await decodePicture(bytes, 1000)
    expect([picture.width, picture.height, bytes.length < 16_000]).toEqual([240, 320, true])
    const [upper, lower] = [picture.data.slice(0, 3), picture.data.slice(-4, -1)]
    expect(upper[0] ?? 0).toBeGreaterThan(200)
    expect(lower[2] ?? 0).toBeGreaterThan(200)
  })

  it('is drawn from the copy, which is read once, and stored nowhere', async () => {
    const { tenantId, pictureId, key } = await tagged()
    const calls: string[] = []
    const counted = (method: 'get' | 'head' | 'put') => ({
      [method]: async (...args: never[]) => {
        calls.push(method)
        return await (Reflect.apply(pictures[method], pictures, args) as Promise<unknown>)
      },
    })
    const counting = replaceMethods(pictures, { ...counted('get'), ...counted('head'), ...counted('put') })
    const env = { ...bindings, PICTURES: counting }
    for (let views = 1; views <= 2; views++) {
      expect(
        await findThumbnail(env, { tenantId, pictureId: annotatedCopyName(pictureId), isCutoutOff: false }, undefined),
      ).toMatchObject({
        drawn: expect.any(Uint8Array),
      })
      expect(calls).toEqual(Array.from({ length: views }, () => 'get'))
    }
    // Nor drawn for whoever has it.
    const { etag } = (await pictures.head(key)) ?? {}
    expect(
      await findThumbnail(env, { tenantId, pictureId: annotatedCopyName(pictureId), isCutoutOff: false }, etag),
    ).toMatchObject({ etag })
  })

  it('is in the list of garments', async () => {
    const { path, merchant } = await tagged()
    const page = await (await raw('GET', '/dashboard/garments', await sessionOf(merchant.id))).text()
    expect(page).toContain(`src="${path}"`)
  })

  it('is not found without a picture, of a deleted tenant, or of what is no picture', async () => {
    const { tenantId, key, path } = await tagged()
    expect((await raw('GET', path.replace(tenantId, crypto.randomUUID()))).status).toBe(404)
    expect((await raw('GET', thumbnailPath(tenantId, { copyId: 'none', cutoutOff: false }))).status).toBe(404)
    await pictures.put(key, 'no picture')
    expect((await raw('GET', path)).status).toBe(404)
    await databaseOf(tenantId).$client.prepare('DELETE FROM tenant_state WHERE tenant_id = ?').bind(tenantId).run()
    expect((await raw('GET', path)).status).toBe(404)
  })
})
