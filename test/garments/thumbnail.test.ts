import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { deleteGarment } from '../../src/garments/delete-garment.ts'
import { findThumbnail } from '../../src/garments/pictures/draw-pictures.ts'
import { removeUnusedPictures } from '../../src/garments/pictures/unused-pictures.ts'
import { unusedPictures } from '../../src/platform/db/schema.ts'
import { formatCopy } from '../../src/vision/annotate/clean-copy.ts'
import { decodePicture } from '../../src/vision/image/decode-picture.ts'
import { encodeJpeg } from '../../src/vision/image/encode-jpeg.ts'
import { sessionOf } from '../dashboard/session-of.ts'
import { insertGarment } from './review/complete-garment.ts'
import { bindings, databaseOf, newTenant, raw, someone } from '../service.ts'
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
  const key = `copies/${tenantId}/${pictureId}`
  await pictures.put(key, twoColours(960, 1280), { httpMetadata: { contentType: 'image/jpeg' } })
  await insertGarment(tenantId, 'g', { pictureId })
  return { tenantId, merchant, pictureId, key, path: `/garment-tagging/annotated/${tenantId}/${pictureId}/thumbnail` }
}

describe('the small copy of a picture', () => {
  it('is of 320 pixels, public, cached for long, and can run nothing', async () => {
    const { path, key } = await tagged()
    expect(await pictures.head(`${key}.small`)).toBe(null)
    const bytes = await expectPublicPicture(path)
    const { picture } = await decodePicture(bytes, 1000)
    expect([picture.width, picture.height, bytes.length < 16_000]).toEqual([240, 320, true])
    const [upper, lower] = [picture.data.slice(0, 3), picture.data.slice(-4, -1)]
    expect(upper[0] ?? 0).toBeGreaterThan(200)
    expect(lower[2] ?? 0).toBeGreaterThan(200)
  })

  it('is made once, and then read from storage', async () => {
    const { tenantId, pictureId } = await tagged()
    const calls: string[] = []
    const nameOf = (key: string) => key.replace(/^.*\//, '').replace(pictureId, 'p')
    const get = async (key: string) => {
      calls.push(`get ${nameOf(key)}`)
      return await pictures.get(key)
    }
    const put = async (key: string, value: Uint8Array) => {
      calls.push(`put ${nameOf(key)}`)
      return await pictures.put(key, value)
    }
    const env = { ...bindings, PICTURES: replaceMethods(pictures, { get, put }) }
    expect(await findThumbnail(env, tenantId, pictureId, undefined)).not.toBe(null)
    expect(calls).toEqual(['get p.small', 'get p', 'put p.small', 'get p.small'])
    expect(await findThumbnail(env, tenantId, pictureId, undefined)).not.toBe(null)
    expect(calls.slice(4)).toEqual(['get p.small'])
  })

  it('is in the list of garments', async () => {
    const { path, merchant } = await tagged()
    const page = await (await raw('GET', '/dashboard/garments', await sessionOf(merchant.id))).text()
    expect(page).toContain(`src="${path}"`)
  })

  it('is removed with its garment, and when its picture is replaced', async () => {
    const { tenantId, pictureId, key, path } = await tagged()
    await (await raw('GET', path)).arrayBuffer()
    expect(await pictures.head(`${key}.small`)).not.toBe(null)
    const db = databaseOf(tenantId)
    const { TAGGING_QUEUE: taggingQueue, WEBHOOK_QUEUE: webhookQueue } = bindings
    await deleteGarment({ db, pictures, taggingQueue, webhookQueue }, tenantId, 'g', Date.now(), someone)
    expect(await pictures.head(`${key}.small`)).toBe(null)

    await pictures.put(`${key}.small`, 'x')
    // Before all others, which are of other tests.
    await db
      .update(unusedPictures)
      .set({ removeAt: -2 })
      .where(and(eq(unusedPictures.tenantId, tenantId), eq(unusedPictures.pictureId, pictureId)))
    await removeUnusedPictures({ db, pictures }, -1, 1000)
    expect(await pictures.head(`${key}.small`)).toBe(null)
  })

  it('is not left behind where the picture is removed while it is made', async () => {
    const { tenantId, pictureId, key } = await tagged()
    const put = async (at: string, value: Uint8Array) => {
      await pictures.delete([key, `${key}.small`])
      return await pictures.put(at, value)
    }
    const env = { ...bindings, PICTURES: replaceMethods(pictures, { put }) }
    expect(await findThumbnail(env, tenantId, pictureId, undefined)).toBe(null)
    expect(await pictures.head(`${key}.small`)).toBe(null)
  })

  it('is not found without a picture, of a deleted tenant, or of what is no picture', async () => {
    const { tenantId, key, path } = await tagged()
    expect((await raw('GET', path.replace(tenantId, crypto.randomUUID()))).status).toBe(404)
    expect((await raw('GET', `/garment-tagging/annotated/${tenantId}/none/thumbnail`)).status).toBe(404)
    await pictures.put(key, 'no picture')
    expect((await raw('GET', path)).status).toBe(404)
    await databaseOf(tenantId).$client.prepare('DELETE FROM tenant_state WHERE tenant_id = ?').bind(tenantId).run()
    expect((await raw('GET', path)).status).toBe(404)
  })
})
