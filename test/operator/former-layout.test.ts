import { applyD1Migrations, type D1Migration } from 'cloudflare:test'
import { env as bindings } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/db/client.ts'
import { garments, importLines } from '../../src/db/schema.ts'
import { listPictures } from '../../src/operator/restore/list-pictures.ts'
import { claimGarment } from '../../src/review/claim-garment.ts'
import { countDoubtful } from '../../src/review/count-doubtful.ts'

const { EMPTY_DB_4, EMPTY_DB_5, TEST_MIGRATIONS, ...env } = bindings as unknown as Env & {
  readonly EMPTY_DB_4: D1Database
  readonly EMPTY_DB_5: D1Database
  readonly TEST_MIGRATIONS: D1Migration[]
}
const isRebuild = ({ name }: D1Migration) => name === '0019_rows_that_fit.sql'
const tenantId = '01890a5d-ac96-8001-bcce-b302099a8058'
const uuids = ['coat', 'coat/17', 'jeans']

it('the migration that large databases may leave out is there', () => {
  expect(TEST_MIGRATIONS.filter(isRebuild)).toHaveLength(1)
})

describe.each([
  ['with all migrations', EMPTY_DB_4, () => true],
  ['without the one that large databases may leave out', EMPTY_DB_5, (each: D1Migration) => !isRebuild(each)],
])('in a database %s', (_, binding, isApplied) => {
  const db = openDatabase(binding)

  beforeAll(async () => {
    await applyD1Migrations(binding, TEST_MIGRATIONS.filter(isApplied))
    const row = { tenantId, imageUrl: '', attribute: '{}', origin: '', createdAt: 1, endedAt: 1 }
    const tag = { 'Item Type': 'Coat', 'Item Type Confidence': 'Low' }
    const rows = uuids.map((uuid) => ({ ...row, uuid, pictureId: `of-${uuid}`, status: 'complete' as const, tag }))
    await db.insert(garments).values(rows)
    const line = { importId: 'import', line: 1, uuid: 'jeans', pictureId: '', status: 'complete' } as const
    await db.insert(importLines).values({ tenantId, imageUrl: '', attribute: '{}', ...line })
  })

  it.each([
    ['', uuids],
    [`${tenantId}/coat`, ['coat/17', 'jeans']],
    [`${tenantId}/coat/17`, ['jeans']],
    [`${tenantId}/jeans`, []],
  ])('the pictures of garments after "%s" are listed', async (at, expected) => {
    const { needed } = await listPictures({ ...env, DB: binding }, 1, { part: 'garments', at }, Date.now())
    expect(needed).toEqual(expected.map((uuid) => `annotated/${tenantId}/of-${uuid}`))
  })

  it('the doubtful garments of one import are counted and claimed', async () => {
    const filter = { importId: 'import' }
    expect(await countDoubtful(db, tenantId, filter)).toBe(1)
    expect(await claimGarment(db, tenantId, 'session', Date.now(), filter)).toBe('jeans')
  })
})
