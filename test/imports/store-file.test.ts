import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { unreferencedFiles } from '../../src/platform/db/schema.ts'
import {
  removeUnreferencedFiles,
  unmarkUnreferenced,
  fileKey,
  uploadedFilesPrefix,
} from '../../src/garments/pictures/uploaded-file.ts'
import { removeExpiredGarments } from '../../src/garments/remove-expired-garments.ts'
import { deleteImports, purgeImports, removeExpiredImports } from '../../src/imports/delete-import.ts'
import { fileIdsOf, nameOf, parseGiven } from '../../src/garments/pictures/garment-picture.ts'
import { storeFile } from '../../src/imports/store-file.ts'
import { bindings, someone } from '../service.ts'
import { formFile } from '../support/form-file.ts'
import { csvOf, newImporter, settings } from './tenant-imports.ts'

const pictures = bindings.PICTURES
const hour = 3600_000

/** Begins like a JPEG. */
const image = (content: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array([0xff, 0xd8, 0xff, ...new TextEncoder().encode(content)])

const fileOf = (bytes: Uint8Array, name: string) => ({ name, size: bytes.length, body: streamOf(bytes) })

const streamOf = (bytes: Uint8Array) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes)
      controller.close()
    },
  })

async function newFileImporter() {
  const importer = await newImporter()
  const importId = crypto.randomUUID()
  const { db, tenantId } = importer
  return {
    ...importer,
    importId,
    async storeFile(uuid: string, bytes = image(uuid), into = importId, name = `${uuid}.jpg`) {
      const file = fileOf(bytes, name)
      const upload = { importId: into, uuid, attribute: { Brand: 'Acme' }, file, origin: 'https://s.example' }
      await storeFile({ db, pictures, settings }, tenantId, upload, 1000)
    },
    /** The files of a form, as the pictures of one garment. */
    async storeFiles(uuid: string, contents: readonly Uint8Array<ArrayBuffer>[]) {
      const file = await formFile(contents, 1000)
      const upload = { importId, uuid, attribute: {}, file, origin: 'https://s.example' }
      return await storeFile({ db, pictures, settings }, tenantId, upload, 1000)
    },
    stored: async () => (await pictures.list({ prefix: uploadedFilesPrefix(tenantId) })).objects.length,
    loose: async () => await db.select().from(unreferencedFiles).where(eq(unreferencedFiles.tenantId, tenantId)),
  }
}

describe('an image file', () => {
  it('is stored as the next line of its import, which it creates, and uploaded like any other', async () => {
    const importer = await newFileImporter()
    await Promise.all(['a', 'b', 'c'].map(async (uuid) => await importer.storeFile(uuid)))
    const lines = await importer.lines()
    expect(lines.map(({ line, status }) => [line, status])).toEqual([
      [1, 'waiting'],
      [2, 'waiting'],
      [3, 'waiting'],
    ])
    expect(lines.flatMap(({ pictures }) => parseGiven(pictures ?? '').map(nameOf)).sort()).toEqual([
      'a.jpg',
      'b.jpg',
      'c.jpg',
    ])
    expect(await importer.imports()).toMatchObject([{ id: importer.importId, waiting: 3, endedAt: null }])
    expect([await importer.stored(), await importer.loose()]).toEqual([3, []])
    await importer.run()
    const [first] = await importer.garments()
    expect(first).toMatchObject({ uuid: 'a', attribute: '{"Brand":"Acme"}', status: 'queuing' })
    const object = await pictures.get(fileKey(importer.tenantId, first?.pictureList[0]?.file?.id ?? ''))
    expect(new Uint8Array((await object?.arrayBuffer()) ?? [])).toEqual(image('a'))
  })

  it('reopens its import that had ended', async () => {
    const importer = await newFileImporter()
    await importer.storeFile('a')
    await importer.run()
    await importer.endGarments('complete', ['a'])
    await importer.run()
    expect(await importer.imports()).toMatchObject([{ complete: 1, endedAt: 2000 }])
    await importer.storeFile('b')
    expect(await importer.imports()).toMatchObject([{ waiting: 1, complete: 1, endedAt: null }])
  })

  it('that is sent twice, even if renamed, is tagged once, and another under the same uuid is refused', async () => {
    const importer = await newFileImporter()
    await importer.storeFile('a')
    await importer.storeFile('a', image('a'), importer.importId, 'renamed.jpg')
    await importer.storeFile('a', image('other'))
    await importer.run()
    expect((await importer.lines()).map(({ status }) => status)).toEqual(['tagging', 'unchanged', 'refused'])
    await removeUnreferencedFiles({ db: importer.db, pictures }, 2000 + 2 * hour)
    expect([await importer.stored(), await importer.loose()]).toEqual([1, []])
  })

  it('comes after the last line of a CSV file whose import it names', async () => {
    const importer = await newFileImporter()
    const csvImport = await importer.store(csvOf(['a', 'b']))
    await importer.storeFile('c', image('c'), csvImport)
    expect((await importer.lines()).map(({ line, uuid }) => [line, uuid])).toEqual([
      [2, 'a'],
      [3, 'b'],
      [4, 'c'],
    ])
    expect(await importer.imports()).toMatchObject([{ id: csvImport, waiting: 3 }])
  })

  it('is refused if it is no JPEG, PNG or WebP, and nothing is stored', async () => {
    const importer = await newFileImporter()
    const storing = importer.storeFile('a', new Uint8Array(Buffer.from('GIF89a, which is no format that is read')))
    await expect(storing).rejects.toMatchObject({
      status: 415,
      problems: ['image: must be a JPEG, PNG or WebP file, not GIF'],
    })
    expect([await importer.stored(), await importer.loose(), await importer.imports()]).toEqual([0, [], []])
  })

  it('that breaks off leaves no line and nothing in storage', async () => {
    const importer = await newFileImporter()
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(image('the beginning')),
      pull: (controller) => controller.error(new Error('broken off')),
    })
    const upload = { importId: importer.importId, uuid: 'a', attribute: {}, origin: 'https://s.example' }
    const file = { name: 'a.jpg', size: 5000, body }
    await expect(
      storeFile({ db: importer.db, pictures, settings }, importer.tenantId, { ...upload, file }, 1000),
    ).rejects.toBeInstanceOf(Error)
    expect([await importer.imports(), await importer.stored(), await importer.loose()]).toEqual([[], 0, []])
  })

  it('is kept before its removal begins or not at all, and a removal that breaks off is made up for', async () => {
    const importer = await newFileImporter()
    const { db, tenantId } = importer
    for (const uuid of ['kept', 'late']) await importer.storeFile(uuid)
    await importer.run()
    await importer.endGarments('failed', ['kept', 'late'])
    await importer.run()
    const keep = async (uuid: string) => {
      const garment = (await importer.garments()).find((each) => each.uuid === uuid)
      if (garment === undefined) return undefined
      const fileIds = JSON.stringify(fileIdsOf(garment.pictureList))
      return (await db.run(unmarkUnreferenced(tenantId, fileIds, sql`1`))).meta.changes
    }
    expect(await keep('kept')).toBe(1)
    const breaksOff = {
      delete: async () => {
        expect(await keep('late')).toBe(0)
        throw new Error('Network connection lost.')
      },
    } as unknown as R2Bucket
    await expect(removeUnreferencedFiles({ db, pictures: breaksOff }, 2000 + 2 * hour)).rejects.toThrow('lost')
    expect((await importer.loose()).length).toBe(1)
    await removeUnreferencedFiles({ db, pictures }, 2000 + 2 * hour)
    expect([await importer.stored(), await importer.loose()]).toEqual([1, []])
  })

  it('is removed when its garment failed, or is removed', async () => {
    const importer = await newFileImporter()
    for (const uuid of ['failed', 'complete']) await importer.storeFile(uuid)
    await importer.run()
    await importer.endGarments('failed', ['failed'])
    await importer.endGarments('complete', ['complete'])
    await importer.run()
    await removeUnreferencedFiles({ db: importer.db, pictures }, 2000 + 2 * hour)
    expect(await importer.stored()).toBe(1)
    while (
      (await removeExpiredGarments({ db: importer.db, pictures }, [{ id: importer.tenantId, beforeMs: 2001 }], 500)) > 0
    );
    expect(await importer.stored()).toBe(0)
  })
})

describe('several image files of a garment', () => {
  const contents = ['front', 'back', 'label'].map((name) => image(name))

  it('are one line, sent twice are tagged once, and others under the same uuid are refused', async () => {
    const importer = await newFileImporter()
    await importer.storeFiles('a', contents)
    await importer.storeFiles('a', contents)
    for (const others of [contents.toReversed(), contents.slice(0, 2), [...contents.slice(0, 2), image('other')]])
      await importer.storeFiles('a', others)
    await importer.run()
    const statuses = (await importer.lines()).map(({ status }) => status)
    expect(statuses).toEqual(['tagging', 'unchanged', 'refused', 'refused', 'refused'])
    const [garment] = await importer.garments()
    if (garment === undefined) throw new Error('No garment is stored')
    await removeUnreferencedFiles({ db: importer.db, pictures }, 2000 + 2 * hour)
    expect([await importer.stored(), await importer.loose()]).toEqual([3, []])
    for (const [place, { file }] of garment.pictureList.entries())
      expect(await (await pictures.get(fileKey(importer.tenantId, file?.id ?? '')))?.bytes()).toEqual(contents[place])
  })

  it('are all removed with their line, and when their garment fails', async () => {
    const importer = await newFileImporter()
    await importer.storeFiles('failed', contents)
    await importer.run()
    await importer.endGarments('failed', ['failed'])
    await importer.run()
    await importer.storeFiles('waiting', contents)
    await deleteImports(importer.db, importer.tenantId, { ids: [importer.importId], by: someone }, 3000)
    await removeUnreferencedFiles({ db: importer.db, pictures }, 3000 + 2 * hour)
    expect([await importer.stored(), await importer.loose()]).toEqual([0, []])
  })

  it('are refused where one is there twice, and none is kept', async () => {
    const importer = await newFileImporter()
    await expect(importer.storeFiles('a', [...contents, image('front')])).rejects.toMatchObject({
      problems: ['image: must not have the same picture twice'],
    })
    expect([await importer.stored(), await importer.loose(), await importer.lines()]).toEqual([0, [], []])
  })
})

describe('the removal of imports', () => {
  it('removes old ones with their lines and unused files, and keeps younger ones', async () => {
    const importer = await newFileImporter()
    await importer.storeFile('a')
    await importer.store(csvOf(['young']), 9000)
    while (
      (await removeExpiredImports(
        importer.db,
        { tenants: [{ id: importer.tenantId, beforeMs: 5000 }], nowMs: 9000 },
        500,
      )) > 0
    );
    expect((await importer.lines()).map(({ uuid }) => uuid)).toEqual(['young'])
    expect((await importer.imports()).length).toBe(1)
    await removeUnreferencedFiles({ db: importer.db, pictures }, 9000 + 2 * hour)
    expect(await importer.stored()).toBe(0)
  })

  it('includes one that was broken off while it was stored', async () => {
    const importer = await newFileImporter()
    await importer.store(csvOf(['a', 'b']))
    await importer.db.$client
      .prepare('UPDATE imports SET stored_at = NULL WHERE tenant_id = ?')
      .bind(importer.tenantId)
      .run()
    const remove = async (nowMs: number) => await removeExpiredImports(importer.db, { tenants: [], nowMs }, 1)
    await remove(1000 + hour / 10)
    expect((await importer.lines()).length).toBe(2)
    while ((await remove(1000 + hour)) > 0);
    expect([await importer.lines(), await importer.imports()]).toEqual([[], []])
  })

  it('removes everything of a deleted tenant, step by step', async () => {
    const [importer, other] = [await newFileImporter(), await newFileImporter()]
    for (const uuid of ['a', 'b', 'c']) await importer.storeFile(uuid)
    await importer.store(csvOf(['d', 'e']))
    await other.storeFile('a')
    let steps = 0
    while ((await purgeImports({ db: importer.db, pictures }, importer.tenantId, 2)) > 0) steps++
    expect(steps).toBeGreaterThan(1)
    expect([await importer.stored(), await importer.lines(), await importer.imports()]).toEqual([0, [], []])
    expect([await other.stored(), (await other.lines()).length]).toEqual([1, 1])
  })
})
