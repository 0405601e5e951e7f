import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { unreferencedFiles } from '../../src/platform/db/schema.ts'
import { binImports, deleteImports, removeExpiredImports, restoreImports } from '../../src/imports/delete-import.ts'
import { getImport, binnedImportsQuery, listImports } from '../../src/imports/get-import.ts'
import { pauseImport } from '../../src/imports/wake-importer.ts'
import { dayMs } from '../../src/time.ts'
import { storeFile } from '../../src/imports/store-file.ts'
import { storeLines } from '../../src/imports/store-import-lines.ts'
import { findStored } from '../../src/accounts/quotas.ts'
import { bindings, someone } from '../service.ts'
import { csvOf, newImporter, numbered, settings } from './tenant-imports.ts'

const corrector = { kind: 'member', id: 'm', name: 'Ann' } as const

describe('a deleted import', () => {
  it('is gone with its lines, of which those that waited are not uploaded; its garments stay', async () => {
    const importer = await newImporter(10)
    const { tenantId, db } = importer
    const id = await importer.store(csvOf(numbered(1200)))
    await importer.step()
    expect(await deleteImports(db, tenantId, { ids: [id], by: someone }, 3000)).toBe(1)
    expect([await importer.imports(), await importer.lines(), (await importer.garments()).length]).toEqual([[], [], 8])
    expect(await importer.step()).toBe(null)
    expect(await findStored(db, tenantId)).toMatchObject({ import_lines: 0, garments: 8 })
  })

  it('leaves the files of lines that waited to the sweep', async () => {
    const importer = await newImporter()
    const { tenantId, db } = importer
    const file = { name: 'f.jpg', size: 3, body: new Blob([new Uint8Array([0xff, 0xd8, 0xff])]).stream() }
    const line = { importId: crypto.randomUUID(), uuid: 'f', attribute: {}, file, origin: 'https://s.example' }
    await storeFile({ db, pictures: bindings.PICTURES, settings }, tenantId, line, 500)
    await deleteImports(db, tenantId, { ids: [line.importId], by: someone }, 3000)
    const loose = await db.select().from(unreferencedFiles).where(eq(unreferencedFiles.tenantId, tenantId))
    expect(loose).toMatchObject([{ since: 3000 }])
  })

  it("is not found again, nor another tenant's, nor one whose lines are being stored", async () => {
    const [importer, other] = [await newImporter(), await newImporter()]
    const id = await importer.store(csvOf(['a']))
    const deletion = { ids: [id], by: someone }
    expect(await deleteImports(other.db, other.tenantId, deletion, 3000)).toBe(0)
    await importer.db.$client
      .prepare('UPDATE imports SET stored_at = NULL WHERE tenant_id = ? AND id = ?')
      .bind(importer.tenantId, id)
      .run()
    expect(await deleteImports(importer.db, importer.tenantId, deletion, 3000)).toBe(0)
    await importer.db.$client
      .prepare('UPDATE imports SET stored_at = 1 WHERE tenant_id = ? AND id = ?')
      .bind(importer.tenantId, id)
      .run()
    expect(await deleteImports(importer.db, importer.tenantId, deletion, 3000)).toBe(1)
    expect(await deleteImports(importer.db, importer.tenantId, deletion, 3000)).toBe(0)
  })
})

describe('the lines that a tenant imports in a day', () => {
  const few = { ...settings, MAX_IMPORT_LINES: 3, QUOTA_GROWTH_DAYS: 1 }

  it('are limited, deleted ones included, until the next day', async () => {
    const { db, tenantId } = await newImporter()
    const file = { name: 'stock.csv', by: corrector, origin: 'https://s.example' }
    const store = async (uuid: string, nowMs: number) =>
      await storeLines({ db, settings: few }, tenantId, { ...file, text: csvOf([uuid]) }, nowMs)
    for (const uuid of numbered(3)) {
      const { id } = await store(uuid, 1000)
      expect(await deleteImports(db, tenantId, { ids: [id], by: someone }, 2000)).toBe(1)
    }
    await expect(store('more', 3000)).rejects.toMatchObject({
      status: 429,
      code: 'quota_exceeded',
      problems: ['A tenant imports at most 3 lines a day; the next day begins at 00:00 UTC.'],
      headers: { 'Retry-After': '86397' },
    })
    expect(await store('more', dayMs)).toMatchObject({ accepted: 1 })
  })
})

describe('imports that are deleted together', () => {
  it('are gone with their lines, but those of others and those that are being stored', async () => {
    const [importer, other] = [await newImporter(), await newImporter()]
    const { db, tenantId } = importer
    const [first, second, kept, storing] = [
      await importer.store(csvOf(numbered(3))),
      await importer.store(csvOf(numbered(2, 's'))),
      await importer.store(csvOf(['k'])),
      await importer.store(csvOf(['t'])),
    ]
    await db.$client
      .prepare('UPDATE imports SET stored_at = NULL WHERE tenant_id = ? AND id = ?')
      .bind(tenantId, storing)
      .run()
    const foreign = await other.store(csvOf(['f']))
    expect(
      await deleteImports(db, tenantId, { ids: [first, 'none', foreign, second, storing], by: someone }, 3000),
    ).toBe(2)
    expect((await importer.imports()).map(({ id }) => id).sort()).toEqual([kept, storing].sort())
    expect((await importer.lines()).map(({ uuid }) => uuid).sort()).toEqual(['k', 't'])
    expect((await other.lines()).length).toBe(1)
    expect(await findStored(db, tenantId)).toMatchObject({ import_lines: 2 })
  })

  it('are gone for the tenant where they have more lines than are removed at once', async () => {
    const { db, tenantId, ...importer } = await newImporter(10)
    const ids = [await importer.store(csvOf(numbered(1200))), await importer.store(csvOf(['a']))]
    expect(await deleteImports(db, tenantId, { ids, by: someone, maxSteps: 1 }, 3000)).toBe(2)
    expect((await importer.lines()).length).toBe(701)
    expect((await listImports(db, tenantId, { limit: 5 })).rows).toEqual([])
    for (const id of ids)
      await expect(getImport(db, tenantId, id, { after: 0, limit: 1 })).rejects.toMatchObject({ status: 404 })
    expect(await importer.step()).toBe(null)
    expect(await importer.garments()).toEqual([])
  })
})

describe('an import in the bin', () => {
  it('is not found, uploads no more, and is back when it is taken out, paused', async () => {
    const [importer, other] = [await newImporter(), await newImporter()]
    const { db, tenantId } = importer
    const id = await importer.store(csvOf(['a', 'b']))
    const binning = { ids: [id], by: someone }
    expect(await binImports(other.db, other.tenantId, binning, 3000)).toBe(0)
    expect(await binImports(db, tenantId, binning, 3000)).toBe(1)
    expect(await binImports(db, tenantId, binning, 3000)).toBe(0)
    await expect(getImport(db, tenantId, id, { after: 0, limit: 1 })).rejects.toMatchObject({ status: 404 })
    expect((await listImports(db, tenantId, { limit: 5 })).rows).toEqual([])
    expect((await binnedImportsQuery(db, tenantId, 5, 3000)).map((row) => row.id)).toEqual([id])
    await expect(pauseImport({ env: bindings, db }, tenantId, { id, paused: false })).rejects.toMatchObject({
      status: 404,
    })
    await importer.step()
    expect([await importer.garments(), (await findStored(db, tenantId)).import_lines]).toEqual([[], 2])

    expect(await restoreImports(other.db, other.tenantId, binning, 3000)).toBe(0)
    expect(await restoreImports(db, tenantId, binning, 3000)).toBe(1)
    expect((await getImport(db, tenantId, id, { after: 0, limit: 1 })).import).toMatchObject({
      paused: true,
      waiting: 2,
    })
  })

  it('is removed by the sweep after 30 days, from which moment nobody takes it out', async () => {
    const { db, tenantId, ...importer } = await newImporter()
    const binning = { ids: [await importer.store(csvOf(['a']))], by: someone }
    await binImports(db, tenantId, binning, 3000)
    const end = 3000 + 30 * dayMs
    // Other tests' imports are swept too, one in a step.
    const sweep = async (nowMs: number) => {
      while ((await removeExpiredImports(db, { tenants: [], nowMs }, 500)) > 0);
    }
    await sweep(end - 1)
    expect((await importer.imports()).length).toBe(1)
    expect(await restoreImports(db, tenantId, binning, end)).toBe(0)
    await sweep(end)
    expect([await importer.imports(), await importer.lines()]).toEqual([[], []])
    expect(await findStored(db, tenantId)).toMatchObject({ import_lines: 0 })
  })
})
