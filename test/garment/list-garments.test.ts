import { beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/db/client.ts'
import { findGarmentWithDelivery } from '../../src/overview/find-garment-with-delivery.ts'
import { listGarments } from '../../src/garment/list-garments.ts'
import { bindings } from '../service.ts'
import { countDatabase } from '../support/count-database.ts'

const db = openDatabase(bindings.DB)
const count = 5000

/** Garments `g-1` to `g-5000`, the highest number the newest; every hundredth failed, the rest is complete. */
async function insertGarments(tenantId: string) {
  await bindings.DB.prepare(
    `INSERT INTO garments (tenant_id, uuid, image_url, attribute, origin, status, picture_id, created_at, ended_at, tag, measurements)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     SELECT ?, 'g-' || i, 'https://a.example/', '{}', 'https://s.example', iif(i % 100 = 0, 'failed', 'complete'), 'p' || i,
       i / 2, i / 2, '{"Item Type":"T-Shirt"}', '{}' FROM n`,
  )
    .bind(count, tenantId)
    .run()
}

beforeAll(async () => {
  await insertGarments('a')
  await insertGarments('b')
})

const uuids = ({ garments }: Awaited<ReturnType<typeof listGarments>>) => garments.map(({ uuid }) => uuid)

/** All pages one after the other. */
async function listAll(filter: Omit<Parameters<typeof listGarments>[2], 'cursor'>) {
  const all: string[] = []
  let cursor: string | undefined
  do {
    const page = await listGarments(db, 'a', { ...filter, cursor })
    all.push(...uuids(page))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return all
}

describe('the list of garments', () => {
  it('begins with the newest, tells the item type, and says where it goes on', async () => {
    const page = await listGarments(db, 'a', { limit: 2 })
    expect(page.garments[0]).toMatchObject({ uuid: 'g-5000', status: 'failed', itemType: 'T-Shirt' })
    expect(page.nextCursor).toBe('2499_g-4999')
  })

  it('comes to every garment once, those of the same time too', async () => {
    const all = await listAll({ limit: 700 })
    expect([all.length, new Set(all).size]).toEqual([count, count])
  })

  it('ends where it ends, on a full page too', async () => {
    const failed = await listAll({ status: 'failed', limit: 25 })
    expect(failed).toEqual(Array.from({ length: 50 }, (_, i) => `g-${5000 - i * 100}`))
  })

  it('finds a uuid and all that begin like it, by uuid', async () => {
    expect(await listAll({ search: 'g-499', limit: 4 })).toEqual([
      'g-499',
      ...Array.from({ length: 10 }, (_, i) => `g-499${i}`),
    ])
    expect(await listAll({ search: 'g-4990', limit: 4 })).toEqual(['g-4990'])
  })

  it.each(['G-1', '%', 'g_1', '_', "g-1' OR 1=1 --", '\u{10ffff}'])('takes %j as text', async (search) => {
    expect(await listAll({ search, limit: 10 })).toEqual([])
  })

  it.each(['x', '1', '_g-1', `1_${'x'.repeat(129)}`])('refuses the cursor %j', async (cursor) => {
    await expect(listGarments(db, 'a', { limit: 2, cursor })).rejects.toMatchObject({ status: 400 })
  })

  it("shows nothing of another tenant's", async () => {
    expect(await listGarments(db, 'c', { limit: 2 })).toEqual({ garments: [], nextCursor: null })
    expect(await findGarmentWithDelivery(db, 'c', 'g-1')).toBe(null)
  })

  it('reads no more rows with 5,000 garments than a page has, whatever the filter', async () => {
    const limit = 24
    const filters = [
      {},
      { status: 'failed' },
      { search: 'g-' },
      { status: 'complete', cursor: '1200_g-2401' },
      { search: 'g-', cursor: '0_g-3' },
    ] as const
    for (const filter of filters) {
      const { DB, counts } = countDatabase(bindings.DB)
      const page = await listGarments(openDatabase(DB), 'a', { ...filter, limit })
      expect(page.garments.length).toBe(limit)
      // One more than is shown, and for each its row beside its entry in the index; without a filter that for each of
      // the states.
      const walks = 'status' in filter || 'search' in filter ? 1 : 3
      expect(counts.rowsRead).toBeLessThanOrEqual(walks * 2 * (limit + 1))
    }
  })
})
