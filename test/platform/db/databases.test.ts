import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { openDatabase } from '../../../src/platform/db/database.ts'
import {
  databaseNumberOf,
  findDatabase,
  isIn,
  listDatabases,
  newTenantId,
  tenantDatabase,
} from '../../../src/platform/db/databases.ts'
import { bindings } from '../../service.ts'

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[89ab][\da-f]{3}-[\da-f]{12}$/

it.each([1, 2, 17, 4095])("a tenant's id names database %i and is a UUID", (number) => {
  const id = newTenantId(number)
  expect([databaseNumberOf(id), uuid.test(id), id[14]]).toEqual([number, true, number === 1 ? '4' : '8'])
})

it.each(['01890a5d-ac96-774b-bcce-b302099a8058', 'some tenant', '', '01890a5d-ac96-8g02-bcce-b302099a8058'])(
  'the id %j, from before, means the first database',
  (id) => expect(databaseNumberOf(id)).toBe(1),
)

it('a condition finds the tenants of each database', async () => {
  const db = openDatabase(bindings.DB)
  const ids = [1, 2, 3, 0x102].map(newTenantId)
  const found = async (number: number) => {
    const rows = await db.all<{ id: string }>(
      sql`SELECT value AS id FROM json_each(${JSON.stringify(ids)}) WHERE ${isIn(number, sql`value`)}`,
    )
    return rows.map(({ id }) => id)
  }
  for (const id of ids) expect(await found(databaseNumberOf(id))).toEqual([id])
})

it('databases are found by the names of their bindings', () => {
  const other = (bindings as Env & { readonly SPARE2: D1Database }).SPARE2
  const env = { DB: bindings.DB, DB10: other, DB2: other, DB1: other, DBX: other, DB3: 'no database' }
  expect(listDatabases(env)).toEqual([1, 2, 3, 10])
  expect(findDatabase(env, 10)).toBe(openDatabase(other))
  expect(findDatabase(env, 1)).toBe(openDatabase(bindings.DB))
  expect([findDatabase(env, 3), findDatabase(env, 4)]).toEqual([null, null])
  expect(() => tenantDatabase(env, newTenantId(4))).toThrow('There is no binding DB4')
})
