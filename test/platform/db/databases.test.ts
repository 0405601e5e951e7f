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

it.each([1, 2, 17, 4095])("a tenant's id has 16 characters, of which the first name database %i", (number) => {
  const ids = Array.from({ length: 1000 }, () => newTenantId(number))
  expect(new Set(ids.map((id) => `${id.length} ${databaseNumberOf(id)}`))).toEqual(new Set([`16 ${number}`]))
  expect(new Set(ids).size).toBe(ids.length)
})

it.each(['01890a5d-ac96-774b-bcce-b302099a8058', 'some tenant', '', '0g2aaaaaaaaaaaaa', '002aaaaaaaaaaaaaa'])(
  'the id %j means the first database',
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
