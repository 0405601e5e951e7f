import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { openDatabase } from '../../../src/platform/db/database.ts'
import { garments, tenantState } from '../../../src/platform/db/schema.ts'
import { catchUp, catchUpForSearch, continueCatchingUp } from '../../../src/garments/list/index-new-garments.ts'
import { insertGarment } from '../review/complete-garment.ts'
import { bindings, databaseOf, newTenant } from '../../service.ts'
import { countDatabase } from '../../support/count-database.ts'

const nowMs = 10_000_000

async function newSearched() {
  const { tenantId } = await newTenant()
  return { tenantId, db: databaseOf(tenantId) }
}

it('a search index is made though that of another tenant fails', async () => {
  const one = await newSearched()
  // In the same database.
  const other = `${one.tenantId}-beside`
  await one.db.insert(tenantState).values({ tenantId: other, createdAt: 1 })
  const sets = async (tenantId: string, searchCursor: string | null) =>
    await one.db.update(tenantState).set({ searchCursor, searchedAt: null }).where(eq(tenantState.tenantId, tenantId))
  const pairs = [
    [one.tenantId, other],
    [other, one.tenantId],
  ] as const
  // Each fails once, because the order of the tenants is not known.
  for (const [failing, good] of pairs) {
    await insertGarment(failing, 'bad', { attribute: 'no JSON' })
    for (const tenantId of [failing, good]) await sets(tenantId, '')
    try {
      await expect(continueCatchingUp(one.db, nowMs)).rejects.toThrow('JSON')
      const [found] = await one.db.select().from(tenantState).where(eq(tenantState.tenantId, good))
      expect(found?.searchedAt).toBe(nowMs)
    } finally {
      for (const tenantId of [failing, good]) await sets(tenantId, null)
      await one.db.delete(garments).where(eq(garments.tenantId, failing))
    }
  }
  await one.db.delete(tenantState).where(eq(tenantState.tenantId, other))
})

it('a search index reads long garments in small steps', async () => {
  const { tenantId, db } = await newSearched()
  const attribute = JSON.stringify(Object.fromEntries(Array.from({ length: 50 }, (_, i) => [i, '衣'.repeat(512)])))
  for (let i = 0; i < 45; i++) await insertGarment(tenantId, `long ${i}`, { attribute, createdAt: 1000 + i })
  await db.update(tenantState).set({ searchCursor: '' }).where(eq(tenantState.tenantId, tenantId))
  const isDone = async () => {
    const [row] = await db.select().from(tenantState).where(eq(tenantState.tenantId, tenantId))
    return row?.searchedAt === nowMs
  }
  // 20, 19 and 6 of them.
  await catchUp(db, tenantId, nowMs, 2)
  expect(await isDone()).toBe(false)
  await catchUp(db, tenantId, nowMs, 2)
  expect(await isDone()).toBe(true)
})

it('searches at the same time make their index once, also after one that failed or was broken off', async () => {
  const { DB, counts } = countDatabase(bindings.DB)
  const db = openDatabase(DB)
  const tenantId = crypto.randomUUID()
  await db.insert(tenantState).values({ tenantId, createdAt: 1 })
  const statementsOf = async (...times: number[]) => {
    const before = counts.statements
    await Promise.allSettled(times.map(async (time) => await catchUpForSearch(db, tenantId, time)))
    return counts.statements - before
  }
  const one = await statementsOf(nowMs)
  expect(one).toBeGreaterThan(0)
  expect(await statementsOf(nowMs, nowMs + 1, nowMs + 59_000)).toBe(one)
  // The first one has not ended after a minute.
  expect(await statementsOf(nowMs, nowMs + 60_000)).toBe(2 * one)

  await insertGarment(tenantId, 'bad', { attribute: 'no JSON' })
  await expect(catchUpForSearch(db, tenantId, nowMs)).rejects.toThrow('JSON')
  await db.delete(garments).where(eq(garments.tenantId, tenantId))
  expect(await statementsOf(nowMs)).toBe(one)
})
