/**
 * `node test/bench/database/lists.ts [--garments 1000000]`: measures database use of the garment list, search, totals
 * and a garment's page with its neighbours, for a tenant with that many garments, in local D1. Prints round trips, rows
 * read (including index rows) and time, with the goals for round trips and rows. Fails if a goal is missed.
 */
import { mkdtempSync, rmSync, writeFileSync, globSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { getPlatformProxy } from 'wrangler'
import { type Database, openDatabase } from '../../../src/platform/db/database.ts'
import { cursorOf } from '../../../src/platform/db/page.ts'
import {
  countGarments,
  entriesInStep,
  type GarmentFilter,
  listGarments,
  maxCounted,
} from '../../../src/garments/list/list-garments.ts'
import { findGarmentWithDeliveries } from '../../../src/dashboard/garments/find-garment.ts'
import { sleep } from '../../../src/time.ts'
import { retryFault } from '../../../src/platform/queue/settle.ts'
import { countDatabase } from '../../support/count-database.ts'
import { storedResult } from '../../support/stored-result.ts'

type Filter = Omit<GarmentFilter, 'limit' | 'cursor'>

const { values } = parseArgs({ options: { garments: { type: 'string', default: '1000000' } } })
const count = Number(values.garments)
const tenantId = 'large'
const pageSize = 24
/** The page's other round trip reads the session from the accounts database. */
const maxTrips = 1
const maxRows = 130
/** Rows that a search step reads: each entry, and each once more if nothing is found. */
const maxRowsOfStep = 2 * entriesInStep + 150
/** Counted entries. Each scan also reads one row for its result and the row after its last one. */
const maxRowsOfTotal = maxCounted + 10
/** Rows per insert. A single statement would block the database for minutes. */
const filledAtOnce = 10_000
/** Retries, because local D1 sometimes closes a connection in use. */
const faultPausesMs = [500, 500, 2000, 5000]

let missed = 0
const write = (text: string) => process.stdout.write(`${text}\n`)

async function fill(database: D1Database): Promise<void> {
  for (const path of globSync('migrations/*.sql').sort())
    for (const statement of readFileSync(path, 'utf8').split('--> statement-breakpoint'))
      await database.prepare(statement).run()
  await database.exec(`INSERT INTO merchants (id, company, created_at) VALUES ('${tenantId}', '', 0)`)
  await database.exec(`INSERT INTO tenant_state (tenant_id, domain, created_at) VALUES ('${tenantId}', '', 0)`)
  await database.exec(
    `INSERT INTO tenants (id, merchant_id, domain, name, description, settings, created_at) VALUES ('${tenantId}', '${tenantId}', '', '', '', '{}', 0)`,
  )
  // A thousand brands, a third dresses, a quarter red. Each has its own number.
  for (let from = 1; from <= count; from += filledAtOnce)
    await retryFault(
      async () => await fillSome(database, from, Math.min(from + filledAtOnce - 1, count)),
      faultPausesMs,
      sleep,
    )
}

const result = storedResult({
  tag: { 'Item Type': 'Shirt', 'Item Type Confidence': 'High', Colour: 'Blue', 'Colour Confidence': 'Low' },
})

const fillSome = async (database: D1Database, from: number, to: number) =>
  await database
    .prepare(
      `INSERT OR IGNORE INTO garments (tenant_id, uuid, image_url, attribute, origin, status, picture_id, created_at, ended_at, doubt, result, search_text, price)
         WITH RECURSIVE n(i) AS (SELECT CAST(?1 AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
         SELECT '${tenantId}', 'g' || i, 'https://a.example/', json_object('Brand', 'Brand' || (i % 1000), 'SKU', 'S' || i,
           'Title', iif(i % 4, 'Blue', 'Red') || ' summer ' || iif(i % 3, 'shirt', 'dress')),
           'https://s.example', iif(i % 20, 'complete', 'failed'), 'p' || i, i, i, iif(i % 20 AND (i % 4 = 0 OR i % 9 = 0), 3, 0),
           iif(i % 20, ?3, NULL),
           ' ' || iif(i % 4, 'blue', 'red') || ' summer ' || iif(i % 3, 'shirt', 'dress') ||
             iif(i % 20, ' ' || iif(i % 7, '', 'corrected#x ') || iif(i % 3, 'shirt', 'dress') || '#t ' || iif(i % 4, 'blue', 'red') || '#c',
               '') || ' brand' || (i % 1000) || '#b g' || i || ' s' || i || ' ', i % 100 FROM n`,
    )
    .bind(from, to, result)
    .run()

/** Runs a function with the database and compares its cost with the goals. */
async function measure<T>(database: D1Database, name: string, goal: number, act: (db: Database) => Promise<T>) {
  let trips = 0
  const { DB, counts } = countDatabase(database, () => trips++)
  const result = await act(openDatabase(DB))
  const start = performance.now()
  await act(openDatabase(database))
  const ms = performance.now() - start
  const isMissed = trips > maxTrips || counts.rowsRead > goal
  if (isMissed) missed++
  const rows = `${counts.rowsRead.toLocaleString('en')} rows`
  write(
    `${name.padEnd(58)} ${trips} trip, ${rows.padStart(11)}, ${ms.toFixed(0).padStart(4)} ms${isMissed ? ' MISSED' : ''}`,
  )
  return result
}

const nameOf = (filter: Filter) =>
  Object.entries(filter)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ') || 'all'

/** Searches for words that no index contains. */
const rowsOf = ({ brand, itemType, colour, corrected, search }: Filter) =>
  [brand, itemType, colour, corrected, search].some((value) => value !== undefined) ? maxRowsOfStep : maxRows

const middle = Math.floor(count / 40) * 20 + 1
const filters: readonly Filter[] = [
  {},
  { sort: 'oldest' },
  { sort: 'doubt' },
  { status: 'failed' },
  { brand: 'Brand7' },
  { itemType: 'Dress' },
  { colour: 'Red' },
  { corrected: true },
  { doubtful: true },
  { doubtful: true, itemType: 'Dress' },
  { fromMs: middle, untilMs: middle + 1000 },
]
const searches: readonly (Filter & { readonly search: string })[] = [
  { search: 'summer' },
  { search: 'dress' },
  { search: 'brand7' },
  { search: `s${middle}` },
  { search: 'red dress' },
  { search: 'brand77 summer dr' },
  { search: 'g1' },
  { search: 'dress', colour: 'Red' },
  { search: 'nothing' },
]

async function measurePages(database: D1Database): Promise<void> {
  for (const filter of filters) {
    const page = { ...filter, limit: pageSize }
    await measure(
      database,
      `list, ${nameOf(filter)}`,
      rowsOf(filter),
      async (db) => await listGarments(db, tenantId, page),
    )
    const cursor = cursorOf({ at: middle, id: `g${middle}` })
    const later = async (db: Database) => await listGarments(db, tenantId, { ...page, cursor })
    await measure(database, `list, ${nameOf(filter)}, in the middle`, rowsOf(filter), later)
  }
  for (const filter of searches) {
    let cursor: string | undefined
    for (let pages = 1; pages === 1 || (pages <= 3 && cursor !== undefined); pages++) {
      const page = { ...filter, cursor, limit: pageSize }
      const act = async (db: Database) => await listGarments(db, tenantId, page)
      const found = await measure(database, `search, ${nameOf(filter)}, page ${pages}`, maxRowsOfStep, act)
      cursor = found.nextCursor ?? undefined
    }
  }
  for (const filter of [...filters, ...searches])
    await measure(
      database,
      `total, ${nameOf(filter)}`,
      maxRowsOfTotal,
      async (db) => await countGarments(db, tenantId, filter),
    )
  for (const filter of [...filters, ...searches]) {
    const uuid = `g${middle}`
    const act = async (db: Database) => await findGarmentWithDeliveries(db, tenantId, uuid, filter)
    await measure(database, `garment, ${nameOf(filter)}`, rowsOf(filter), act)
  }
}

const folder = mkdtempSync(join(tmpdir(), 'garment-tagging-'))
try {
  const configPath = join(folder, 'wrangler.json')
  writeFileSync(
    configPath,
    JSON.stringify({
      name: 'lists',
      compatibility_date: '2026-10-15',
      d1_databases: [{ binding: 'DB', database_name: 'lists', database_id: 'lists' }],
    }),
  )
  const { env, dispose } = await getPlatformProxy<{ DB: D1Database }>({ configPath, persist: { path: folder } })
  try {
    const start = performance.now()
    await fill(env.DB)
    write(`${count.toLocaleString('en')} garments stored in ${((performance.now() - start) / 1000).toFixed(0)} s`)
    await measurePages(env.DB)
  } finally {
    await dispose()
  }
} finally {
  rmSync(folder, { recursive: true })
}
write(missed === 0 ? 'All goals are met.' : `${missed} goals are MISSED.`)
process.exitCode = missed === 0 ? 0 : 1
