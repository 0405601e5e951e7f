import { env } from 'cloudflare:workers'
import { eq, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { newId, openDatabase, prepareBatchOnce, runBatch } from '../../../src/platform/db/database.ts'
import { tenantState } from '../../../src/platform/db/schema.ts'

const db = openDatabase(env.DB)

const insert = (tenantId: string) => db.insert(tenantState).values({ tenantId, domain: 'shop.example', createdAt: 1 })

it('a batch runs queries of the builder and raw statements in the order of their names, and returns their rows by name', async () => {
  const tenantId = newId()
  const isTenant = eq(tenantState.tenantId, tenantId)
  const results = await runBatch(db, {
    before: db.select({ createdAt: tenantState.createdAt }).from(tenantState).where(isTenant),
    inserted: insert(tenantId),
    raw: sql<{ created: number }>`
      UPDATE ${tenantState} SET created_at = created_at + ${2} WHERE ${isTenant} RETURNING created_at AS created`,
    built: db.select({ createdAt: tenantState.createdAt }).from(tenantState).where(isTenant),
    several: [
      db.delete(tenantState).where(isTenant),
      sql<{ count: number }>`SELECT count(*) AS count FROM ${tenantState} WHERE ${isTenant}`,
    ],
    none: [],
  })
  expect(results).toMatchObject({
    before: [],
    inserted: { meta: { changes: 1 } },
    raw: [{ created: 3 }],
    built: [{ createdAt: 3 }],
    several: [{ count: 0 }],
  })
  expect(results.none).toBeUndefined()
})

it('a batch changes nothing if one of its statements fails', async () => {
  const tenantId = newId()
  await expect(
    runBatch(db, {
      first: insert(tenantId),
      again: sql`
    INSERT INTO ${tenantState} (tenant_id, domain, created_at) VALUES (${tenantId}, 'again', 2)`,
    }),
  ).rejects.toThrow('UNIQUE')
  expect(await db.select().from(tenantState).where(eq(tenantState.tenantId, tenantId))).toEqual([])
})

it('a prepared batch takes other values each time', async () => {
  const run = prepareBatchOnce(() => ({
    twice: sql<{ twice: number }>`SELECT 2 * ${sql.placeholder('number')} AS twice`,
  }))
  expect(await run(db, { number: 2 })).toEqual({ twice: [{ twice: 4 }] })
  expect(await run(db, { number: 3 })).toEqual({ twice: [{ twice: 6 }] })
})
