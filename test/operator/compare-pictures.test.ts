import { expect, it } from 'vitest'
import { getDatabase } from '../../src/db/databases/find-database.ts'
import { newTenantId } from '../../src/db/databases/database-number.ts'
import { garments, storedFiles, unusedPictures } from '../../src/db/schema.ts'
import { comparePictures, type PicturePage } from '../../src/local/compare-pictures.ts'
import { newTenantIn, request, threeDatabases } from '../db/three-databases.ts'

const token = 'an operator token for tests, long enough'
const env = { ...threeDatabases, OPERATOR_TOKEN: token } as Env
const authorized = { Authorization: `Bearer ${token}` }
const longAgo = Date.now() - 24 * 3600_000

it('pictures without a row and rows without a picture are found after a restore', async () => {
  const { tenantId } = await newTenantIn(3)
  const stranger = newTenantId(2)
  const db = getDatabase(env, 3)
  const row = { tenantId, attribute: '{}', origin: '', createdAt: longAgo }
  const file = (id: string) => `upload:${id.padEnd(36, '-')}/digest/name.jpg`
  const garment = (uuid: string, pictureId: string, imageUrl = '') => ({ ...row, uuid, pictureId, imageUrl })
  const ended = { status: 'complete', endedAt: longAgo } as const
  await db.insert(garments).values([
    { ...garment('well', 'there'), ...ended },
    { ...garment('bare', 'missing', file('lost')), ...ended },
    { ...garment('young', 'on-its-way'), status: 'complete', endedAt: Date.now() + 3600_000 },
    { ...garment('waiting', 'later', file('sent')), status: 'queuing', dueAt: 1 },
  ])
  await db.insert(storedFiles).values({ tenantId, pictureId: 'imported', bytes: 1 })
  await db.insert(unusedPictures).values({ tenantId, pictureId: 'replaced', removeAt: 0 })
  const keys = [
    `annotated/${tenantId}/there`,
    `annotated/${tenantId}/there.small`,
    `annotated/${tenantId}/replaced`,
    `annotated/${tenantId}/replaced.small`,
    `annotated/${tenantId}/orphan`,
    `annotated/${tenantId}/orphan.small`,
    `annotated/${stranger}/of-another-database`,
    `uploaded/${tenantId}/${'sent'.padEnd(36, '-')}`,
    `uploaded/${tenantId}/imported`,
    `uploaded/${tenantId}/left`,
  ]
  await Promise.all(keys.map(async (key) => await env.PICTURES.put(key, 'x')))
  async function* pages(before: Date): AsyncGenerator<PicturePage> {
    let cursor: string | null = ''
    while (cursor !== null) {
      const query = new URLSearchParams({ database: '3', before: before.toISOString() })
      if (cursor !== '') query.set('cursor', cursor)
      const { body } = await request(env, 'GET', `/operator/pictures?${query.toString()}`, authorized)
      yield body.data as PicturePage
      cursor = body.data.cursor as string | null
    }
  }
  const mine = (found: readonly string[]) => found.filter((key) => key.includes(tenantId)).sort()
  // What was stored just now is not older than `before` otherwise.
  const found = await comparePictures(pages(new Date(Date.now() + 60_000)))
  expect(mine(found.picturesWithoutRow)).toEqual([
    `annotated/${tenantId}/orphan`,
    `annotated/${tenantId}/orphan.small`,
    `uploaded/${tenantId}/left`,
  ])
  expect(mine(found.rowsWithoutPicture)).toEqual([
    `annotated/${tenantId}/missing`,
    `uploaded/${tenantId}/${'lost'.padEnd(36, '-')}`,
  ])
  expect(found.picturesWithoutRow.filter((key) => key.includes(stranger))).toEqual([])
  expect(mine((await comparePictures(pages(new Date(longAgo)))).picturesWithoutRow)).toEqual([])
})
