import { annotatedCopyName, copyKey, picturePath } from '../../src/garments/pictures/stored-copy.ts'
import { taggingDelivery } from '../support/tagging-delivery.ts'
import { fileOf } from '../support/stored-garment/stored-pictures.ts'
import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import {
  deliveries,
  deliveryAttempts,
  garments,
  storedFiles,
  unreferencedFiles,
  unusedCopies,
} from '../../src/platform/db/schema.ts'
import { deleteGarment } from '../../src/garments/delete-garment.ts'
import { removeUnusedCopies } from '../../src/garments/pictures/unused-copies.ts'
import { findStored } from '../../src/accounts/quotas.ts'
import { countRowBytes } from '../support/count-row-bytes.ts'
import { storeFile } from '../../src/imports/store-file.ts'
import { csvOf, newImporter, settings } from '../imports/tenant-imports.ts'
import { bindings, call, databaseOf, newTenant, raw, someone } from '../service.ts'
import { insertGarment } from './review/complete-garment.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { countDatabase } from '../support/count-database.ts'
import { db, minute, newScene, tagged } from '../tagging/scene.ts'
import { newScene as newDelivery, startMs } from '../webhooks/webhook-scene.ts'

const pictures = bindings.PICTURES
const queues = { taggingQueue: bindings.TAGGING_QUEUE, webhookQueue: bindings.WEBHOOK_QUEUE }

const path = '/garment-tagging/garment?uuid=g'

const rowsOf = async (tenantId: string) =>
  await databaseOf(tenantId).select().from(garments).where(eq(garments.tenantId, tenantId))

describe('DELETE /garment-tagging/garment', () => {
  it('removes a complete garment with its picture, and a later upload of its uuid is new', async () => {
    const { tenantId, auth } = await newTenant()
    await insertGarment(tenantId, 'g', { pictures: [{ copyId: 'p' }] })
    await pictures.put(copyKey(tenantId, 'p'), new Uint8Array(3))
    const deleted = await call('DELETE', path, auth)
    expect([deleted.status, deleted.body.data]).toEqual([200, { message: 'The garment was deleted.' }])
    expect((await raw('GET', picturePath(tenantId, annotatedCopyName('p')))).status).toBe(404)
    expect((await call('GET', '/garment-tagging/query?uuid=g', auth)).status).toBe(404)
    const upload = { uuid: 'g', image_url: 'http://127.0.0.1:9/other.jpg' }
    expect((await call('POST', '/garment-tagging/upload', auth, upload)).status).toBe(200)
    const again = await call('GET', '/garment-tagging/query?uuid=g', auth)
    expect(again.body.data).toMatchObject({ complete: false, tag: null, description: '' })
  })

  it('is 404 for an unknown garment, and 400 without a uuid', async () => {
    const { auth } = await newTenant()
    expect((await call('DELETE', path, auth)).body.code).toBe('garment_not_found')
    expect((await call('DELETE', '/garment-tagging/garment', auth)).body.code).toBe('invalid_query')
  })
})

describe('a deleted garment', () => {
  it('that is being tagged writes nothing afterwards, and its picture does not stay', async () => {
    const scene = await newScene()
    await scene.enableWebhook()
    const deps = { ...scene.deps, db }
    const [picture] = (await scene.garment()).pictureList
    await scene.tag({
      tagPicture: async () => {
        await deleteGarment(deps, scene.tenantId, 'g', scene.clock.now, someone)
        return tagged
      },
    })
    expect(await rowsOf(scene.tenantId)).toEqual([])
    expect([await scene.delivery(), await scene.counts(), await scene.waiting()]).toEqual([undefined, {}, 0])
    const key = copyKey(scene.tenantId, picture?.copyId ?? '')
    expect(await pictures.head(key)).not.toBe(null)
    const isOurs = eq(unusedCopies.tenantId, scene.tenantId)
    const [unused] = await db.select().from(unusedCopies).where(isOurs)
    await removeUnusedCopies({ db, pictures }, unused?.removeAt ?? 0, 1000)
    expect(await pictures.head(key)).toBe(null)
  })

  it('is not tagged by the message of its former upload when its uuid is uploaded again', async () => {
    const scene = await newScene()
    await deleteGarment(scene.deps, scene.tenantId, 'g', scene.clock.now, someone)
    await scene.upload('https://a.example/other.jpg')
    await scene.tag({}, scene.message)
    expect(await scene.garment()).toMatchObject({
      status: 'queuing',
      pictureList: [{ url: 'https://a.example/other.jpg' }],
    })
  })

  it('gives its turn to the next of its tenant', async () => {
    const scene = await newScene()
    await scene.upload(undefined, 'next')
    await deleteGarment(scene.deps, scene.tenantId, 'g', scene.clock.now, someone)
    expect(scene.enqueued().map(({ uuid }) => uuid)).toEqual(['next'])
    await scene.tag({}, scene.enqueued()[0])
    expect([(await scene.garment()).status, await scene.waiting()]).toEqual(['complete', 0])
  })

  it('that waited in the backlog leaves the turn with its holder', async () => {
    const scene = await newScene()
    await scene.upload(undefined, 'next')
    await deleteGarment(scene.deps, scene.tenantId, 'next', scene.clock.now, someone)
    expect([scene.enqueued(), await scene.waiting()]).toEqual([[], 1])
    await scene.tag({}, scene.message)
    expect(await scene.garment()).toMatchObject({ uuid: 'g', status: 'complete' })
  })

  it('takes its deliveries and their attempts with it, also one whose attempt is being made, which it counts', async () => {
    const scene = await newDelivery({ delivery: { leaseUntil: startMs + minute, claimId: 'c' } })
    const ofTenant = {
      ...taggingDelivery,
      tenantId: scene.tenantId,
      garmentUuid: scene.uuid,
      createdAt: startMs,
      updatedAt: startMs,
    }
    const [corrected] = await db
      .insert(deliveries)
      .values({ ...ofTenant, id: crypto.randomUUID(), kind: 'correction', status: 'permanently_failed' })
      .returning()
    await db.insert(deliveryAttempts).values({
      deliveryId: corrected?.id ?? '',
      attempt: 1,
      tenantId: scene.tenantId,
      at: startMs,
      durationMs: 1,
      responseStatus: 500,
      error: 'failed',
      responseBody: '',
      trigger: 'automatic',
    })
    await deleteGarment({ db, pictures, ...queues }, scene.tenantId, scene.uuid, startMs, someone)
    expect(await db.$count(deliveries, eq(deliveries.tenantId, scene.tenantId))).toBe(0)
    expect(await db.$count(deliveryAttempts, eq(deliveryAttempts.tenantId, scene.tenantId))).toBe(0)
    expect(await scene.counts()).toEqual({ permanently_failed: 1 })
    await scene.attempt(1)
    expect(await scene.received()).toEqual([])
  })

  it("leaves other garments' deliveries and other tenants' garments alone", async () => {
    const [scene, other] = [await newDelivery(), await newDelivery()]
    await insertGarment(other.tenantId, 'same')
    await insertGarment(scene.tenantId, 'same')
    const deps = { db, pictures, ...queues }
    await deleteGarment(deps, scene.tenantId, 'same', startMs, someone)
    expect((await scene.row())?.status).toBe('pending')
    expect((await rowsOf(other.tenantId)).length).toBe(2)
    await expect(deleteGarment(deps, scene.tenantId, other.uuid, startMs, someone)).rejects.toMatchObject({
      status: 404,
    })
    expect((await other.row())?.status).toBe('pending')
  })

  it('of an import ends its line, and counts back what was stored', async () => {
    const importer = await newImporter()
    const { tenantId, env, db } = importer
    const deps = { db, pictures, ...queues, taggingQueue: env.TAGGING_QUEUE }
    const content = new Uint8Array([0xff, 0xd8, 0xff, 0, 0])
    const file = { name: 'f.jpg', size: 5, body: new Blob([content]).stream() }
    const line = { importId: tenantId, uuid: 'f', attribute: {}, file, origin: 'https://s.example' }
    await storeFile({ db, pictures, settings }, tenantId, line, 500)
    await importer.store(csvOf(['a', 'b']))
    await importer.run()
    expect(await findStored(db, tenantId)).toMatchObject({ garments: 3, files: 1, file_bytes: 5 })
    await deleteGarment(deps, tenantId, 'f', 2000, someone)
    await deleteGarment(deps, tenantId, 'a', 2000, someone)
    await importer.endGarments('complete', ['b'])
    await importer.run()
    expect(await importer.imports()).toMatchObject([
      { tagging: 0, complete: 0, failed: 1, endedAt: 2000 },
      { tagging: 0, complete: 1, failed: 1, endedAt: 2000 },
    ])
    const problems = (await importer.lines()).map(({ uuid, status, problem }) => [uuid, status, problem])
    expect(problems.toSorted()).toEqual([
      ['a', 'failed', 'The garment was deleted.'],
      ['b', 'complete', ''],
      ['f', 'failed', 'The garment was deleted.'],
    ])
    expect(await findStored(db, tenantId)).toEqual({
      garments: 1,
      import_lines: 3,
      row_bytes: await countRowBytes(db, tenantId),
      files: 0,
      file_bytes: 0,
    })
    expect((await pictures.list({ prefix: `uploaded/${tenantId}/` })).objects).toEqual([])
    expect(await db.select().from(storedFiles).where(eq(storedFiles.tenantId, tenantId))).toEqual([])
  })

  it('costs 17 queries, and three more with an uploaded file, however many deliveries it has', async () => {
    const scene = await newDelivery()
    const row = { tenantId: scene.tenantId, status: 'delivered' as const, createdAt: startMs, updatedAt: startMs }
    for (const garmentUuid of [scene.uuid, 'uploaded'])
      for (const kind of ['tagging', 'correction'] as const)
        for (const endpointId of ['a', 'b', 'c', 'd'])
          await db.insert(deliveries).values({ ...row, id: crypto.randomUUID(), garmentUuid, kind, endpointId })
    await insertGarment(scene.tenantId, 'uploaded', { pictures: [{ file: fileOf(crypto.randomUUID()) }] })
    const { DB, counts } = countDatabase(bindings.DB)
    const deps = { db: openDatabase(DB), pictures, ...queues }
    await deleteGarment(deps, scene.tenantId, scene.uuid, startMs, someone)
    expect(counts.statements).toBe(17)
    await deleteGarment(deps, scene.tenantId, 'uploaded', startMs, someone)
    expect(counts.statements).toBe(17 + 20)
  })

  it('whose files cannot be removed now leaves them to the sweep', async () => {
    const { tenantId } = await newTenant()
    const db = databaseOf(tenantId)
    const [id, pictureId] = [crypto.randomUUID(), crypto.randomUUID()]
    await insertGarment(tenantId, 'g', { pictures: [{ file: fileOf(id), copyId: pictureId }] })
    const broken = { delete: () => Promise.reject(new Error('down')) } as unknown as R2Bucket
    await deleteGarment({ db, pictures: broken, ...queues }, tenantId, 'g', startMs, someone)
    const isLoose = and(eq(unreferencedFiles.tenantId, tenantId), eq(unreferencedFiles.fileId, id))
    expect((await db.select().from(unreferencedFiles).where(isLoose)).length).toBe(1)
    const isUnused = and(eq(unusedCopies.tenantId, tenantId), eq(unusedCopies.copyId, pictureId))
    expect((await db.select().from(unusedCopies).where(isUnused)).length).toBe(1)
  })
})
