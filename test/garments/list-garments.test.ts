import { beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import { findGarmentWithDeliveries } from '../../src/dashboard/garments/find-garment.ts'
import { type GarmentFilter, listGarments } from '../../src/garments/list/list-garments.ts'
import { bindings } from '../service.ts'
import { countDatabase } from '../support/count-database.ts'
import { storedResult } from '../support/stored-result.ts'
import { updateTexts } from './review/complete-garment.ts'
import { insertVaried, isWaiting } from './varied-garments.ts'
import { insertGarments } from '../support/stored-garment/insert-garments.ts'

const db = openDatabase(bindings.DB)
const count = 5000

/** Garments `g-1` to `g-5000`, the highest number the newest; every hundredth failed, the rest is complete. */
async function insertStock(tenantId: string) {
  const result = storedResult({ tag: { 'Item Type': 'T-Shirt', 'Item Type Confidence': 'High' } })
  await insertGarments(db, count, (i) => ({
    tenantId,
    uuid: `g-${i}`,
    status: i % 100 === 0 ? 'failed' : 'complete',
    createdAt: Math.floor(i / 2),
    endedAt: Math.floor(i / 2),
    result,
  }))
  await updateTexts(tenantId)
}

beforeAll(async () => {
  await insertVaried('many', count)
  await insertStock('a')
  await insertStock('b')
})

const uuids = ({ garments }: Awaited<ReturnType<typeof listGarments>>) => garments.map(({ uuid }) => uuid)

/** All pages one after the other. */
async function listAll(filter: Omit<GarmentFilter, 'cursor'>, tenantId = 'a') {
  const all: string[] = []
  let cursor: string | undefined
  do {
    const page = await listGarments(db, tenantId, { ...filter, cursor })
    all.push(...uuids(page))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return all
}

describe('the list of garments', () => {
  it('begins with the newest, with the cursor of the next page', async () => {
    const page = await listGarments(db, 'a', { limit: 2 })
    expect(page.garments[0]).toMatchObject({ uuid: 'g-5000', status: 'failed' })
    expect(page.nextCursor).toBe('2499_g-4999')
  })

  it('contains every garment once, also those of the same time', async () => {
    const all = await listAll({ limit: 700 })
    expect([all.length, new Set(all).size]).toEqual([count, count])
  })

  it('has no cursor after a last page that is full', async () => {
    const failed = await listAll({ status: 'failed', limit: 25 })
    expect(failed).toEqual(Array.from({ length: 50 }, (_, i) => `g-${5000 - i * 100}`))
  })

  it('finds all uuids with a prefix, the newest first', async () => {
    expect(await listAll({ search: 'g-499', limit: 4 })).toEqual([
      ...Array.from({ length: 10 }, (_, i) => `g-499${9 - i}`),
      'g-499',
    ])
    expect(await listAll({ search: 'g-4990', limit: 4 })).toEqual(['g-4990'])
    expect(await listAll({ search: 'G-4990', limit: 4 })).toEqual(['g-4990'])
  })

  it.each(['%', '_', "g-1' OR 1=1 --", '\u{10ffff}'])('searches for %j literally', async (search) => {
    expect(await listAll({ search, limit: 10 })).toEqual([])
  })

  it.each(['x', '1', '_g-1', `1_${'x'.repeat(129)}`])('refuses the cursor %j', async (cursor) => {
    await expect(listGarments(db, 'a', { limit: 2, cursor })).rejects.toMatchObject({ status: 400 })
  })

  it("shows nothing of another tenant's", async () => {
    expect(await listGarments(db, 'c', { limit: 2 })).toEqual({ garments: [], nextCursor: null, instead: null })
    expect(await findGarmentWithDeliveries(db, 'c', 'g-1', {})).toBe(null)
  })

  it.each([
    [{}, 135],
    [{ status: 'waiting' }, 102],
    [{ fromMs: 500, untilMs: 2000 }, 105],
    [{ doubtful: true }, 105],
    // Nearly all entries match, half of them, then a third, a fifth, a seventh.
    [{ status: 'complete' }, 155],
    [{ brand: 'Ann' }, 180],
    [{ itemType: 'Skirt' }, 205],
    [{ colour: 'Navy' }, 255],
    [{ corrected: true }, 310],
    [{ search: 'g-' }, 305],
  ] as const)('reads %j as far as a page needs, on later pages too', async (filter, maxRows) => {
    const limit = 24
    let cursor: string | undefined
    for (let pages = 0; pages < 3; pages++) {
      const { DB, counts } = countDatabase(bindings.DB)
      const page = await listGarments(openDatabase(DB), 'many', { ...filter, cursor, limit })
      expect(page.garments.length).toBe(limit)
      expect(counts.rowsRead).toBeLessThanOrEqual(maxRows)
      cursor = page.nextCursor ?? undefined
    }
  })

  it.each([
    ['brand', { brand: 'Ann' }, (i: number) => i % 2 === 0 && !isWaiting(i)],
    ['item type', { itemType: 'Skirt' }, (i: number) => i % 3 === 0 && !isWaiting(i)],
    ['colour', { colour: 'Navy' }, (i: number) => i % 5 === 0 && !isWaiting(i)],
    ['corrected', { corrected: true }, (i: number) => i % 7 === 0 && !isWaiting(i)],
    ['doubtful', { doubtful: true }, (i: number) => i % 4 === 1 && !isWaiting(i)],
    ['waiting', { status: 'waiting' }, isWaiting],
    ['date', { fromMs: 500, untilMs: 700 }, (i: number) => i >= 1000 && i < 1400 && !isWaiting(i)],
    [
      'brand, colour and status',
      { brand: 'Ann', colour: 'Navy', status: 'complete' },
      (i: number) => i % 10 === 0 && !isWaiting(i),
    ],
    [
      'uuid and type',
      { search: 'm-1', itemType: 'Skirt' },
      (i: number) => i % 6 === 0 && String(i).startsWith('1') && !isWaiting(i),
    ],
    ['none', {}, () => true],
  ] as const)('contains every garment of a filter once: %s', async (_, filter, isExpected) => {
    const all = await listAll({ ...filter, limit: 90 }, 'many')
    const expected = Array.from({ length: count }, (_each, i) => i + 1).filter((i) => isExpected(i))
    expect(all.length).toBe(expected.length)
    expect(new Set(all)).toEqual(new Set(expected.map((i) => `${i % 2 ? 'g' : 'm'}-${i}`)))
  })
})
