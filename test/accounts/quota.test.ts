import { pictureAt } from '../../src/garments/pictures/garment-picture.ts'
import { createExecutionContext } from 'cloudflare:test'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { app } from '../../src/app.ts'
import { garments, importLines, imports, tenantState } from '../../src/platform/db/schema.ts'
import { removeExpiredGarments } from '../../src/garments/remove-expired-garments.ts'
import { uploadGarment } from '../../src/garments/upload-garment.ts'
import { removeExpiredImports } from '../../src/imports/delete-import.ts'
import { continueImports } from '../../src/imports/importer.ts'
import { removeUnreferencedFiles } from '../../src/garments/pictures/uploaded-file.ts'
import { storeLines } from '../../src/imports/store-import-lines.ts'
import { storeFile } from '../../src/imports/store-file.ts'
import { type QuotaName } from '../../src/platform/db/count-rows.ts'
import { findStored, type Quotas, quotasOf } from '../../src/accounts/quotas.ts'
import { parseSettings } from '../../src/settings.ts'
import { csvOf, newImporter } from '../imports/tenant-imports.ts'
import { bindings, databaseOf, newTenant, uploadLimits } from '../service.ts'
import { removalMs } from '../operations/removal-time.ts'
import { countRowBytes } from '../support/count-row-bytes.ts'
import { fillDatabase } from '../support/fill-database.ts'

const pictures = bindings.PICTURES
const hour = 3600_000

const withSettings = (changes: Readonly<Record<string, string>>) => parseSettings({ ...bindings, ...changes })

/** What is stored, counted from the rows themselves. */
async function count(tenantId: string) {
  const columns = { rows: sql<number>`count(*)` }
  const db = databaseOf(tenantId)
  const [ofGarments] = await db.select(columns).from(garments).where(eq(garments.tenantId, tenantId))
  const [ofLines] = await db.select(columns).from(importLines).where(eq(importLines.tenantId, tenantId))
  const objects = (await pictures.list({ prefix: `uploaded/${tenantId}/` })).objects
  return {
    garments: ofGarments?.rows,
    import_lines: ofLines?.rows,
    row_bytes: await countRowBytes(db, tenantId),
    files: objects.length,
    file_bytes: objects.reduce((sum, object) => sum + object.size, 0),
  } satisfies Record<QuotaName, number | undefined>
}

const upload = { pictures: [pictureAt('https://a.example/')], origin: 'https://s.example' }

async function newCounted() {
  const importer = await newImporter()
  const { tenantId, db } = importer
  const settings = withSettings({})
  return {
    ...importer,
    upload: async (uuid: string, attribute = {}, quotas: Partial<Quotas> = {}) =>
      await uploadGarment(
        db,
        tenantId,
        { uuid, attribute, ...upload },
        { ...uploadLimits, quotas: { ...uploadLimits.quotas, ...quotas }, nowMs: quotas.nowMs ?? 1000 },
      ),
    storeLines: async (text: string, changes = {}, nowMs = 1000) =>
      await storeLines(
        { db, settings: withSettings(changes) },
        tenantId,
        { name: 'x', text, by: { kind: 'member', id: 'm', name: 'Ann' }, origin: upload.origin },
        nowMs,
      ),
    async storeFile(uuid: string, bytes: number, changes = settings) {
      const content = new Uint8Array(bytes)
      content.set([0xff, 0xd8, 0xff])
      const file = { name: `${uuid}.jpg`, size: bytes, body: new Blob([content]).stream() }
      const line = { importId: tenantId, uuid, attribute: {}, file, origin: upload.origin }
      await storeFile({ db, pictures, settings: changes }, tenantId, line, 1000)
    },
    expectCounted: async () => expect(await findStored(db, tenantId)).toEqual(await count(tenantId)),
  }
}

describe('what a tenant has stored', () => {
  it('is counted while garments are uploaded, restarted, imported and removed', async () => {
    const tenant = await newCounted()
    const { db } = tenant
    for (const uuid of ['a', 'a', 'ä']) await tenant.upload(uuid, { k: 'ü' })
    await tenant.expectCounted()
    await tenant.endGarments('failed', ['a'])
    await tenant.upload('a', { k: 'longer than before' })
    await tenant.expectCounted()
    await tenant.storeLines(`${csvOf(['a', 'n1', 'n2'])}bad,nowhere\n`)
    await tenant.expectCounted()
    await tenant.run()
    await tenant.expectCounted()
    expect((await findStored(db, tenant.tenantId)).garments).toBe(4)
    await tenant.endGarments('complete', ['a', 'ä', 'n1', 'n2'])
    await tenant.run()
    while (
      (await removeExpiredImports(db, { tenants: [{ id: tenant.tenantId, beforeMs: 1001 }], nowMs: 2000 }, 500)) > 0
    );
    await tenant.expectCounted()
    while ((await removeExpiredGarments({ db, pictures }, [{ id: tenant.tenantId, beforeMs: 9000 }], 500)) > 0);
    expect(await findStored(db, tenant.tenantId)).toEqual(await count(tenant.tenantId))
    expect((await findStored(db, tenant.tenantId)).garments).toBe(0)
  })

  it('is counted for files until they are removed from storage', async () => {
    const tenant = await newCounted()
    const { db } = tenant
    for (const [uuid, bytes] of [
      ['a', 10],
      ['a', 20],
      ['b', 30],
    ] as const)
      await tenant.storeFile(uuid, bytes)
    await tenant.expectCounted()
    expect(await findStored(db, tenant.tenantId)).toMatchObject({ files: 3, file_bytes: 60 })
    await tenant.run()
    await removeUnreferencedFiles({ db, pictures }, 2000 + 2 * hour)
    await tenant.expectCounted()
    expect((await findStored(db, tenant.tenantId)).files).toBe(2)
    await tenant.endGarments('complete', ['a', 'b'])
    while ((await removeExpiredGarments({ db, pictures }, [{ id: tenant.tenantId, beforeMs: 9000 }], 500)) > 0);
    expect(await findStored(db, tenant.tenantId)).toMatchObject({ garments: 0, files: 0, file_bytes: 0 })
  })
})

describe('a tenant above its quota', () => {
  const refused = (status: number, sentence: string) => ({
    status,
    message: 'Quota exceeded',
    problems: [expect.stringContaining(sentence)],
  })

  it('cannot upload a new garment, but one that it has', async () => {
    const tenant = await newCounted()
    await tenant.upload('a')
    const quotas = { garments: 1 }
    await expect(tenant.upload('b', {}, quotas)).rejects.toMatchObject(refused(429, 'at most 1 garments'))
    await expect(tenant.upload('b', { k: 'x' }, { row_bytes: 20 })).rejects.toMatchObject(
      refused(413, 'of rows in the database'),
    )
    expect(await tenant.upload('a', {}, quotas)).toBe(null)
    await tenant.endGarments('failed', ['a'])
    expect(await tenant.upload('a', {}, quotas)).not.toBe(null)
    await tenant.expectCounted()
  })

  it('cannot import more lines, and a partly stored file is removed', async () => {
    const tenant = await newCounted()
    const { db } = tenant
    const many = csvOf(Array.from({ length: 700 }, (_, i) => `n${i}`))
    // Now, since a sweep removes what it finds half stored of 1970.
    await expect(tenant.storeLines(many, { MAX_IMPORT_LINES: '600' }, Date.now())).rejects.toMatchObject(
      refused(429, 'at most 600 lines of imports'),
    )
    expect((await findStored(db, tenant.tenantId)).import_lines).toBe(500)
    await db
      .update(imports)
      .set({ createdAt: removalMs - hour })
      .where(eq(imports.tenantId, tenant.tenantId))
    while ((await removeExpiredImports(db, { tenants: [], nowMs: removalMs }, 500)) > 0);
    expect(await findStored(db, tenant.tenantId)).toMatchObject({ import_lines: 0, row_bytes: 0 })
    await tenant.storeLines(csvOf(['n1']), { MAX_IMPORT_LINES: '1' })
  })

  it('cannot store more files or bytes', async () => {
    const tenant = await newCounted()
    const { db } = tenant
    await tenant.storeFile('a', 600_000)
    await expect(tenant.storeFile('b', 10, withSettings({ MAX_FILES: '1' }))).rejects.toMatchObject(
      refused(429, 'at most 1 files'),
    )
    await expect(tenant.storeFile('b', 600_000, withSettings({ MAX_FILE_MEGABYTES: '1' }))).rejects.toMatchObject(
      refused(413, 'at most 1 MB of files'),
    )
    await tenant.expectCounted()
    expect(await findStored(db, tenant.tenantId)).toMatchObject({ files: 1 })
  })

  it('has the lines of its imports wait until there is room', async () => {
    const tenant = await newCounted()
    await tenant.storeLines(csvOf(['a', 'b']))
    const env: Env = Object.assign({}, tenant.env, { MAX_GARMENTS: '1' })
    await continueImports(env, tenant.tenantId, 2000)
    expect(await tenant.garments()).toEqual([])
    await tenant.expectCounted()
  })
})

describe('a new tenant', () => {
  const dayMs = 24 * hour
  /** Just before everything that these tests store. */
  const createdAt = 0

  const newAged = async (changes: Readonly<Record<string, string>>) => {
    const tenant = await newCounted()
    await tenant.db.update(tenantState).set({ createdAt }).where(eq(tenantState.tenantId, tenant.tenantId))
    const quotasOn = (day: number) => quotasOf(withSettings(changes), createdAt + (day - 1) * dayMs)
    return { ...tenant, quotasOn }
  }

  it('may have a part of its quota of garments, and more each day until it has the whole one', async () => {
    const tenant = await newAged({ MAX_GARMENTS: '4', QUOTA_GROWTH_DAYS: '4' })
    for (let day = 1; day <= 4; day++) {
      await tenant.upload(`on day ${day}`, {}, tenant.quotasOn(day))
      await expect(tenant.upload('one more', {}, tenant.quotasOn(day))).rejects.toMatchObject({
        status: 429,
        problems: [
          expect.stringContaining(`at most ${day} garments`),
          ...(day < 4 ? ['The tenant is new: it may have more each day, up to 4 on day 4.'] : []),
        ],
      })
    }
    await expect(tenant.upload('one more', {}, tenant.quotasOn(100))).rejects.toMatchObject({ status: 429 })
    await tenant.expectCounted()
  })

  it('may have a part of its files and lines', async () => {
    const tenant = await newAged({})
    const early = { MAX_FILES: '20', MAX_IMPORT_LINES: '20', QUOTA_GROWTH_DAYS: '20' }
    await expect(tenant.storeLines(csvOf(['a', 'b']), early, createdAt)).rejects.toMatchObject({ status: 429 })
    await tenant.storeFile('a', 10, withSettings(early))
    await expect(tenant.storeFile('b', 10, withSettings(early))).rejects.toMatchObject({ status: 429 })
    await tenant.storeLines(csvOf(['a', 'b']), early, createdAt + 3 * dayMs)
  })

  it('adds nothing for 30 days in a database that is nearly full', async () => {
    const tenant = await newAged({})
    const refusal = { status: 413, problems: [expect.stringContaining('Storage is nearly full')] }
    await fillDatabase(tenant.db, async () => {
      await expect(tenant.upload('a', {}, tenant.quotasOn(30))).rejects.toMatchObject(refusal)
      await expect(tenant.storeFile('a', 10)).rejects.toMatchObject(refusal)
      await expect(tenant.storeLines(csvOf(['a']))).rejects.toMatchObject(refusal)
      await tenant.upload('a', {}, tenant.quotasOn(31))
    })
    await tenant.upload('b', {}, tenant.quotasOn(2))
  })

  it('is not refused once it is established, unless it adds more than its share of the day', async () => {
    const tenant = await newAged({})
    const long = { k: 'x'.repeat(500) }
    await fillDatabase(
      tenant.db,
      async () => {
        for (const uuid of ['a', 'b', 'c']) await tenant.upload(uuid, long, tenant.quotasOn(40))
        await expect(tenant.upload('d', long, tenant.quotasOn(40))).rejects.toMatchObject({ status: 413 })
        // The next day.
        await tenant.upload('d', long, tenant.quotasOn(41))
      },
      8000,
    )
    await tenant.upload('e', long, tenant.quotasOn(40))
    await tenant.expectCounted()
  })

  it('has 10,000 garments on its first day where nothing else is set, and sees so', async () => {
    const { merchant } = await newTenant()
    const usage = async (vars: object) => {
      const request = new Request('http://service.test/merchant/tenant/usage', { headers: merchant.bearer })
      const response = await app.fetch(request, { ...bindings, ...vars }, createExecutionContext())
      return (await response.json<{ data: Record<QuotaName, { limit: number }> }>()).data.garments.limit
    }
    expect(await usage({ ALLOW_LOCAL_TARGETS: 'false' })).toBe(10_000)
    expect(await usage({})).toBe(200_000)
  })
})
