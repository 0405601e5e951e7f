import { copyKey } from '../../src/garments/pictures/stored-copy.ts'
import { eq, inArray, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../src/platform/db/database.ts'
import { deleteMerchant } from '../../src/accounts/merchant.ts'
import { accountDatabase, firstDatabase } from '../../src/platform/db/databases.ts'
import {
  apiKeys,
  auditEntries,
  dailyCounts,
  exportDefaults,
  garments,
  lastExports,
  reviewCounts,
  studios,
  tenantCounters,
  tenantPurges,
  tenantState,
} from '../../src/platform/db/schema.ts'
import { purgeTenants } from '../../src/operations/purge-tenants.ts'
import { bindings, databaseOf, newMerchant, newTenant } from '../service.ts'
import { countDatabase } from '../support/count-database.ts'
import { db, hour, startMs } from '../tagging/scene.ts'
import { purgeTenant } from './purge-tenant.ts'
import { dayOf } from '../../src/time.ts'
import { insertGarments } from '../support/stored-garment/insert-garments.ts'

const deps = { accounts: db, number: firstDatabase, db, pictures: bindings.PICTURES }

/** Long ago, so that no other test's purge stands before these. */
const requestedAt = startMs - 1000 * hour

const remaining = async (ids: readonly string[]) =>
  await db
    .select()
    .from(tenantPurges)
    .where(inArray(tenantPurges.tenantId, [...ids]))

/** Gives somebody a log of so many entries. Returns a function that counts what is left of it. */
async function fillAuditLog(database: Database, holderId: string, entries: number) {
  await database.run(sql`
    INSERT INTO audit_entries (holder_id, at, id, actor_kind, actor_id, actor_name, action, subject)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${entries})
    SELECT ${holderId}, i, i, 'operator', '', '', 'garment.deleted', i FROM n`)
  return async () => await database.$count(auditEntries, eq(auditEntries.holderId, holderId))
}

describe('the purge of deleted tenants', () => {
  it('reaches a tenant that was deleted after many others that left nothing behind', async () => {
    const ids = Array.from({ length: 9 }, () => crypto.randomUUID())
    const last = ids.at(-1) ?? ''
    for (const [i, tenantId] of ids.entries())
      await db.insert(tenantPurges).values({ tenantId, requestedAt: requestedAt + i, nextAt: requestedAt + i })
    await bindings.PICTURES.put(copyKey(last, 'p'), 'x')
    await purgeTenants(deps, requestedAt + 100)
    expect(await bindings.PICTURES.head(copyKey(last, 'p'))).toBe(null)
    // Whatever was on its way when they were deleted may still write, so they are visited once more.
    expect((await remaining(ids)).every(({ nextAt }) => nextAt > requestedAt + 100)).toBe(true)
    await purgeTenants(deps, requestedAt + hour)
    expect(await remaining(ids)).toEqual([])
  })

  it('of as many tenants as one sweep purges takes a fifth of the statements that a sweep may make', async () => {
    const ids = Array.from({ length: 20 }, () => crypto.randomUUID())
    for (const tenantId of ids) await db.insert(tenantPurges).values({ tenantId, requestedAt, nextAt: requestedAt })
    const { DB, counts } = countDatabase(bindings.DB)
    const counted = openDatabase(DB)
    await purgeTenants({ ...deps, accounts: counted, db: counted }, requestedAt + hour)
    expect((await remaining(ids)).length).toBe(10)
    expect(counts.statements).toBeLessThanOrEqual(220)
    await purgeTenants(deps, requestedAt + hour)
    expect(await remaining(ids)).toEqual([])
  })

  it('goes through a large tenant in steps, and leaves no row of its own', async () => {
    const tenantId = crypto.randomUUID()
    await db.insert(tenantPurges).values({ tenantId, requestedAt, nextAt: requestedAt })
    await db.insert(tenantCounters).values({ tenantId, waiting: 0, maxWaiting: 1000 })
    await insertGarments(db, 1200, () => ({ tenantId }))
    await purgeTenants(deps, requestedAt + hour)
    expect(await db.select().from(garments).where(eq(garments.tenantId, tenantId))).toEqual([])
    expect(await db.select().from(tenantCounters).where(eq(tenantCounters.tenantId, tenantId))).toEqual([])
    expect(await remaining([tenantId])).toEqual([])
  })

  it('removes a long audit log in steps', async () => {
    const { tenantId } = await newTenant()
    const left = await fillAuditLog(databaseOf(tenantId), tenantId, 10_500)
    await purgeTenant(tenantId)
    expect(await left()).toBe(500)
    await purgeTenant(tenantId)
    expect(await left()).toBe(0)
  })

  it('removes the long audit log of a deleted account in steps, which its deletion leaves', async () => {
    const { id } = await newMerchant()
    const accounts = accountDatabase(bindings)
    const left = await fillAuditLog(accounts, id, 1500)
    await deleteMerchant(bindings, id, requestedAt)
    expect(await left()).toBe(1500)
    await purgeTenants({ ...deps, accounts, db: accounts }, requestedAt + hour)
    expect([await left(), await remaining([id])]).toEqual([0, []])
  })

  it('leaves no row in the tables of which a tenant has few', async () => {
    const { tenantId } = await newTenant()
    const of = databaseOf(tenantId)
    // Now, so that no other test's removal takes them first.
    const now = Date.now()
    const day = dayOf(now)
    const by = { actorKind: 'operator', actorId: '', actorName: '' } as const
    await of
      .insert(auditEntries)
      .values({ holderId: tenantId, at: now, id: tenantId, action: 'studio.saved', subject: 'Paris', ...by })
    await of.insert(studios).values({ tenantId, name: 'Paris', cmPerPixel: 0.05 })
    await of.insert(dailyCounts).values({ tenantId, day, kind: 'complete', count: 1 })
    await of.insert(reviewCounts).values({ tenantId, week: day, counts: '{}' })
    await of.insert(exportDefaults).values({ tenantId, defaults: '{}' })
    await of.insert(lastExports).values({ tenantId, format: 'csv', exportedAt: now, recent: '[]', leftOut: '[]' })
    const counts = async () => [
      await db.$count(apiKeys, eq(apiKeys.tenantId, tenantId)),
      await of.$count(auditEntries, eq(auditEntries.holderId, tenantId)),
      await of.$count(studios, eq(studios.tenantId, tenantId)),
      await of.$count(dailyCounts, eq(dailyCounts.tenantId, tenantId)),
      await of.$count(reviewCounts, eq(reviewCounts.tenantId, tenantId)),
      await of.$count(exportDefaults, eq(exportDefaults.tenantId, tenantId)),
      await of.$count(lastExports, eq(lastExports.tenantId, tenantId)),
      await of.$count(tenantState, eq(tenantState.tenantId, tenantId)),
    ]
    expect(Math.min(...(await counts()))).toBeGreaterThan(0)
    await purgeTenant(tenantId)
    expect(Math.max(...(await counts()))).toBe(0)
  })
})
