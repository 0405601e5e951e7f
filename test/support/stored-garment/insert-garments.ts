import { getTableColumns, sql } from 'drizzle-orm'
import type { Database } from '../../../src/platform/db/database.ts'
import { garments } from '../../../src/platform/db/schema.ts'

type GarmentValues = typeof garments.$inferInsert

let lastNumber = 1_000_000

/** A complete garment without a result. `changes` contains the values that a test is about. */
export const storedGarment = <T extends Partial<GarmentValues> & Pick<GarmentValues, 'tenantId'>>(changes: T) =>
  ({
    uuid: 'g',
    number: ++lastNumber,
    attribute: '{}',
    rowBytes: 0,
    origin: 'https://s.example',
    status: 'complete',
    revision: crypto.randomUUID(),
    createdAt: 1000,
    endedAt: 2000,
    ...changes,
  }) as const

/** Keeps the JSON of a statement well below the 2 MB that D1 accepts. */
const garmentsInStatement = 500

/** Stores many garments in few statements. `changesOf` returns the values that a test is about, by number from 1. */
export async function insertGarments(
  db: Database,
  count: number,
  changesOf: (i: number) => Parameters<typeof storedGarment>[0],
): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => {
    const i = index + 1
    return storedGarment({ uuid: `g${i}`, createdAt: i, endedAt: i, ...changesOf(i) })
  })
  const names = new Set(rows.flatMap((row) => Object.keys(row)))
  const columns = Object.entries(getTableColumns(garments)).filter(([name]) => names.has(name))
  const columnNames = sql.raw(columns.map(([, column]) => column.name).join(', '))
  const values = sql.raw(columns.map(([name]) => `value ->> '${name}'`).join(', '))
  for (let from = 0; from < count; from += garmentsInStatement) {
    const some = JSON.stringify(rows.slice(from, from + garmentsInStatement))
    await db.run(sql`INSERT INTO ${garments} (${columnNames}) SELECT ${values} FROM json_each(${some})`)
  }
}
