import { applyD1Migrations, type D1Migration } from 'cloudflare:test'
import { env as bindings } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { openDatabase } from '../../src/db/client.ts'
import { garments } from '../../src/db/schema.ts'
import { listPictures } from '../../src/operator/restore/list-pictures.ts'

const { EMPTY_DB_4, TEST_MIGRATIONS, ...env } = bindings as unknown as Env & {
  readonly EMPTY_DB_4: D1Database
  readonly TEST_MIGRATIONS: D1Migration[]
}
const tenantId = '01890a5d-ac96-8001-bcce-b302099a8058'
const uuids = ['coat', 'coat/17', 'jeans']

beforeAll(async () => {
  await applyD1Migrations(EMPTY_DB_4, TEST_MIGRATIONS)
  const row = { tenantId, imageUrl: '', attribute: '{}', origin: '', createdAt: 1, endedAt: 1 }
  const rows = uuids.map((uuid) => ({ ...row, uuid, pictureId: `of-${uuid}`, status: 'complete' as const }))
  await openDatabase(EMPTY_DB_4).insert(garments).values(rows)
})

it.each([
  ['', uuids],
  [`${tenantId}/coat`, ['coat/17', 'jeans']],
  [`${tenantId}/coat/17`, ['jeans']],
  [`${tenantId}/jeans`, []],
])('the pictures of garments after "%s" are listed', async (at, expected) => {
  const { needed } = await listPictures({ ...env, DB: EMPTY_DB_4 }, 1, { part: 'garments', at }, Date.now())
  expect(needed).toEqual(expected.map((uuid) => `annotated/${tenantId}/of-${uuid}`))
})
