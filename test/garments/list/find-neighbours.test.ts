import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { correctGarment } from '../../../src/garments/corrections/correct-garment.ts'
import { type Database, openDatabase } from '../../../src/platform/db/database.ts'
import type { GarmentFilter } from '../../../src/garments/list/list-garments.ts'
import { catchUp } from '../../../src/garments/list/index-new-garments.ts'
import { firstNeighbour, neighbourQuery } from '../../../src/garments/list/find-neighbours.ts'
import { searchGarments } from '../../../src/garments/list/search-garments.ts'
import { sessionOf } from '../../dashboard/session-of.ts'
import { deps, insertGarment, machineTag } from '../review/complete-garment.ts'
import { databaseOf, newTenant, raw } from '../../service.ts'
import { countDatabase } from '../../support/count-database.ts'

const nowMs = 10_000_000
/** Of both; the rest of the page reads about a dozen. */
const maxRows = 80

type Filter = Omit<GarmentFilter, 'limit'> & { readonly search: string }

let tenantId: string
let db: Database
let session: Record<string, string>

beforeAll(async () => {
  const tenant = await newTenant()
  tenantId = tenant.tenantId
  db = databaseOf(tenantId)
  session = await sessionOf(tenant.merchant.id)
  // Two of three are dresses, every fifth of Acme, and every fourth is red.
  for (let i = 0; i < 60; i++) {
    const Title = `${i % 4 === 0 ? 'Red' : 'Blue'} summer ${i % 3 === 0 ? 'shirt' : 'dress'} ${i % 7 === 0 ? 'dressy' : ''}`
    const attribute = JSON.stringify({ Title, Brand: i % 5 === 0 ? 'Acme' : 'Other', Shelf: `K ${i}` })
    const tag = { ...machineTag, Colour: i % 4 === 0 ? 'Red' : 'Blue' }
    await insertGarment(tenantId, `${i % 2 === 0 ? 'ac' : 'IMG'}-${i}`, { attribute, tag, createdAt: 1000 + (i % 9) })
  }
  await catchUp(db, tenantId, nowMs)
  const patch = { tag: {}, measurements: {}, attribute: { Title: 'Trousers', Brand: 'None' } }
  const by = { kind: 'api-key', id: 'k', name: '' } as const
  for (const uuid of ['ac-10', 'IMG-35']) await correctGarment({ ...deps, db }, tenantId, { uuid, patch, by }, nowMs)
})

/** The garments of all pages, each where it is first. */
async function listOf({ search, ...filter }: Filter) {
  const found = new Set<string>()
  let [cursor, word]: (string | undefined)[] = []
  do {
    const page = await searchGarments(db, tenantId, { search, limit: 24, cursor, word, ...filter })
    for (const { uuid } of page.garments) found.add(uuid)
    ;[cursor, word] = [page.nextCursor ?? undefined, page.nextWord]
  } while (cursor !== undefined)
  return [...found]
}

async function besides(uuid: string, filter: Filter, of = { tenantId, db }) {
  const { DB, counts } = countDatabase(of.db.$client)
  const query = (side: 'previous' | 'next') => neighbourQuery(openDatabase(DB), of.tenantId, uuid, side, filter)
  const [previous, next] = await openDatabase(DB).batch([query('previous'), query('next')])
  return { previous: firstNeighbour(previous, filter), next: firstNeighbour(next, filter), rowsRead: counts.rowsRead }
}

describe('the neighbours of a garment in a search', () => {
  const searches: readonly (readonly [Filter, number])[] = [
    [{ search: 'dress' }, 41],
    // Words of others follow those whose uuid begins so.
    [{ search: 'AC' }, 35],
    [{ search: 'acme' }, 10],
    [{ search: 'img-' }, 30],
    [{ search: 'k 1' }, 11],
  ]

  it.each(searches)('are those of the list with %j', async (filter, count) => {
    const list = await listOf(filter)
    expect(list.length).toBe(count)
    for (const [i, uuid] of list.entries()) {
      const { previous, next } = await besides(uuid, filter)
      expect([uuid, previous, next]).toEqual([uuid, list[i - 1] ?? null, list[i + 1] ?? null])
    }
  })

  it('may be missing with several words or other filters, but are never others', async () => {
    let links = 0
    for (const filter of [
      { search: 'red dress' },
      { search: 'dress', colour: 'Red' },
      { search: 'ac', colour: 'Red' },
    ]) {
      const list = await listOf(filter)
      for (const [i, uuid] of list.entries()) {
        const { previous, next } = await besides(uuid, filter)
        expect([null, list[i - 1]]).toContain(previous)
        expect([null, list[i + 1]]).toContain(next)
        links += Number(previous !== null) + Number(next !== null)
      }
    }
    expect(links).toBeGreaterThan(40)
  })

  it('are none of an unknown garment, of one that the search does not find, and of no words', async () => {
    for (const [uuid, search] of [
      ['unknown', 'dress'],
      ['ac-12', 'dress'],
      ['ac-10', 'nothing'],
      ['ac-10', '&'],
    ] as const)
      expect([uuid, await besides(uuid, { search })]).toMatchObject([uuid, { previous: null, next: null }])
  })

  it('are still those of a garment that was found until it was changed', async () => {
    const list = await listOf({ search: 'dress' })
    const { previous, next } = await besides('ac-10', { search: 'dress' })
    expect(list.indexOf(previous ?? '')).toBe(list.indexOf(next ?? '') - 1)
  })

  it('are links on the page of the garment', async () => {
    const [first, second, third] = await listOf({ search: 'dress' })
    const page = await (await raw('GET', `/dashboard/garment?uuid=${second}&search=dress`, session)).text()
    expect(page).toContain(
      `<a href="/dashboard/garment?uuid=${first}&amp;search=dress" rel="prev" aria-keyshortcuts="k">`,
    )
    expect(page).toContain(
      `<a href="/dashboard/garment?uuid=${third}&amp;search=dress" rel="next" aria-keyshortcuts="j">`,
    )
  })

  it('read few rows among 20,000 garments', async () => {
    const tenant = await newTenant()
    const of = { tenantId: tenant.tenantId, db: databaseOf(tenant.tenantId) }
    await of.db.run(sql`
      INSERT INTO garments (tenant_id, uuid, image_url, attribute, origin, status, picture_id, created_at, ended_at, tag, measurements)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      SELECT ${of.tenantId}, 'g' || i, 'https://a.example/', json_object('Brand', iif(i % 50, 'Ann', 'Anna'), 'SKU', 'S' || i,
        'Shelf', iif(i % 40, 'low', 'high')), 'https://s.example', 'complete', 'p' || i, i, i, ${JSON.stringify(machineTag)}, '{}' FROM n`)
    await catchUp(of.db, of.tenantId, nowMs, 100)
    const filters = ['ann', 'anna', 's7', 'high anna', 'an high low ann an', 'g19', 'g'].flatMap((search) => [
      { search },
      { search, colour: 'Red' },
      { search, status: 'failed' as const },
    ])
    for (const filter of filters)
      for (const uuid of ['g19800', 'g77', 'g199']) {
        const { rowsRead } = await besides(uuid, filter, of)
        expect([filter, uuid, rowsRead <= maxRows]).toEqual([filter, uuid, true])
      }
  })
})
