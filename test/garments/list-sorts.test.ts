import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import {
  countGarments,
  type GarmentFilter,
  type ListedGarment,
  listGarments,
  maxCounted,
  neighbour,
} from '../../src/garments/list/list-garments.ts'
import { type Sort, sortsOf } from '../../src/garments/list/plan-scan.ts'
import { bindings } from '../service.ts'
import { countDatabase } from '../support/count-database.ts'
import { insertVaried } from './varied-garments.ts'

type Filter = Omit<GarmentFilter, 'limit' | 'cursor'>

const db = openDatabase(bindings.DB)
const [few, many] = ['sorted-few', 'sorted-many']
const maxRows = 60

beforeAll(async () => {
  await insertVaried(few, 400)
  await insertVaried(many, 13_000)
})

async function listAll(filter: Filter, limit = 24) {
  const all: ListedGarment[] = []
  let cursor: string | undefined
  do {
    const page = await listGarments(db, few, { ...filter, cursor, limit })
    all.push(...page.garments)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return all
}

const ascending = <T extends string | number>(values: readonly T[]) =>
  values.every((value, i) => i === 0 || (values[i - 1] ?? value) <= value)

describe('the order of the list', () => {
  const sorted: readonly (readonly [Sort, Filter, number, (all: readonly ListedGarment[]) => boolean])[] = [
    ['oldest', {}, 400, (all) => ascending(all.filter(({ status }) => status === 'complete').map((g) => g.createdAt))],
    ['oldest', { fromMs: 50, untilMs: 150 }, 182, (all) => ascending(all.map((g) => g.createdAt))],
    ['oldest', { corrected: true }, 52, (all) => ascending(all.map((g) => g.createdAt))],
    ['type', {}, 364, (all) => ascending(all.map((g) => `${g.itemType} ${g.brand} ${1000 + g.createdAt}`))],
    ['type', { itemType: 'Skirt' }, 121, (all) => ascending(all.map((g) => `${g.brand} ${1000 + g.createdAt}`))],
    ['doubt', {}, 364, (all) => ascending(all.map((g) => 10 - g.doubt))],
    ['doubt', { status: 'complete' }, 364, (all) => ascending(all.map((g) => 10 - g.doubt))],
  ]

  it.each(sorted)('goes by %s with the filter %j, with every garment once', async (sort, filter, count, isSorted) => {
    const all = await listAll({ ...filter, sort })
    expect(new Set(all.map(({ uuid }) => uuid)).size).toBe(count)
    expect(all.length).toBe(count)
    expect(isSorted(all)).toBe(true)
  })

  it.each(sorted)('needs at most 60 rows a page by %s with the filter %j', async (sort, filter) => {
    let cursor: string | undefined
    for (let page = 0; page < 3; page++) {
      const { DB, counts } = countDatabase(bindings.DB)
      const found = await listGarments(openDatabase(DB), many, { ...filter, sort, cursor, limit: 24 })
      expect([page, counts.rowsRead <= maxRows, found.nextCursor !== null]).toEqual([page, true, true])
      cursor = found.nextCursor ?? undefined
    }
  })

  it('stays as usual where no index gives the one that is asked for', async () => {
    const uuids = async (filter: Filter) => (await listAll(filter)).map(({ uuid }) => uuid)
    expect(await uuids({ status: 'waiting', sort: 'doubt' })).toEqual(await uuids({ status: 'waiting' }))
    expect(await uuids({ colour: 'Navy', sort: 'oldest' })).toEqual(await uuids({ colour: 'Navy' }))
    expect(sortsOf({ search: 'g' })).toEqual([])
  })
})

async function neighboursOf(uuid: string, filter: Filter) {
  const { DB, counts } = countDatabase(bindings.DB)
  const [row] = await openDatabase(DB).all<{ previous: string | null; next: string | null }>(sql`
    SELECT ${neighbour('previous', few, uuid, filter)} AS previous, ${neighbour('next', few, uuid, filter)} AS next`)
  return { ...row, ...counts }
}

describe('the neighbours of a garment in a list', () => {
  const filters: readonly Filter[] = [
    {},
    { sort: 'oldest' },
    { sort: 'type' },
    { sort: 'doubt' },
    { status: 'waiting' },
    { status: 'complete', fromMs: 20 },
    { brand: 'Ann' },
    { itemType: 'Skirt' },
    { colour: 'Navy' },
    { doubtful: true },
    { corrected: true, sort: 'oldest' },
  ]

  it.each(filters)('are those of the list: %j', async (filter) => {
    const uuids = (await listAll(filter)).map(({ uuid }) => uuid)
    for (const at of [0, 1, 7, Math.floor(uuids.length / 2), uuids.length - 2, uuids.length - 1]) {
      const { previous, next, rowsRead } = await neighboursOf(uuids[at] ?? '', filter)
      expect([at, previous, next]).toEqual([at, uuids[at - 1] ?? null, uuids[at + 1] ?? null])
      expect([at, rowsRead <= ('brand' in filter ? 130 : 50)]).toEqual([at, true])
    }
  })

  it('are looked for in a bounded part of the list where no index covers its filter', async () => {
    const filter = { colour: 'Navy', itemType: 'Skirt' }
    const uuids = (await listAll(filter)).map(({ uuid }) => uuid)
    const { previous, next, rowsRead } = await neighboursOf(uuids[3] ?? '', filter)
    expect([previous, next]).toEqual([uuids[2], uuids[4]])
    expect(rowsRead).toBeLessThanOrEqual(60)
  })
})

describe('the total of a list', () => {
  const filters: readonly Filter[] = [
    {},
    { status: 'complete' },
    { status: 'waiting' },
    { status: 'waiting', fromMs: 20 },
    { search: 'G-1' },
    { search: 'm-', colour: 'Navy' },
    { brand: 'Ann' },
    { itemType: 'Skirt' },
    { itemType: 'Skirt', brand: 'Bob', colour: 'Red', corrected: true },
    { colour: 'Navy', doubtful: true, untilMs: 90 },
    { corrected: true },
    { doubtful: true },
    { fromMs: 10, untilMs: 70 },
    { brand: 'Unknown' },
  ]

  it.each(filters)('is the number of garments in it: %j', async (filter) => {
    expect(await countGarments(db, few, filter)).toEqual({ count: (await listAll(filter)).length, isAll: true })
  })

  it.each(filters)('reads at most 10,000 rows, with 13,000 garments: %j', async (filter) => {
    const { DB, counts } = countDatabase(bindings.DB)
    await countGarments(openDatabase(DB), many, filter)
    expect(counts.rowsRead).toBeLessThanOrEqual(maxCounted + 100)
  })

  it('ends at 10,000, and says so', async () => {
    expect(await countGarments(db, many, {})).toEqual({ count: 10_000, isAll: false })
    expect(await countGarments(db, many, { status: 'complete', colour: 'Red', itemType: 'T-Shirt' })).toMatchObject({
      isAll: false,
    })
  })
})
