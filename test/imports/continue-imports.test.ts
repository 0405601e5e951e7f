import { pictureAt } from '../../src/garments/pictures/garment-picture.ts'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { tenantState } from '../../src/platform/db/schema.ts'
import { uploadGarment } from '../../src/garments/upload-garment.ts'
import { pauseImport } from '../../src/imports/wake-importer.ts'
import { countDatabase } from '../support/count-database.ts'
import { databaseOf, replaceDatabases, uploadLimits } from '../service.ts'
import { csvOf, newImporter, numbered } from './tenant-imports.ts'

const upload = async (tenantId: string, uuid: string, imageUrl: string) =>
  await uploadGarment(
    databaseOf(tenantId),
    tenantId,
    { uuid, pictures: [pictureAt(imageUrl)], attribute: {}, origin: 'https://s.example' },
    { ...uploadLimits, nowMs: 500 },
  )

describe('an import', () => {
  it('uploads its lines within the limit of waiting garments, and leaves room for single uploads', async () => {
    const importer = await newImporter(200)
    await importer.store(csvOf(numbered(300)))
    await importer.run()
    expect([await importer.waiting(), importer.uploaded.length]).toEqual([160, 160])
    expect(await importer.imports()).toMatchObject([{ waiting: 140, tagging: 160, endedAt: null }])
    await importer.endGarments('complete', importer.uploaded)
    await importer.run()
    expect(await importer.imports()).toMatchObject([{ waiting: 0, tagging: 140, complete: 160, endedAt: null }])
    await importer.endGarments('failed', importer.uploaded.slice(160))
    await importer.run(4000)
    expect(await importer.imports()).toMatchObject([{ tagging: 0, complete: 160, failed: 140, endedAt: 4000 }])
    expect(await importer.step()).toBe(null)
    expect([importer.uploaded.length, new Set(importer.uploaded).size]).toEqual([300, 300])
  })

  it("sends messages of its first garments only: the others wait in the tenant's backlog", async () => {
    const importer = await newImporter()
    await importer.store(csvOf(numbered(150)))
    await importer.run()
    expect([importer.uploaded.length, importer.sent]).toEqual([150, ['g1']])
  })

  it('stores garments like single uploads, and says why a line failed', async () => {
    const importer = await newImporter()
    await importer.store('uuid,image_url,brand,Fabric weight\na,http://127.0.0.1:9/a.jpg,Acme,200 g\n')
    await importer.run()
    const [line] = await importer.lines()
    expect(await importer.garments()).toMatchObject([
      {
        uuid: 'a',
        pictureList: [{ url: 'http://127.0.0.1:9/a.jpg' }],
        attribute: '{"Brand":"Acme","Fabric weight":"200 g"}',
        origin: 'https://s.example',
        status: 'queuing',
        tries: 0,
        revision: line?.revision,
        queuedAt: 2000,
        createdAt: 2000,
        endedAt: null,
      },
    ])
    await importer.endGarments('failed', ['a'])
    await importer.run()
    expect(await importer.lines()).toMatchObject([
      { status: 'failed', problem: expect.stringMatching(/^The service could not process this image/) },
    ])
  })

  it('repeats nothing, refuses a uuid with other content, and restarts what failed', async () => {
    const importer = await newImporter()
    const { tenantId } = importer
    await upload(tenantId, 'same', 'http://127.0.0.1:9/same.jpg')
    await upload(tenantId, 'other', 'http://127.0.0.1:9/before.jpg')
    await upload(tenantId, 'failed', 'http://127.0.0.1:9/before.jpg')
    await importer.endGarments('failed', ['failed'])
    await importer.store(csvOf(['failed', 'new', 'other', 'same']))
    await importer.run()
    expect(importer.uploaded.toSorted()).toEqual(['failed', 'new'])
    expect(await importer.waiting()).toBe(4)
    expect(await importer.lines()).toMatchObject([
      { uuid: 'failed', status: 'tagging' },
      { uuid: 'new', status: 'tagging' },
      { uuid: 'other', status: 'refused', problem: expect.stringMatching(/^uuid: this garment was uploaded before/) },
      { uuid: 'same', status: 'unchanged', problem: '' },
    ])
    expect((await importer.garments()).find(({ uuid }) => uuid === 'failed')).toMatchObject({
      status: 'queuing',
      failure: null,
      endedAt: null,
      pictureList: [{ url: 'http://127.0.0.1:9/failed.jpg' }],
    })
  })

  it('of the same file a second time leaves every garment as it is', async () => {
    const importer = await newImporter()
    await importer.store(csvOf(numbered(150)), 1000)
    await importer.store(csvOf(numbered(150)), 1001)
    await importer.run()
    expect(importer.uploaded.length).toBe(150)
    expect(await importer.imports()).toMatchObject([
      { tagging: 150, unchanged: 0 },
      { tagging: 0, unchanged: 150, endedAt: 2000 },
    ])
  })

  it('uploads each line once, even when several steps run at the same time', async () => {
    const importer = await newImporter()
    await importer.store(csvOf(numbered(400)))
    await Promise.all([1, 2, 3, 4, 5, 6].map(async () => await importer.step()))
    await importer.run()
    expect([importer.uploaded.length, new Set(importer.uploaded).size, await importer.waiting()]).toEqual([
      400, 400, 400,
    ])
    expect(await importer.imports()).toMatchObject([{ waiting: 0, tagging: 400 }])
    await importer.endGarments('complete', importer.uploaded)
    await Promise.all([1, 2, 3].map(async () => await importer.step()))
    await importer.run()
    expect(await importer.imports()).toMatchObject([{ tagging: 0, complete: 400 }])
  })

  it('stops while it is paused, and continues afterwards', async () => {
    const importer = await newImporter()
    const id = await importer.store(csvOf(numbered(300)))
    await importer.step()
    const begun = importer.uploaded.slice()
    expect(begun.length).toBeLessThan(300)
    await pauseImport(importer, importer.tenantId, { id, paused: true })
    await importer.run()
    const [paused] = await importer.imports()
    expect(paused).toMatchObject({ waiting: 300 - begun.length, tagging: begun.length, endedAt: null })
    await importer.endGarments('complete', begun)
    await importer.step()
    expect(await importer.imports()).toMatchObject([{ waiting: 300 - begun.length, complete: begun.length }])
    expect(await importer.step()).toBe(null)
    expect(importer.uploaded).toEqual(begun)
    await pauseImport(importer, importer.tenantId, { id, paused: false })
    await importer.run()
    expect(new Set(importer.uploaded).size).toBe(300)
    expect([(await importer.garments()).length, await importer.waiting()]).toEqual([300, 300 - begun.length])
  })

  it('waits for room that single uploads have taken, and of a deleted tenant uploads nothing', async () => {
    const importer = await newImporter(1)
    await importer.store(csvOf(['a', 'b']))
    await upload(importer.tenantId, 'single', 'http://127.0.0.1:9/')
    await importer.run()
    expect(importer.uploaded).toEqual([])
    await importer.endGarments('complete', ['single'])
    await importer.env.DB.prepare('DELETE FROM tenants WHERE id = ?').bind(importer.tenantId).run()
    await importer.db.delete(tenantState).where(eq(tenantState.tenantId, importer.tenantId))
    await importer.run()
    expect([importer.uploaded, (await importer.garments()).length]).toEqual([[], 1])
  })
})

it("an import's step takes the same work at 10,000 lines as at 1,000, and few round trips", async () => {
  const rowsOfStep = async (lines: number) => {
    const importer = await newImporter(400)
    await importer.store(csvOf(numbered(lines)))
    await importer.run()
    await importer.endGarments('complete', importer.uploaded.slice(0, 100))
    const counts = { statements: 0, rowsRead: 0, rowsWritten: 0 }
    let trips = 0
    Object.assign(
      importer.env,
      replaceDatabases((database) => countDatabase(database, () => trips++, counts).DB),
    )
    await importer.step()
    return { trips, rows: counts.rowsRead }
  }
  const [small, large] = [await rowsOfStep(1000), await rowsOfStep(10_000)]
  expect(large.trips).toBeLessThanOrEqual(5)
  expect(large.rows).toBeLessThanOrEqual(1.1 * small.rows)
})
