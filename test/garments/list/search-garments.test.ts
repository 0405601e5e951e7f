import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { correctGarment } from '../../../src/garments/corrections/correct-garment.ts'
import { openDatabase } from '../../../src/platform/db/database.ts'
import { walkGarments } from '../../../src/exports/walk-garments.ts'
import {
  countGarments,
  entriesInStep,
  firstGarmentsQuery,
  type GarmentFilter,
  listGarments,
  neighbourQuery,
  toFirst,
} from '../../../src/garments/list/list-garments.ts'
import { storeFailure } from '../../../src/garments/failure.ts'
import { PictureError } from '../../../src/vision/picture-error.ts'
import { deps, insertGarment, machineTag, updateTexts } from '../review/complete-garment.ts'
import { bindings, call, databaseOf, newTenant } from '../../service.ts'
import { countDatabase } from '../../support/count-database.ts'

async function newShop() {
  const { tenantId } = await newTenant()
  const db = databaseOf(tenantId)
  const find = async (search: string | undefined, filter: Partial<GarmentFilter> = {}) => {
    const found: string[] = []
    let cursor: string | undefined
    do {
      const page = await listGarments(db, tenantId, { search, limit: 2, cursor, ...filter })
      found.push(...page.garments.map(({ uuid }) => uuid))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    return found
  }
  return { tenantId, db, find }
}

const tagOf = (tag: Record<string, string>) => ({ ...machineTag, ...tag })

it('lists and counts the listed garments by their own index, however many others are older', async () => {
  const { tenantId, db, find } = await newShop()
  await insertStock(tenantId)
  for (const [uuid, stage] of Object.entries({ first: 'listed', gone: 'sold', second: 'listed', third: 'listed' }))
    await insertGarment(tenantId, uuid, { attribute: JSON.stringify({ Stage: stage }), createdAt: Date.now() })
  // One examined entry is enough.
  const oldest = await firstGarmentsQuery(db, tenantId, { stage: 'listed', sort: 'oldest', limit: 1, step: 1 })
  expect(toFirst(oldest, 1).map(({ uuid }) => uuid)).toEqual(['first'])
  expect(await find(undefined, { stage: 'listed', sort: 'oldest' })).toEqual(['first', 'second', 'third'])
  expect(await find(undefined, { stage: 'listed', status: 'complete' })).toEqual(['third', 'second', 'first'])
  expect(await find(undefined, { stage: 'listed', status: 'failed' })).toEqual([])
  expect(await countGarments(db, tenantId, { stage: 'listed' })).toEqual({ count: 3, isAll: true })
})

async function insertStock(tenantId: string) {
  const insert = async (uuid: string, tag: Record<string, string>, own: Record<string, string>, createdAt: number) =>
    await insertGarment(tenantId, uuid, { tag: tagOf(tag), attribute: JSON.stringify(own), createdAt })
  const women = "Women's"
  await insert(
    'dress-1',
    { 'Item Type': 'Dress', Colour: 'Red', Gender: women },
    { Size: 'M', Price: '30.00', Title: 'B' },
    1,
  )
  await insert('dress-2', { 'Item Type': 'Dress', Colour: 'Blue' }, { Size: 'EU 38', Price: '9.50', Title: 'C' }, 2)
  await insert('jumper', { 'Item Type': 'Jumper', Brand: 'Zara' }, { Price: '20.00' }, 3)
  await insert('jeans', { 'Item Type': 'Jeans', Brand: "Levi's" }, { Title: 'A', SKU: 'AB-77' }, 4)
  await insert('shoes', { 'Item Type': 'Trainers', Brand: 'H&M', Pattern: 'Striped' }, { Shelf: 'Müller’s' }, 5)
  await insertGarment(tenantId, 'waits', {
    status: 'queuing',
    result: null,
    attribute: '{"SKU":"AB-78"}',
    createdAt: 6,
    dueAt: 6060,
    endedAt: null,
  })
  await insertGarment(tenantId, 'broken', {
    status: 'failed',
    result: null,
    attribute: '{"SKU":"AB-79"}',
    failure: storeFailure(new PictureError('no_garment')),
    createdAt: 7,
  })
}

describe('a search', () => {
  let find: Awaited<ReturnType<typeof newShop>>['find']
  beforeAll(async () => {
    const shop = await newShop()
    await insertStock(shop.tenantId)
    find = shop.find
  })

  it.each([
    ['dress', ['dress-2', 'dress-1']],
    ['DRESSES', ['dress-2', 'dress-1']],
    ['red dress size M', ['dress-1']],
    ['blue dress size 38', ['dress-2']],
    ['zara jumper', ['jumper']],
    ['zara sweater', ['jumper']],
    ['levis', ['jeans']],
    ["LEVI'S jeans", ['jeans']],
    ['hm', ['shoes']],
    ['h&m', ['shoes']],
    ['Kleid', ['dress-2', 'dress-1']],
    ['rote Kleider für Damen', ['dress-1']],
    ['robe bleue', ['dress-2']],
    ['vestidos rojos', ['dress-1']],
    ['vestito', ['dress-2', 'dress-1']],
    ['sneakers', ['shoes']],
    ['trainers', ['shoes']],
    ['striped shoes', ['shoes']],
    ['pants', []],
    ['mullers', ['shoes']],
    ['ab-7', ['waits', 'broken', 'jeans']],
    ['dress-1', ['dress-1']],
    ['red jumper', []],
    ['%', []],
    ['_', []],
  ])('for %j finds %j', async (search, expected) => {
    expect(await find(search)).toEqual(expected)
  })

  it('is narrowed by type, colour, size, gender, price and status, alone or together', async () => {
    expect(await find(undefined, { itemType: 'Dress' })).toEqual(['dress-2', 'dress-1'])
    expect(await find('dress', { colour: 'Red' })).toEqual(['dress-1'])
    expect(await find(undefined, { size: '38' })).toEqual(['dress-2'])
    expect(await find(undefined, { size: 'eu-38' })).toEqual(['dress-2'])
    expect(await find(undefined, { gender: 'Ladies' })).toEqual(['dress-2', 'dress-1'])
    expect(await find(undefined, { minPrice: 9.5, maxPrice: 20 })).toEqual(['jumper', 'dress-2'])
    expect(await find('ab', { status: 'failed' })).toEqual(['broken'])
    expect(await find('ab', { status: 'complete' })).toEqual(['jeans'])
    expect(await find('ab', { status: 'queuing' })).toEqual(['waits'])
  })

  it('is sorted by title, by price and by doubt, page by page', async () => {
    const dear = { minPrice: 0 }
    expect(await find(undefined, { ...dear, sort: 'title' })).toEqual(['dress-1', 'dress-2', 'jumper'])
    expect(await find(undefined, { ...dear, sort: 'price' })).toEqual(['dress-2', 'jumper', 'dress-1'])
    expect(await find('dress', { sort: 'doubt' })).toEqual(['dress-2', 'dress-1'])
    expect(await find('dress', { sort: 'oldest' })).toEqual(['dress-1', 'dress-2'])
  })

  it('finds a corrected value from then on, and the former one no longer', async () => {
    const { tenantId, db, find } = await newShop()
    await insertStock(tenantId)
    const by = { kind: 'member', id: 's', name: 'Ann' } as const
    const patch = { tag: { Colour: 'Green' }, measurements: {}, attribute: () => ({ Size: 'XL' }) }
    await correctGarment({ ...deps, db }, tenantId, { uuid: 'dress-1', patch, by }, 5000)
    expect(await find('red')).toEqual([])
    expect(await find('green dress xl')).toEqual(['dress-1'])
    expect(await find(undefined, { corrected: true })).toEqual(['dress-1'])
  })

  it('counts what it finds, and an export has the same garments', async () => {
    const { tenantId, db } = await newShop()
    await insertStock(tenantId)
    expect(await countGarments(db, tenantId, { search: 'ab-7' })).toEqual({ count: 3, isAll: true })
    const exported: string[] = []
    for await (const garments of walkGarments(db, tenantId, { search: 'ab-7' }, undefined))
      exported.push(...garments.map(({ uuid }) => uuid))
    expect(exported.sort()).toEqual(['broken', 'jeans', 'waits'])
  })

  it("finds nothing of another tenant's", async () => {
    const { tenantId } = await newShop()
    const { find } = await newShop()
    await insertStock(tenantId)
    expect(await find('dress')).toEqual([])
  })
})

describe('GET /garment-tagging/garments', () => {
  it('answers what a search finds, with its listing, page by page', async () => {
    const { tenantId, auth } = await newTenant()
    await insertStock(tenantId)
    const get = async (query: string) => {
      const { status, body } = await call('GET', `/garment-tagging/garments?${query}`, auth)
      expect(status).toBe(200)
      const { garments, next_cursor: cursor } = body.data as {
        garments: { uuid: string; listing: object }[]
        next_cursor: string | null
      }
      return { garments, cursor, found: garments.map(({ uuid }) => uuid) }
    }
    const first = await get('q=dress&limit=1')
    expect(first.garments).toMatchObject([
      { uuid: 'dress-2', status: 'complete', tag: { Colour: 'Blue' }, created_at: '1970-01-01T00:00:00.002Z' },
    ])
    expect(first.garments[0]?.listing).toMatchObject({ title: 'C', price: '9.50', size: 'EU 38', sku: '' })
    const second = await get(`q=dress&limit=1&cursor=${first.cursor}`)
    expect([second.found, second.cursor]).toEqual([['dress-1'], null])
    expect((await get('q=%20')).found).toEqual(['waits', 'broken', 'shoes', 'jeans', 'jumper', 'dress-2', 'dress-1'])
    expect((await get('type=Dress&colour=Red&size=m&gender=Damen')).found).toEqual(['dress-1'])
    expect((await get('min_price=20&max_price=30')).found).toEqual(['jumper', 'dress-1'])
    expect((await get('status=failed')).found).toEqual(['broken'])
  })

  it.each(['colour=Reddish', 'type=dress', 'min_price=cheap', 'max_price=-1', 'order=oldest', `q=${'x'.repeat(129)}`])(
    'refuses %s',
    async (query) => {
      const { auth } = await newTenant()
      const { status, body } = await call('GET', `/garment-tagging/garments?${query}`, auth)
      expect([status, body.error]).toEqual([400, [expect.stringMatching(`^${query.split('=')[0]}: must be `)]])
    },
  )
})

describe('with more garments than one step looks at', () => {
  async function insertMany(tenantId: string, db: ReturnType<typeof databaseOf>, count: number) {
    await insertGarment(tenantId, 'last', { attribute: '{"Title":"Oldest parka"}', createdAt: 1 })
    await insertGarment(tenantId, 'copied', { createdAt: 2 })
    await updateTexts(tenantId)
    await db.run(sql`
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
      INSERT INTO garments (tenant_id, uuid, number, row_bytes, attribute, origin, status, revision, created_at, ended_at,
        result, search_text)
      SELECT tenant_id, 'g-' || i, 100000 + i, 0, attribute, origin, status, 'p' || i, 10 + i, 10, result,
        search_text
      FROM garments CROSS JOIN n WHERE tenant_id = ${tenantId} AND uuid = 'copied'`)
  }

  it('a page may be empty and still have a cursor, from which the search looks further', async () => {
    const { tenantId, db, find } = await newShop()
    await insertMany(tenantId, db, entriesInStep + 5)
    const first = await listGarments(db, tenantId, { search: 'parka', limit: 10 })
    expect(first.garments).toEqual([])
    const cursor = first.nextCursor ?? ''
    const second = await listGarments(db, tenantId, { search: 'parka', limit: 10, cursor })
    expect([second.garments.map(({ uuid }) => uuid), second.nextCursor]).toEqual([['last'], null])
    expect(await find('parka', { sort: 'title' })).toEqual(['last'])
    expect(await countGarments(db, tenantId, { search: 'parka' })).toEqual({ count: 0, isAll: false })
  })

  it('finds a page of a common word after as many entries as it needs, and looks at no more than a step', async () => {
    const { tenantId, db } = await newShop()
    await insertMany(tenantId, db, entriesInStep + 5)
    const rowsRead = async (search: string) => {
      const { DB, counts } = countDatabase(bindings.DB)
      await listGarments(openDatabase(DB), tenantId, { search, limit: 50 })
      return counts.rowsRead
    }
    expect(await rowsRead('t-shirt')).toBeLessThanOrEqual(330)
    expect(await rowsRead('nothing')).toBeLessThanOrEqual(2 * entriesInStep + 1030)
  })

  it('has no neighbours in a search, and has them in a filtered list', async () => {
    const { tenantId, db } = await newShop()
    await insertStock(tenantId)
    const neighbour = async (side: 'previous' | 'next', filter: Parameters<typeof neighbourQuery>[1]['filter']) =>
      (await db.all<{ uuid: string }>(neighbourQuery(db, { tenantId, uuid: 'jumper', side, filter })))[0]?.uuid
    expect(await neighbour('next', { search: 'a' })).toBeUndefined()
    expect([await neighbour('previous', {}), await neighbour('next', {})]).toEqual(['jeans', 'dress-2'])
    expect(await neighbour('next', { colour: 'Red' })).toBe('dress-1')
    expect(await neighbour('previous', { sort: 'oldest' })).toBe('dress-2')
  })
})

describe('a search that a person mistypes', () => {
  let shop: Awaited<ReturnType<typeof newShop>>
  beforeAll(async () => {
    shop = await newShop()
    const { tenantId } = shop
    const insert = async (uuid: string, tag: Record<string, string>, own: Record<string, string>, createdAt: number) =>
      await insertGarment(tenantId, uuid, { tag: tagOf(tag), attribute: JSON.stringify(own), createdAt })
    await insert('dress', { 'Item Type': 'Dress', Colour: 'Burgundy' }, { Title: "Robe d'été", Brand: 'Mango' }, 1)
    await insert('jacket', { 'Item Type': 'Jacket', Colour: 'Black' }, { Brand: 'Weekday', SKU: 'ZX-9981' }, 2)
    await insert(
      'jeans',
      { 'Item Type': 'Jeans', Colour: 'Denim Blue', Gender: "Women's" },
      { Title: 'Müller Straße' },
      3,
    )
    await insert('shorts', { 'Item Type': 'Shorts', Colour: 'Light Grey' }, { MPN: 'AB1234' }, 4)
  })

  it.each([
    ['drss', ['dress']],
    ['jaket', ['jacket']],
    ['jakcet', ['jacket']],
    ['weekdya', ['jacket']],
    ['Wekday jacket', ['jacket']],
    ['été', ['dress']],
    ["d'été", ['dress']],
    ['mueller', ['jeans']],
    ['Müller', ['jeans']],
    ['strasse', ['jeans']],
    ['zx9981', ['jacket']],
    ['ZX-9981', ['jacket']],
    ['ab 1234', ['shorts']],
    ['Damenjeans', ['jeans']],
    ['Jeans in Groesse', ['jeans']],
    ['kurze Hose', ['shorts']],
    ['rotes Kleid', ['dress']],
    ['blue jeans', ['jeans']],
    ['graue Shorts', ['shorts']],
    ['sommerkleid', ['dress']],
    ['weekday jacket zzzzz', ['jacket']],
    ['xxxxx zzzzz jacket', []],
    ['jacket mango', []],
    ['rxd', []],
  ])('finds for %j %j', async (search, expected) => {
    expect(await shop.find(search)).toEqual(expected)
  })

  it('says which search was made instead, and goes on with it on the next page', async () => {
    const list = async (search: string, cursor?: string) =>
      await listGarments(shop.db, shop.tenantId, { search, limit: 1, cursor })
    expect(await list('jaket')).toMatchObject({ instead: 'jacket' })
    expect(await list('jacket')).toMatchObject({ instead: null })
    expect(await list('weekday zzzzz')).toMatchObject({ instead: 'weekday' })
    await insertGarment(shop.tenantId, 'jacket-2', { tag: tagOf({ 'Item Type': 'Jacket' }), createdAt: 9 })
    const first = await list('jaket')
    const second = await list('jaket', first.nextCursor ?? undefined)
    expect([first, second].map(({ garments }) => garments.map(({ uuid }) => uuid))).toEqual([['jacket-2'], ['jacket']])
    expect(second).toMatchObject({ instead: 'jacket', nextCursor: null })
    await expect(list('jaket', '%::1_a')).rejects.toMatchObject({ status: 400 })
  })
})
