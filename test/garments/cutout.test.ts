import { copyKey, cutoutPath } from '../../src/garments/pictures/stored-copy.ts'
import { describe, expect, it } from 'vitest'
import { deleteGarment } from '../../src/garments/delete-garment.ts'
import { findCutout } from '../../src/garments/pictures/draw-pictures.ts'
import { removeUnusedCopies } from '../../src/garments/pictures/unused-copies.ts'
import { unusedCopies } from '../../src/platform/db/schema.ts'
import { formatCopy } from '../../src/vision/annotate/clean-copy.ts'
import { decodePicture, openPicture } from '../../src/vision/image/decode-picture.ts'
import { encodeJpeg } from '../../src/vision/image/encode-jpeg.ts'
import { drawing } from '../support/picture-copy.ts'
import { replaceMethods } from '../support/wrap-database.ts'
import { bindings, call, databaseOf, newTenant, raw, someone } from '../service.ts'
import { expectPublicPicture } from './public-picture.ts'
import { insertGarment } from './review/complete-garment.ts'

const { PICTURES: pictures } = bindings
const httpMetadata = { contentType: 'image/jpeg' }

/** A blue square of a garment on grey, at `scale` times the size of its copy. */
function photograph(scale: number): Uint8Array {
  const edge = 100 * scale
  const data = new Uint8ClampedArray(edge * edge * 4).fill(255)
  for (let y = 0; y < edge; y++)
    for (let x = 0; x < edge; x++) {
      const isCloth = [x, y].every((at) => at > 9.5 * scale && at < 90.5 * scale)
      data.set(isCloth ? [30, 40, 160] : [200, 200, 200], (y * edge + x) * 4)
    }
  return encodeJpeg({ width: edge, height: edge, data }, 95)
}

async function newCopy({ isCutOut = true, file = '', scale = 1, pictureId = 'p' } = {}) {
  const { tenantId, auth } = await newTenant()
  const about = { uuid: 'g', file, drawing: { ...drawing, isCutOut, scale } }
  await pictures.put(copyKey(tenantId, pictureId), formatCopy(photograph(1), about), { httpMetadata })
  await insertGarment(tenantId, 'g', { pictures: [{ copyId: pictureId }] })
  return { tenantId, auth, path: cutoutPath(tenantId, pictureId) }
}

describe('the cut-out of a garment', () => {
  it('is public, cached for long, on white with a margin, and made once', async () => {
    const { tenantId, path } = await newCopy()
    const bytes = await expectPublicPicture(path)
    const { picture } = await decodePicture(bytes, 1000)
    const at = (x: number, y: number) => [...picture.data.subarray((y * picture.width + x) * 4)].slice(0, 3)
    const middle = Math.floor(picture.width / 2)
    expect(picture.width).toBe(picture.height)
    expect(at(middle, middle).map((level) => Math.round(level / 10))).toEqual([3, 4, 16])
    for (const corner of [at(1, 1), at(middle, 1), at(picture.width - 2, middle)])
      expect(Math.min(...corner)).toBeGreaterThan(245)
    expect(await (await pictures.get(`${copyKey(tenantId, 'p')}.cut`))?.bytes()).toEqual(bytes)
  })

  it('is a PNG with transparency, or of another ratio, if that is asked for, each kept by itself', async () => {
    const { tenantId, path } = await newCopy()
    const first = await expectPublicPicture(path)
    const response = await raw('GET', `${path}?background=none&ratio=4:5&else=1`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
    const opened = openPicture(await response.bytes())
    expect(opened.width).toBe(Math.round(opened.height * 0.8))
    const { data } = await opened.decode(1000)
    expect([
      data[3],
      data[(Math.floor(opened.height / 2) * opened.width + Math.floor(opened.width / 2)) * 4 + 3],
    ]).toEqual([0, 255])
    expect(await expectPublicPicture(`${path}?background=white`)).toEqual(first)
    const { objects } = await pictures.list({ prefix: `copies/${tenantId}/` })
    expect(objects.map(({ key }) => key.split('/')[2]).sort()).toEqual(
      ['', '.cut', '.cut-4x5-none'].map((end) => copyKey(tenantId, 'p').split('/')[2] + end),
    )
  })

  it('is made of the file that was uploaded, or of the copy if that is gone', async () => {
    const [kept, gone] = [await newCopy({ file: 'f', scale: 8 }), await newCopy({ file: 'f', scale: 8 })]
    await pictures.put(`uploaded/${kept.tenantId}/f`, photograph(8), { httpMetadata })
    const [large, small] = [await expectPublicPicture(kept.path), await expectPublicPicture(gone.path)]
    expect(openPicture(large).width).toBeGreaterThan(650)
    expect(openPicture(small).width).toBeLessThan(110)
  })

  it('is not there of a worn garment or an unsure outline, and says so', async () => {
    const { path } = await newCopy({ isCutOut: false })
    const response = await raw('GET', path)
    expect([response.status, ((await response.json()) as { error: string[] }).error]).toEqual([
      404,
      ['There is no cut-out of this picture: the garment is worn or shown in part, or its outline is not sure.'],
    ])
    expect((await raw('GET', path.replace(/p$/, 'none'))).status).toBe(404)
  })

  it.each(['ratio=2:3', 'background=red', 'ratio='])('is refused with %s', async (query) => {
    const { path } = await newCopy()
    const response = await raw('GET', `${path}?${query}`)
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([400, 'invalid_query'])
  })

  it('is removed with its garment', async () => {
    const { tenantId, path } = await newCopy()
    await expectPublicPicture(path)
    await raw('GET', `${path}?ratio=4:5`).then(async (response) => await response.arrayBuffer())
    const { TAGGING_QUEUE: taggingQueue, WEBHOOK_QUEUE: webhookQueue } = bindings
    await deleteGarment({ db: databaseOf(tenantId), pictures, taggingQueue, webhookQueue }, tenantId, 'g', 1, someone)
    expect((await pictures.list({ prefix: `copies/${tenantId}/` })).objects).toEqual([])
  })

  it('is removed when its picture is replaced', async () => {
    const pictureId = crypto.randomUUID()
    const { tenantId, path } = await newCopy({ pictureId })
    await expectPublicPicture(path)
    const db = databaseOf(tenantId)
    // Before all others, which are of other tests.
    await db.insert(unusedCopies).values({ tenantId, copyId: pictureId, removeAt: -2 })
    await removeUnusedCopies({ db, pictures }, -1, 1000)
    expect((await pictures.list({ prefix: `copies/${tenantId}/` })).objects).toEqual([])
  })

  it('is not left behind where the picture is removed meanwhile', async () => {
    const { tenantId, path } = await newCopy()
    const cutout = { tenantId, pictureId: path.split('/').at(-1) ?? '', background: 'white', ratio: '1:1' } as const
    const put = async (...args: [string, Uint8Array, R2PutOptions]) => {
      await pictures.delete(copyKey(tenantId, 'p'))
      return await pictures.put(...args)
    }
    const env = { ...bindings, PICTURES: replaceMethods(pictures, { put }) }
    expect(await findCutout(env, cutout, undefined)).toBe(null)
    expect((await pictures.list({ prefix: `copies/${tenantId}/` })).objects).toEqual([])
  })

  it.each([
    [{}, true],
    [{ shown: 'worn', notes: ['worn'] }, false],
    [{ shown: 'detail', notes: ['detail'] }, false],
    [{ notes: ['unsure_outline'] }, false],
    [{ notes: ['uncut'] }, false],
  ])('has an address in the answer only where there is one: %j', async (changes, isThere) => {
    const { tenantId, auth } = await newTenant()
    const view = { size: [100, 100], lines: {} }
    const details = { shown: 'flat', scale: null, notes: [], probabilities: {}, tagger: '9.1', view, ...changes }
    await insertGarment(tenantId, 'g', { pictures: [{ copyId: 'p' }], details })
    const { body } = await call('GET', '/garment-tagging/query?uuid=g', auth)
    const [image] = body.data['images'] as { cutout_img: string }[]
    expect(image?.cutout_img.endsWith(cutoutPath(tenantId, 'p'))).toBe(isThere)
    expect(image?.cutout_img === '').toBe(!isThere)
  })
})
