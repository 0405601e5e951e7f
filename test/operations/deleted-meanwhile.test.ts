import { eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import * as schema from '../../src/platform/db/schema.ts'
import { fileForm } from '../../src/client/garment-methods.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { exportDefaultsSchema, putExportDefaults } from '../../src/exports/shops/export-defaults.ts'
import { recordExport } from '../../src/exports/last-exports.ts'
import { storeImage } from '../../src/garments/pictures/store-image.ts'
import { acceptFiles } from '../../src/garments/accept-upload.ts'
import { removeUnreferencedFiles } from '../../src/garments/pictures/uploaded-file.ts'
import { putReviewed } from '../../src/garments/review/review.ts'
import { putStudio } from '../../src/garments/studios.ts'
import { storeFile } from '../../src/imports/store-file.ts'
import { storeLines } from '../../src/imports/store-import-lines.ts'
import { settingsOf } from '../../src/settings.ts'
import { csvOf } from '../imports/tenant-imports.ts'
import { bindings, call, databaseOf, newTenant, raw, someone } from '../service.ts'
import { tenantTables } from '../support/check-statements.ts'
import { wrapDatabase } from '../support/wrap-database.ts'

const settings = settingsOf(bindings)
const pictures = bindings.PICTURES
const origin = 'https://s.example'
const content = Uint8Array.from({ length: 200 }, (_, i) => [0xff, 0xd8, 0xff][i] ?? 1)

/** The content, which is complete only once the file's row is stored and `act` has run. */
const arriving = (tenantId: string, act: () => Promise<unknown>) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(content.slice(0, 100)),
    async pull(controller) {
      const { storedFiles } = schema
      const isStored = eq(storedFiles.tenantId, tenantId)
      await vi.waitFor(async () => expect(await databaseOf(tenantId).$count(storedFiles, isStored)).toBe(1), waiting)
      await act()
      controller.enqueue(content.slice(100))
      controller.close()
    },
  })
const fileOf = (body: ReadableStream<Uint8Array> = new Blob([content]).stream()) => ({
  name: 'a.jpg',
  size: content.length,
  body,
})
const waiting = { timeout: 300_000, interval: 5 }
const made = { by: someone, at: 1000 }

/** Names of the tables of its database in which the tenant has rows, and the keys of its objects. */
async function leftOf(tenantId: string): Promise<string[]> {
  const db = databaseOf(tenantId)
  const left: string[] = []
  for (const { name, table, holder } of tenantTables)
    // The account is in the first database, whichever the tenant's is.
    if (name !== 'apiKeys' && (await db.$count(table, eq(holder, tenantId))) > 0) left.push(name)
  for (const prefix of ['uploaded', 'copies'])
    left.push(...(await pictures.list({ prefix: `${prefix}/${tenantId}/` })).objects.map(({ key }) => key))
  return left
}

/** What is left of the tenant in its database is as after its purge. */
async function newPurged() {
  const tenant = await newTenant()
  const purge = async () =>
    void (await databaseOf(tenant.tenantId)
      .delete(schema.tenantState)
      .where(eq(schema.tenantState.tenantId, tenant.tenantId)))
  return { ...tenant, db: databaseOf(tenant.tenantId), purge }
}

describe('a request that begins before the purge of its tenant and ends after it', () => {
  const form = fileForm({ uuid: 'f' }, [{ image: new Blob([content]), name: 'a.jpg' }])
  it.each([
    ['POST', 'upload', { uuid: 'a', image_url: 'http://127.0.0.1:9/x.jpg' }, 401],
    ['POST', 'upload', form, 401],
    ['POST', 'import', 'uuid,image_url\na,http://127.0.0.1:9/x.jpg\n', 429],
    ['PUT', 'webhook/config', { enabled: true, url: 'http://127.0.0.1:9/', secret: 'x'.repeat(24) }, 200],
    ['POST', 'webhook/endpoints', { url: 'http://127.0.0.1:9/' }, 409],
    ['POST', 'webhook/redeliver', { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' }, 409],
  ])('%s %s leaves nothing', async (method, path, body, status) => {
    const { tenantId, auth, purge } = await newPurged()
    await purge()
    const url = `/garment-tagging/${path}`
    const answer =
      typeof body === 'string'
        ? await raw(method, url, { ...auth, 'Content-Type': 'text/csv' }, body)
        : 'type' in body
          ? await raw(
              method,
              url,
              { ...auth, 'Content-Type': body.type as string },
              await (body as typeof form).body.arrayBuffer(),
            )
          : await call(method, url, auth, body)
    expect([answer.status, await leftOf(tenantId)]).toEqual([status, []])
  })

  it.each<
    [string, (tenant: { readonly tenantId: string; readonly db: ReturnType<typeof databaseOf> }) => Promise<unknown>]
  >([
    [
      'a file of an import',
      async ({ db, tenantId }) =>
        await storeFile(
          { db, pictures, settings },
          tenantId,
          { importId: tenantId, uuid: 'a', attribute: {}, file: fileOf(), origin },
          1000,
        ),
    ],
    ['a studio', async ({ db, tenantId }) => await putStudio(db, tenantId, { name: 'Paris', cm_per_pixel: 0.1 }, made)],
    [
      'defaults of exports',
      async ({ db, tenantId }) =>
        await putExportDefaults(
          db,
          tenantId,
          exportDefaultsSchema.parse({
            currency: '',
            price: '',
            condition: '',
            stock: '',
            availability: '',
            brand: '',
            size: '',
            gender: '',
            age_group: '',
            link: '',
            ebay_category: '',
            first_picture: '',
            cutout_ratio: '1:1',
          }),
          made,
        ),
    ],
    [
      'an export, which takes half an hour',
      async ({ db, tenantId }) => await recordExport(db, tenantId, 'csv', { exportedAt: 1, recent: [], leftOut: [] }),
    ],
    ['the attributes of the review', async ({ db, tenantId }) => await putReviewed(db, tenantId, ['Colour'])],
  ])('%s leaves nothing', async (_, create) => {
    const tenant = await newPurged()
    await tenant.purge()
    await create(tenant).catch(() => {})
    expect(await leftOf(tenant.tenantId)).toEqual([])
  })

  it('leaves no line of an import whose file is being stored', async () => {
    const { tenantId, db, purge } = await newPurged()
    let trips = 0
    const slow = wrapDatabase(db.$client, async (run) => {
      const result = await run()
      // The first trip counts the lines of today, the second creates the import.
      if (++trips === 2) {
        await purge()
        for (const table of [schema.imports, schema.tenantCounters])
          await db.delete(table).where(eq(table.tenantId, tenantId))
      }
      return result
    })
    await storeLines(
      { db: openDatabase(slow), settings },
      tenantId,
      { name: 'a', text: csvOf(['a']), by: { kind: 'member', id: 'm', name: 'Ann' }, origin },
      1000,
    )
    expect(trips).toBeGreaterThan(2)
    expect(await leftOf(tenantId)).toEqual([])
  })

  it('leaves nothing of a file that arrives meanwhile', async () => {
    const { tenantId, db, purge } = await newPurged()
    const body = arriving(tenantId, async () => {
      await purge()
      for (const table of [schema.storedFiles, schema.tenantCounters, schema.unreferencedFiles])
        await db.delete(table).where(eq(table.tenantId, tenantId))
    })
    const upload = { uuid: 'a', attribute: {}, file: fileOf(body), origin }
    await expect(acceptFiles({ env: bindings, db }, tenantId, upload, 1000)).rejects.toMatchObject({ status: 401 })
    expect(await leftOf(tenantId)).toEqual([])
  })
})

describe('a file whose row the sweep takes while it arrives', () => {
  const slowly = (db: ReturnType<typeof databaseOf>, tenantId: string) =>
    arriving(tenantId, async () => await removeUnreferencedFiles({ db, pictures }, 2 * 3_600_000))

  it('leaves no object, as an upload and in an import', async () => {
    const { tenantId, db } = await newPurged()
    const upload = { uuid: 'a', attribute: {}, origin }
    await expect(
      acceptFiles({ env: bindings, db }, tenantId, { ...upload, file: fileOf(slowly(db, tenantId)) }, 1000),
    ).rejects.toBeInstanceOf(Error)
    const line = { ...upload, importId: tenantId, file: fileOf(slowly(db, tenantId)) }
    await expect(storeFile({ db, pictures, settings }, tenantId, line, 1000)).rejects.toBeInstanceOf(Error)
    expect((await leftOf(tenantId)).filter((each) => each.startsWith('uploaded/'))).toEqual([])
    expect(await db.$count(schema.garments, eq(schema.garments.tenantId, tenantId))).toBe(0)
  })

  it('leaves no object if the form breaks off after its last byte', async () => {
    const { tenantId, db } = await newPurged()
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(content),
      pull: (controller) => controller.error(new Error('broken off')),
    })
    await expect(storeImage({ db, pictures, settings }, tenantId, fileOf(body), 1000)).rejects.toThrow('broken off')
    const left = (await leftOf(tenantId)).filter((each) => !['tenantState', 'tenantCounters'].includes(each))
    expect(left).toEqual([])
  })
})
