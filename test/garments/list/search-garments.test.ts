import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { correctGarment } from '../../../src/garments/corrections/correct-garment.ts'
import { deleteGarment } from '../../../src/garments/delete-garment.ts'
import { openDatabase } from '../../../src/platform/db/database.ts'
import { searchWords, tenantState } from '../../../src/platform/db/schema.ts'
import { walkGarments } from '../../../src/exports/walk-garments.ts'
import { catchUp, continueCatchingUp } from '../../../src/garments/list/index-new-garments.ts'
import { countFound, searchGarments } from '../../../src/garments/list/search-garments.ts'
import { sessionOf } from '../../dashboard/session-of.ts'
import { deps, insertGarment, machineTag } from '../review/complete-garment.ts'
import { bindings, databaseOf, newTenant, raw, someone } from '../../service.ts'
import { countDatabase } from '../../support/count-database.ts'

const nowMs = 10_000_000

async function newShop() {
  const { tenantId, merchant } = await newTenant()
  const db = databaseOf(tenantId)
  const find = async (search: string, filter = {}) => {
    const found: string[] = []
    let [cursor, word]: (string | undefined)[] = []
    do {
      const page = await searchGarments(db, tenantId, { search, limit: 3, cursor, word, ...filter })
      found.push(...page.garments.map(({ uuid }) => uuid))
      ;[cursor, word] = [page.nextCursor ?? undefined, page.nextWord]
    } while (cursor !== undefined)
    return found
  }
  return { tenantId, merchant, db, find }
}

async function insertNamed(tenantId: string) {
  const tag = (brand: string) => ({ ...machineTag, Brand: brand })
  await insertGarment(tenantId, 'IMG_2001.jpg', { attribute: '{"Brand":"Müller & Söhne"}', tag: tag('Müller & Söhne') })
  await insertGarment(tenantId, 'b', { attribute: '{"Shelf":"K 12","Title":"Red summer dress"}', createdAt: 2000 })
  await insertGarment(tenantId, 'c', { attribute: '{"SKU":"AB-77","Shelf":"K 13"}', createdAt: 3000 })
  await insertGarment(tenantId, 'mulled', { createdAt: 4000 })
  await insertGarment(tenantId, 'waits', {
    status: 'queuing',
    tag: null,
    attribute: '{"SKU":"AB-78"}',
    createdAt: 5000,
    dueAt: 5060,
    endedAt: null,
  })
}

describe('a search', () => {
  it('finds words of uuids, brands, titles and own values, without regard to case and accents', async () => {
    const { tenantId, db, find } = await newShop()
    await insertNamed(tenantId)
    await insertGarment(crypto.randomUUID(), 'of another', { attribute: '{"Brand":"Muller"}' })
    await catchUp(db, tenantId, nowMs)
    expect(await find('MULLER')).toEqual(['IMG_2001.jpg'])
    expect(await find('söhne müll')).toEqual(['IMG_2001.jpg'])
    expect(await find('2001')).toEqual(['IMG_2001.jpg'])
    expect(await find('dress red')).toEqual(['b'])
    expect(await find('ab-7')).toEqual(['waits', 'c'])
    expect(await find('k')).toEqual(['c', 'b'])
    const count = async (search: string, filter = {}) => await countFound(db, tenantId, { search, ...filter })
    expect(await count('k')).toEqual({ count: 2, isAll: true })
    expect(await count('dress red')).toEqual({ count: 1, isAll: true })
    // By its uuid and by the words of another.
    expect(await count('mull')).toEqual({ count: 2, isAll: true })
    expect(await count('ab-7', { status: 'waiting' })).toEqual({ count: 1, isAll: true })
    expect(await count('ab-77 k')).toEqual({ count: 1, isAll: true })
    // By its uuid first.
    expect(await find('MUL')).toEqual(['mulled', 'IMG_2001.jpg'])
    for (const nothing of ['muller dress', 'summe red', '&', '%', "k' OR 1=1 --", 'x'.repeat(600)])
      expect([nothing, await find(nothing)]).toEqual([nothing, []])
    expect(await find('k', { colour: 'Navy', fromMs: 2500 })).toEqual(['c'])
  })

  it('says that its index is being made, which the sweep ends, and has later uploads after a minute', async () => {
    const { tenantId, db, find } = await newShop()
    await insertNamed(tenantId)
    const state = async () => (await searchGarments(db, tenantId, { search: 'k', limit: 3 })).caughtUpAt
    expect(await state()).toBe(null)
    await catchUp(db, tenantId, nowMs, 0)
    await db.update(tenantState).set({ searchCursor: '' }).where(eq(tenantState.tenantId, tenantId))
    await continueCatchingUp(db, nowMs)
    expect([await state(), await find('dress')]).toEqual([nowMs, ['b']])
    await insertGarment(tenantId, 'late', { attribute: '{"Title":"Dress"}', createdAt: nowMs - 1 })
    await insertGarment(tenantId, 'overtaken', { attribute: '{"Title":"Dress"}', createdAt: nowMs - 50_000 })
    await catchUp(db, tenantId, nowMs)
    expect(await find('dress')).toEqual(['late', 'overtaken', 'b'])
    await insertGarment(tenantId, 'overtaken too', { attribute: '{"Title":"Dress"}', createdAt: nowMs - 40_000 })
    await catchUp(db, tenantId, nowMs)
    expect((await find('dress')).includes('overtaken too')).toBe(true)
  })

  it('finds what was corrected or changed since, and no longer what it was, nor what was deleted', async () => {
    const { tenantId, db, find } = await newShop()
    await insertNamed(tenantId)
    await catchUp(db, tenantId, nowMs)
    const patch = { tag: { Brand: 'Acme' }, measurements: {}, attribute: { Shelf: 'Z9' } }
    const by = { kind: 'member', id: 's', name: 'Ann' } as const
    await correctGarment({ ...deps, db }, tenantId, { uuid: 'b', patch, by }, nowMs)
    expect([await find('acme'), await find('z9'), await find('12')]).toEqual([['b'], ['b'], []])
    const queues = { taggingQueue: bindings.TAGGING_QUEUE, webhookQueue: bindings.WEBHOOK_QUEUE }
    await deleteGarment({ db, pictures: bindings.PICTURES, ...queues }, tenantId, 'b', nowMs, someone)
    expect(await find('acme')).toEqual([])
    const words = await db.select().from(searchWords).where(eq(searchWords.tenantId, tenantId))
    expect(words.filter(({ uuid }) => uuid === 'b')).toEqual([])
  })

  it('writes no words for a tenant that does not search', async () => {
    const { tenantId, db } = await newShop()
    await insertNamed(tenantId)
    const patch = { tag: {}, measurements: {}, attribute: { Shelf: 'Z9' } }
    await correctGarment(
      { ...deps, db },
      tenantId,
      { uuid: 'b', patch, by: { kind: 'member', id: 's', name: 'Ann' } },
      nowMs,
    )
    expect(await db.select().from(searchWords).where(eq(searchWords.tenantId, tenantId))).toEqual([])
  })

  it('is what the export has, too', async () => {
    const { tenantId, db, find } = await newShop()
    await insertNamed(tenantId)
    await catchUp(db, tenantId, nowMs)
    for (const search of ['müller', 'mul', 'K 1', 'dress red', 'nothing']) {
      const exported: string[] = []
      for await (const page of walkGarments(db, tenantId, { search }, undefined))
        exported.push(...page.map(({ uuid }) => uuid))
      expect([search, exported.sort()]).toEqual([search, (await find(search)).sort()])
    }
  })

  it('reads at most 100 rows in one round trip with 20,000 garments, and every match is on one page', async () => {
    const { tenantId, db } = await newShop()
    await db.run(sql`
      INSERT INTO garments (tenant_id, uuid, image_url, attribute, origin, status, picture_id, created_at, ended_at, tag, measurements)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      SELECT ${tenantId}, 'g' || i, 'https://a.example/', json_object('Brand', iif(i % 50, 'Ann', 'Anna'), 'SKU', 'S' || i,
        'Shelf', iif(i % 40, 'low', 'high')), 'https://s.example', 'complete', 'p' || i, i, i, ${JSON.stringify(machineTag)}, '{}' FROM n`)
    await catchUp(db, tenantId, nowMs, 100)
    const expected: readonly (readonly [string, number])[] = [
      ['ann', 20_000],
      ['anna', 400],
      ['s77', 111],
      ['high anna', 100],
      ['high an', 500],
      ['g19', 1111],
    ]
    for (const [search, count] of expected) {
      const found = new Set<string>()
      let [cursor, word]: (string | undefined)[] = []
      let pages = 0
      do {
        let trips = 0
        const { DB, counts } = countDatabase(db.$client, () => trips++)
        const page = await searchGarments(openDatabase(DB), tenantId, { search, limit: 24, cursor, word })
        expect([search, trips, counts.rowsRead <= 100]).toEqual([search, 1, true])
        for (const { uuid } of page.garments) found.add(uuid)
        ;[cursor, word] = [page.nextCursor ?? undefined, page.nextWord]
      } while (cursor !== undefined && ++pages < 60)
      expect([search, found.size]).toEqual([search, pages < 60 ? count : 60 * 24])
    }
    for (const [filter, total] of [
      [{ search: 'ann' }, { count: 10_000, isAll: false }],
      [{ search: 'high an' }, { count: 500, isAll: true }],
      [
        { search: 'an', brand: 'Bob' },
        { count: 0, isAll: false },
      ],
      [{ search: 'g' }, { count: 10_000, isAll: false }],
    ] as const) {
      const { DB, counts } = countDatabase(db.$client)
      expect([filter, await countFound(openDatabase(DB), tenantId, filter)]).toEqual([filter, total])
      // Each scan reads the entry after its last one, too.
      expect([filter, counts.rowsRead <= 10_010]).toEqual([filter, true])
    }
  })
})

it('the list of garments searches, and tells that it prepares that', async () => {
  const { tenantId, merchant, find } = await newShop()
  await insertNamed(tenantId)
  const session = await sessionOf(merchant.id)
  const show = async () => await (await raw('GET', '/dashboard/garments?search=DRESS', session)).text()
  expect(await show()).toContain('is being prepared')
  await expect.poll(async () => await find('dress')).toEqual(['b'])
  const page = await show()
  expect(page).toContain('/dashboard/garment?uuid=b')
  expect(page).not.toContain('is being prepared')
})
