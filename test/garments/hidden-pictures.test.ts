import { beforeEach, describe, expect, it } from 'vitest'
import { restoreGarment } from '../../src/garments/bin.ts'
import { binGarment } from '../../src/garments/delete-garment.ts'
import {
  annotatedCopyName,
  copyKey,
  copyPath,
  cutoutPath,
  labelCropId,
  picturePath,
  thumbnailPath,
} from '../../src/garments/pictures/stored-copy.ts'
import { fileKey, originalPath } from '../../src/garments/pictures/uploaded-file.ts'
import { formatCopy } from '../../src/vision/annotate/clean-copy.ts'
import { sessionOf } from '../dashboard/session-of.ts'
import { bindings, databaseOf, newTenant, raw, someone, uploadLimits } from '../service.ts'
import { drawing, pictureCopy } from '../support/picture-copy.ts'
import { fileOf } from '../support/stored-garment/stored-pictures.ts'
import { insertGarment } from './review/complete-garment.ts'

const { PICTURES: pictures } = bindings
const queues = { taggingQueue: bindings.TAGGING_QUEUE, webhookQueue: bindings.WEBHOOK_QUEUE }
const jpeg = { httpMetadata: { contentType: 'image/jpeg' } }

describe('the pictures of a garment in the bin', () => {
  let shop: Awaited<ReturnType<typeof newShop>>

  async function newShop() {
    const { tenantId, merchant } = await newTenant()
    const [copyId, fileId] = [crypto.randomUUID(), crypto.randomUUID()]
    const cropId = labelCropId(copyId, 'Brand')
    const copy = formatCopy(pictureCopy.jpeg, { uuid: 'g', file: '', drawing: { ...drawing, isCutOut: true } })
    for (const key of [copyKey(tenantId, copyId), copyKey(tenantId, cropId), fileKey(tenantId, fileId)])
      await pictures.put(key, key.endsWith(fileId) ? pictureCopy.jpeg : copy, jpeg)
    await insertGarment(tenantId, 'g', { pictures: [{ copyId, kind: 'label', file: fileOf(fileId) }] })
    const paths = [
      copyPath(tenantId, copyId),
      copyPath(tenantId, cropId),
      picturePath(tenantId, annotatedCopyName(copyId)),
      thumbnailPath(tenantId, { copyId, cutoutOff: false }),
      cutoutPath(tenantId, copyId),
      `${cutoutPath(tenantId, copyId)}?background=none`,
      originalPath(tenantId, fileId),
    ]
    return { db: databaseOf(tenantId), tenantId, session: await sessionOf(merchant.id), paths }
  }

  const statuses = async () => await Promise.all(shop.paths.map(async (path) => (await raw('GET', path)).status))

  const thumbnail = async (headers = shop.session) => await raw('GET', '/dashboard/bin/thumbnail?uuid=g', headers)

  beforeEach(async () => {
    shop = await newShop()
    await binGarment({ db: shop.db, ...queues }, shop.tenantId, 'g', Date.now(), someone)
  })

  it('are not public, and no cut-out is made of them', async () => {
    expect(await statuses()).toEqual(shop.paths.map(() => 404))
    const { objects } = await pictures.list({ prefix: `copies/${shop.tenantId}/` })
    expect(objects.filter(({ key }) => key.includes('.'))).toEqual([])
  })

  it('have a small picture for members of the tenant only, which nobody caches', async () => {
    const shown = await thumbnail()
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect(shown.headers.get('cache-control')).toBe('no-store')
    const page = await (await raw('GET', '/dashboard/bin', shop.session)).text()
    expect(page).toContain('/dashboard/bin/thumbnail?uuid=g')
    expect(page).not.toContain('/garment-tagging/')
    const other = await newTenant()
    expect((await thumbnail(await sessionOf(other.merchant.id))).status).toBe(404)
    expect((await raw('GET', '/dashboard/bin/thumbnail?uuid=g')).status).toBe(303)
  })

  it('are public again once the garment is restored', async () => {
    const deps = { db: shop.db, ...queues, limits: uploadLimits }
    await restoreGarment(deps, shop.tenantId, 'g', Date.now(), someone)
    expect(await statuses()).toEqual(shop.paths.map(() => 200))
    expect((await thumbnail()).status).toBe(404)
  })
})
