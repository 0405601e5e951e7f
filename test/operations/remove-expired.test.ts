import { copyKey } from '../../src/garments/pictures/stored-copy.ts'
import { and, eq, lte } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import { garments, importLines, imports, tenantState, unusedCopies } from '../../src/platform/db/schema.ts'
import { removeUnusedCopies } from '../../src/garments/pictures/unused-copies.ts'
import { removeExpiredImports } from '../../src/imports/delete-import.ts'
import { measureDatabase, removeExpired } from '../../src/operations/sweep.ts'
import { putRetention } from '../../src/accounts/retention.ts'
import { bindings, someone } from '../service.ts'
import { countDatabase } from '../support/count-database.ts'
import { db, hour } from '../tagging/scene.ts'
import { makeExpiryDue, removalMs } from './removal-time.ts'
import { insertTenant } from '../support/insert-tenant.ts'
import { insertGarments } from '../support/stored-garment/insert-garments.ts'

const made = { by: someone, at: Date.now() }

const day = 24 * hour

async function insertDueTenant(tenantId: string, createdAt: number) {
  await insertTenant(db, tenantId, createdAt)
  await makeExpiryDue(db, tenantId)
}

async function insertDueGarments(tenantId: string, count: number, createdAt: number) {
  await insertDueTenant(tenantId, createdAt)
  await insertGarments(db, count, (i) => ({
    tenantId,
    revision: `p${i}`,
    status: i % 2 === 0 ? 'failed' : 'complete',
    createdAt: createdAt - i,
    endedAt: createdAt,
  }))
  await bindings.DB.prepare(
    `INSERT INTO pictures (tenant_id, id, garment_uuid, position, url, copy_id)
     SELECT tenant_id, revision, uuid, 0, '', revision FROM garments WHERE tenant_id = ?1`,
  )
    .bind(tenantId)
    .run()
}

async function insertImport(tenantId: string, lines: number, createdAt: number) {
  await insertDueTenant(tenantId, createdAt)
  await db
    .insert(imports)
    .values({ tenantId, id: 'i', name: '', origin: '', createdAt, storedAt: createdAt, endedAt: createdAt })
  await bindings.DB.prepare(
    `INSERT INTO import_lines (tenant_id, import_id, line, uuid, pictures, row_bytes, attribute, revision, status)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
     SELECT ?1, 'i', i, 'g' || i, NULL, 0, '{}', 'p' || i, 'complete' FROM n`,
  )
    .bind(tenantId, lines)
    .run()
}

async function shorten(tenantId: string, days: number) {
  await putRetention(db, tenantId, days, made)
  await makeExpiryDue(db, tenantId)
}

/** How many imports a tenant has, and how many lines. */
const importsOf = async (tenantId: string) => [
  await db.$count(imports, eq(imports.tenantId, tenantId)),
  await db.$count(importLines, eq(importLines.tenantId, tenantId)),
]

const uuids = async (tenantId: string) =>
  (await db.select({ uuid: garments.uuid }).from(garments).where(eq(garments.tenantId, tenantId))).map(
    ({ uuid }) => uuid,
  )

/** Test files share a database, so that other tenants may be looked at first. */
async function removeAllExpired(retentionDays: number, nowMs: number) {
  const deps = { db, pictures: bindings.PICTURES }
  for (let sweep = 0; sweep < 10; sweep++) await removeExpired(deps, retentionDays, nowMs)
  const due = lte(tenantState.expiryCheckAt, nowMs)
  for (let sweep = 0; sweep < 100 && (await db.$count(tenantState, due)) > 0; sweep++)
    await removeExpired(deps, retentionDays, nowMs)
}

describe('the removal of old results', () => {
  it('removes garments and their pictures after RETENTION_DAYS, step by step, and nothing younger', async () => {
    const [old, young] = [crypto.randomUUID(), crypto.randomUUID()]
    const longAgo = removalMs - 1000 * day
    await insertDueGarments(old, 600, longAgo)
    await insertDueGarments(young, 1, longAgo + 10 * day)
    for (const tenant of [old, young]) await bindings.PICTURES.put(copyKey(tenant, 'p1'), 'x')
    await removeAllExpired(9, longAgo + 10 * day)
    expect([await uuids(old), await uuids(young)]).toEqual([[], ['g1']])
    expect(await bindings.PICTURES.head(copyKey(old, 'p1'))).toBe(null)
    expect(await bindings.PICTURES.head(copyKey(young, 'p1'))).not.toBe(null)
  })

  it('respects the shorter period of a tenant, also where the operator keeps results for ever, but no longer one', async () => {
    const [short, long] = [crypto.randomUUID(), crypto.randomUUID()]
    const longAgo = removalMs - 3000 * day
    for (const tenant of [short, long]) await insertDueGarments(tenant, 1, longAgo)
    await shorten(short, 3)
    await shorten(long, 50)
    const left = async () => [await uuids(short), await uuids(long)]
    await removeAllExpired(0, longAgo + 2 * day)
    expect(await left()).toEqual([['g1'], ['g1']])
    await removeAllExpired(0, longAgo + 4 * day)
    expect(await left()).toEqual([[], ['g1']])
    await removeAllExpired(20, longAgo + 19 * day)
    expect(await left()).toEqual([[], ['g1']])
    await removeAllExpired(20, longAgo + 21 * day)
    expect(await left()).toEqual([[], []])
  })

  it("removes a tenant's imports with all their lines after its own shorter period, in bounded steps", async () => {
    const [short, long] = [crypto.randomUUID(), crypto.randomUUID()]
    const longAgo = removalMs - 5000 * day
    for (const tenant of [short, long]) await insertImport(tenant, 600, longAgo)
    await shorten(short, 3)
    const left = async () => [await importsOf(short), await importsOf(long)]
    await removeAllExpired(20, longAgo + 2 * day)
    expect(await left()).toEqual([
      [1, 600],
      [1, 600],
    ])
    const { DB, counts } = countDatabase(bindings.DB)
    const expiring = [
      { id: long, beforeMs: longAgo - 16 * day },
      { id: short, beforeMs: longAgo + day },
    ]
    await removeExpiredImports(openDatabase(DB), { tenants: expiring, nowMs: longAgo + 4 * day }, 250)
    expect(await left()).toEqual([
      [1, 350],
      [1, 600],
    ])
    expect(counts.rowsRead).toBeLessThanOrEqual(250 * 10 + 20)
    await removeAllExpired(20, longAgo + 4 * day)
    expect(await left()).toEqual([
      [0, 0],
      [1, 600],
    ])
    await removeAllExpired(20, longAgo + 21 * day)
    expect(await importsOf(long)).toEqual([0, 0])
  })

  it('removes nothing where the setting is 0, and no garment that has not ended', async () => {
    const kept = crypto.randomUUID()
    await insertDueGarments(kept, 2, removalMs - 900 * day)
    const isWaiting = and(eq(garments.tenantId, kept), eq(garments.uuid, 'g2'))
    await db
      .update(garments)
      .set({ status: 'processing', endedAt: null, dueAt: Number.MAX_SAFE_INTEGER })
      .where(isWaiting)
    await removeAllExpired(0, removalMs)
    expect(await uuids(kept)).toEqual(['g1', 'g2'])
    await removeAllExpired(100, removalMs + day)
    expect(await uuids(kept)).toEqual(['g2'])
  })
})

describe('pictures that were replaced', () => {
  it('are removed in one sweep up to 5,000, with two queries for each 500', async () => {
    const [tenantId, removeAt] = [crypto.randomUUID(), removalMs - 9000 * day]
    await bindings.DB.prepare(
      `INSERT INTO unused_copies (copy_id, tenant_id, remove_at)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5700)
       SELECT ?1 || i, ?1, ?2 FROM n`,
    )
      .bind(tenantId, removeAt)
      .run()
    const left = async () => await db.$count(unusedCopies, eq(unusedCopies.tenantId, tenantId))
    const sweep = async () => await removeExpired({ db, pictures: bindings.PICTURES }, 0, removeAt)
    await sweep()
    expect(await left()).toBe(700)
    const { DB, counts } = countDatabase(bindings.DB)
    expect(await removeUnusedCopies({ db: openDatabase(DB), pictures: bindings.PICTURES }, removeAt, 500)).toBe(500)
    expect(counts.statements).toBe(2)
    await sweep()
    expect(await left()).toBe(0)
  })
})

describe('the size of the database', () => {
  it('is reported as an error once it comes near its limit, and not before', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    await measureDatabase(db, 1)
    expect(error).not.toHaveBeenCalled()
    await measureDatabase(db, 1, 1000)
    expect(String(error.mock.calls[0])).toContain('database nearly full')
    error.mockRestore()
  })
})
