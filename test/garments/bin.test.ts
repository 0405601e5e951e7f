import { copyKey } from '../../src/garments/pictures/stored-copy.ts'
import { getGarment } from '../../src/garments/garment.ts'
import { parsePictures } from '../../src/garments/pictures/garment-picture.ts'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { findStored } from '../../src/accounts/quotas.ts'
import { countRowBytes } from '../support/count-row-bytes.ts'
import { binGarment } from '../../src/garments/delete-garment.ts'
import { emptyBin, eraseGarments, binQuery, restoreGarment } from '../../src/garments/bin.ts'
import { storeFile } from '../../src/imports/store-file.ts'
import { binnedGarments, deliveries, garments, unusedCopies } from '../../src/platform/db/schema.ts'
import { purgeTenant } from '../operations/purge-tenant.ts'
import { dayMs } from '../../src/time.ts'
import { csvOf, newImporter, settings } from '../imports/tenant-imports.ts'
import { bindings, call, databaseOf, newTenant, raw, someone, uploadLimits } from '../service.ts'
import { db, newScene, tagged } from '../tagging/scene.ts'
import { newEndpointScene } from '../webhooks/endpoints/scene.ts'
import { insertGarment } from './review/complete-garment.ts'

const pictures = bindings.PICTURES
const queues = { taggingQueue: bindings.TAGGING_QUEUE, webhookQueue: bindings.WEBHOOK_QUEUE }
const binnedAt = Date.now()

async function newShop() {
  const { tenantId, auth } = await newTenant()
  const shop = { db: databaseOf(tenantId), pictures, ...queues, limits: uploadLimits }
  return {
    tenantId,
    auth,
    bin: async (uuid: string) => await binGarment(shop, tenantId, uuid, binnedAt, someone),
    restore: async (uuid: string, nowMs = binnedAt) => await restoreGarment(shop, tenantId, uuid, nowMs, someone),
    erase: async (uuids: readonly string[]) => await eraseGarments(shop, tenantId, uuids, binnedAt, someone),
    inBin: async (nowMs = binnedAt) =>
      (await binQuery(shop.db, tenantId, { limit: 50, nowMs })).map(({ uuid }) => uuid),
    rows: async () => await shop.db.select().from(garments).where(eq(garments.tenantId, tenantId)),
    stored: async () => await findStored(shop.db, tenantId),
  }
}

describe('a garment in the bin', () => {
  it('is 404 to the API and in no list, while its uuid stays taken, which the refusal says', async () => {
    const shop = await newShop()
    await insertGarment(shop.tenantId, 'g')
    await shop.bin('g')
    for (const [method, path] of [
      ['GET', '/garment-tagging/query?uuid=g'],
      ['PATCH', '/garment-tagging/garment?uuid=g'],
      ['DELETE', '/garment-tagging/garment?uuid=g'],
    ] as const)
      expect(
        (await call(method, path, shop.auth, method === 'PATCH' ? { tag: { Colour: 'Black' } } : undefined)).body.code,
      ).toBe('garment_not_found')
    for (const path of ['garments?q=navy', 'export?format=json']) {
      const { body } = await call('GET', `/garment-tagging/${path}`, shop.auth)
      expect(JSON.stringify(body.data)).not.toContain('"g"')
    }
    const upload = { uuid: 'g', image_url: 'http://127.0.0.1:9/a.jpg' }
    const refused = await call('POST', '/garment-tagging/upload', shop.auth, upload)
    expect([refused.status, refused.body.code]).toEqual([409, 'uuid_conflict'])
    expect(refused.body.error).toEqual([
      'uuid: this garment is in the bin; take it out or delete it for ever in the dashboard, or use another uuid',
    ])
    expect([await shop.rows(), await shop.inBin()]).toEqual([[], ['g']])
  })

  it('is refused as the line of an import, beside others that are uploaded', async () => {
    const importer = await newImporter()
    const { tenantId, db: own, env } = importer
    await importer.store(csvOf(['a', 'b']))
    await importer.run()
    await importer.endGarments('complete', ['a', 'b'])
    await importer.run()
    await binGarment({ db: own, ...queues, taggingQueue: env.TAGGING_QUEUE }, tenantId, 'a', 2000, someone)
    const before = await findStored(own, tenantId)
    await importer.store(csvOf(['a', 'c']))
    await importer.run()
    const lines = (await importer.lines()).filter(({ status }) => status !== 'complete')
    expect(lines.map(({ uuid, status, problem }) => [uuid, status, problem]).toSorted()).toEqual([
      ['a', 'refused', 'uuid: this garment is in the bin; undo its deletion there, or delete it permanently'],
      ['c', 'tagging', ''],
    ])
    expect((await findStored(own, tenantId)).garments).toBe(before.garments + 1)
  })

  it('counts against the quotas until it is deleted for ever, with its pictures and files', async () => {
    const importer = await newImporter()
    const { tenantId, db: own } = importer
    const deps = { db: own, pictures, ...queues }
    const file = { name: 'f.jpg', size: 5, body: new Blob([new Uint8Array([0xff, 0xd8, 0xff, 0, 0])]).stream() }
    const line = { importId: tenantId, uuid: 'f', attribute: {}, file, origin: 'https://s.example' }
    await storeFile({ db: own, pictures, settings }, tenantId, line, 500)
    await importer.run()
    await importer.endGarments('complete', ['f'])
    const [picture] = parsePictures(await getGarment(own, tenantId, 'f'))
    await pictures.put(copyKey(tenantId, picture?.copyId ?? ''), 'x')
    const before = await findStored(own, tenantId)
    await binGarment(deps, tenantId, 'f', 2000, someone)
    const binned = { ...before, row_bytes: await countRowBytes(own, tenantId) }
    expect(await findStored(own, tenantId)).toEqual(binned)
    expect(binned.row_bytes).toBeGreaterThan(before.row_bytes)
    expect((await pictures.list({ prefix: `uploaded/${tenantId}/` })).objects.length).toBe(1)

    expect(await eraseGarments(deps, tenantId, ['none', 'f'], 3000, someone)).toBe(1)
    expect(await eraseGarments(deps, tenantId, ['f'], 3000, someone)).toBe(0)
    const row_bytes = await countRowBytes(own, tenantId)
    expect(await findStored(own, tenantId)).toMatchObject({ garments: 0, files: 0, file_bytes: 0, row_bytes })
    for (const prefix of [`uploaded/${tenantId}/`, `copies/${tenantId}/`])
      expect((await pictures.list({ prefix })).objects).toEqual([])
    expect(await own.select().from(binnedGarments).where(eq(binnedGarments.tenantId, tenantId))).toEqual([])
  })

  it('is removed by the sweep after 30 days, or when its retention ends, and can then not be taken out', async () => {
    const [shop, short] = [await newShop(), await newShop()]
    for (const { tenantId } of [shop, short]) await insertGarment(tenantId, 'g', { createdAt: binnedAt - dayMs })
    for (const { bin } of [shop, short]) await bin('g')
    const sweep = async (nowMs: number, tenants: { id: string; beforeMs: number }[] = []) => {
      for (const { tenantId } of [shop, short])
        await emptyBin({ db: databaseOf(tenantId), pictures }, { tenants, nowMs }, 500)
    }
    await sweep(binnedAt + 1000, [{ id: short.tenantId, beforeMs: binnedAt }])
    expect([await shop.inBin(), await short.inBin()]).toEqual([['g'], []])
    const end = binnedAt + 30 * dayMs
    await sweep(end - 1)
    expect(await shop.inBin(end - 1)).toEqual(['g'])
    await expect(shop.restore('g', end)).rejects.toMatchObject({ status: 404 })
    await sweep(end)
    expect([await shop.inBin(0), await shop.stored()]).toMatchObject([[], { garments: 0 }])
    const upload = { uuid: 'g', image_url: 'http://127.0.0.1:9/a.jpg' }
    expect((await call('POST', '/garment-tagging/upload', shop.auth, upload)).status).toBe(200)
  })

  it("is out of other tenants' reach, and goes with its tenant", async () => {
    const [shop, other] = [await newShop(), await newShop()]
    await insertGarment(shop.tenantId, 'g')
    await shop.bin('g')
    await expect(other.restore('g')).rejects.toMatchObject({ status: 404 })
    await expect(other.bin('g')).rejects.toMatchObject({ status: 404 })
    expect([await other.erase(['g']), await other.inBin(), await shop.inBin()]).toEqual([0, [], ['g']])
    await purgeTenant(shop.tenantId)
    expect(await shop.inBin(0)).toEqual([])
  })
})

describe('a garment that is taken out of the bin', () => {
  it('is as it was, and its completion is delivered again', async () => {
    const scene = await newEndpointScene({ delivery: { status: 'delivered', dueAt: null, nextAttemptAt: null } })
    await scene.add('told', '', { events: ['tagging.completed', 'garment.deleted'] })
    const deps = { db, ...queues, limits: uploadLimits }
    const rows = async () => await db.select().from(garments).where(eq(garments.tenantId, scene.tenantId))
    const kinds = async () => {
      const found = await db.select().from(deliveries).where(eq(deliveries.tenantId, scene.tenantId))
      return found.map(({ kind, status }) => [kind, status]).toSorted()
    }
    const before = await rows()
    await binGarment(deps, scene.tenantId, scene.uuid, binnedAt, someone)
    expect([await rows(), await kinds()]).toEqual([[], [['deletion', 'pending']]])
    await restoreGarment(deps, scene.tenantId, scene.uuid, binnedAt, someone)
    expect(await rows()).toEqual(before)
    expect((await kinds()).filter(([kind]) => kind === 'tagging').map(([, status]) => status)).toContain('pending')
    await expect(restoreGarment(deps, scene.tenantId, scene.uuid, binnedAt, someone)).rejects.toMatchObject({
      status: 404,
    })
  })

  it('is found by its words and page again', async () => {
    const shop = await newShop()
    await insertGarment(shop.tenantId, 'g')
    const list = async () =>
      JSON.stringify((await call('GET', '/garment-tagging/garments?q=navy', shop.auth)).body.data)
    const before = await list()
    await shop.bin('g')
    await shop.restore('g')
    expect([await list(), before.includes('"g"')]).toEqual([before, true])
    expect((await raw('GET', '/garment-tagging/query?uuid=g', shop.auth)).status).toBe(200)
  })

  it('waits for its tagging again if that was under way, and the run that had begun writes nothing', async () => {
    const scene = await newScene()
    const deps = { ...scene.deps, limits: uploadLimits }
    await scene.tag({
      tagPicture: async () => {
        await binGarment(deps, scene.tenantId, 'g', scene.clock.now, someone)
        return tagged
      },
    })
    expect([
      await scene.waiting(),
      await binQuery(db, scene.tenantId, { limit: 5, nowMs: scene.clock.now }),
    ]).toMatchObject([0, [{ uuid: 'g', status: 'processing' }]])
    await restoreGarment(deps, scene.tenantId, 'g', scene.clock.now, someone)
    expect([await scene.garment(), await scene.waiting()]).toMatchObject([
      { status: 'queuing', tries: 0, claimId: null },
      1,
    ])
    await scene.tag({}, scene.enqueued().at(-1))
    expect([(await scene.garment()).status, await scene.waiting()]).toEqual(['complete', 0])
  })

  it('is 429 while too many others wait', async () => {
    const scene = await newScene()
    const deps = { ...scene.deps, limits: { ...uploadLimits, maxWaiting: 1 } }
    await binGarment(deps, scene.tenantId, 'g', scene.clock.now, someone)
    await scene.upload(undefined, 'next')
    const restored = restoreGarment(deps, scene.tenantId, 'g', scene.clock.now, someone)
    await expect(restored).rejects.toMatchObject({ code: 'too_many_waiting' })
    expect((await binQuery(db, scene.tenantId, { limit: 5, nowMs: scene.clock.now })).length).toBe(1)
  })

  it('deleted for ever while a run is in progress leaves the picture of that run to the sweep', async () => {
    const scene = await newScene()
    const [picture] = (await scene.garment()).pictureList
    await binGarment(scene.deps, scene.tenantId, 'g', scene.clock.now, someone)
    await eraseGarments(scene.deps, scene.tenantId, ['g'], scene.clock.now, someone)
    const unused = await db.select().from(unusedCopies).where(eq(unusedCopies.tenantId, scene.tenantId))
    expect(unused.map(({ copyId }) => copyId)).toEqual([picture?.copyId])
  })
})
