import { count, eq, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { listEntries, recordEntry } from '../../src/accounts/audit.ts'
import { openDatabase, runBatch } from '../../src/platform/db/database.ts'
import { type auditActions, auditEntries } from '../../src/platform/db/schema.ts'
import { removeExpired } from '../../src/operations/sweep.ts'
import { putRetention } from '../../src/accounts/retention.ts'
import { purgeTenant } from '../operations/purge-tenant.ts'
import { makeExpiryDue, removalMs } from '../operations/removal-time.ts'
import { bindings, call, databaseOf, newTenant } from '../service.ts'
import { countDatabase } from '../support/count-database.ts'

const dayMs = 24 * 3600_000
const by = { kind: 'member', id: 'm', name: 'Ann' } as const

const record = async (tenantId: string, at: number, subject: string) =>
  await runBatch(databaseOf(tenantId), {
    entry: recordEntry(
      databaseOf(tenantId),
      { holderId: tenantId, action: 'studio.saved', subject },
      { by, at },
      sql`1`,
    ),
  })

const countOf = async (tenantId: string) => {
  const mine = eq(auditEntries.holderId, tenantId)
  return (await databaseOf(tenantId).select({ n: count() }).from(auditEntries).where(mine))[0]?.n
}

it("a tenant's log is kept for the tenant's retention period, and at most for the operator's", async () => {
  const [one, other] = [await newTenant(), await newTenant()]
  for (const { tenantId } of [one, other])
    for (const days of [1, 5, 400]) await record(tenantId, removalMs - days * dayMs, `${days} days ago`)
  await putRetention(databaseOf(one.tenantId), one.tenantId, 3, { by, at: removalMs - 4 * dayMs })
  for (const { tenantId } of [one, other]) {
    await makeExpiryDue(databaseOf(tenantId), tenantId)
    await removeExpired({ db: databaseOf(tenantId), pictures: bindings.PICTURES }, 365, removalMs)
  }
  expect([await countOf(one.tenantId), await countOf(other.tenantId)]).toEqual([1, 2])
})

it('the sweep removes expired entries of all logs in the first minutes of each hour', async () => {
  const { tenantId } = await newTenant()
  const db = databaseOf(tenantId)
  await record(tenantId, removalMs - 400 * dayMs, 'old')
  const counts: unknown[] = []
  for (const minute of [-1, 5, 64]) {
    await removeExpired({ db, pictures: bindings.PICTURES }, 365, removalMs + minute * 60_000)
    counts.push(await countOf(tenantId))
  }
  expect(counts).toEqual([1, 1, 0])
})

it('the log is removed with its tenant', async () => {
  const { tenantId, merchant } = await newTenant()
  await record(tenantId, Date.now(), 'x')
  expect((await call('DELETE', '/merchant/tenant', merchant.bearer)).status).toBe(200)
  await purgeTenant(tenantId)
  expect(await countOf(tenantId)).toBe(0)
})

it('a log keeps about its 5,000 newest entries, of which most read a few rows only', async () => {
  const { DB, counts } = countDatabase(bindings.DB)
  const db = openDatabase(DB)
  const tenantId = crypto.randomUUID()
  await db.run(sql`
    INSERT INTO audit_entries (holder_id, at, id, actor_kind, actor_id, actor_name, action, subject)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
    SELECT ${tenantId}, i, 'e' || i, 'member', 'm', 'Ann', 'studio.saved', 's' || i FROM n`)
  const entry = (subject: string) => ({ holderId: tenantId, action: 'studio.saved', subject }) as const
  // Each by somebody else: a repetition would be no entry of its own.
  const add = async (subject: string) =>
    await runBatch(db, {
      entry: recordEntry(db, entry(subject), { by: { ...by, id: subject }, at: Date.now() }, sql`1`),
    })
  const count = async () => await db.$count(auditEntries, eq(auditEntries.holderId, tenantId))
  const reads: number[] = []
  for (let i = 0; i < 100; i++) {
    const before = counts.rowsRead
    await add(`new ${i}`)
    reads.push(counts.rowsRead - before)
  }
  // One entry in 64 reads the whole log to trim it. At most 20 of 100 do so, except by a chance of one in 10^15.
  expect(reads.toSorted((a, b) => a - b)[79]).toBeLessThan(100)
  // Which entry removes the oldest ones is left to chance.
  for (let i = 0; i < 1000 && (await count()) !== 5000; i++) await add(`newer ${i}`)

  const logs = [{ db, holderId: tenantId }]
  const pages: string[] = []
  let cursor: string | undefined
  do {
    const page = await listEntries(logs, { limit: 1000, cursor })
    pages.push(...page.rows.map(({ subject }) => subject))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  expect([pages.length, new Set(pages).size]).toEqual([5000, 5000])
  expect([pages[0]?.startsWith('new'), pages.includes('s5000'), pages.includes('s1')]).toEqual([true, true, false])
})

it('a subject is at most 300 characters long', async () => {
  const { tenantId } = await newTenant()
  await record(tenantId, Date.now(), 'x'.repeat(1000))
  const [entry] = await databaseOf(tenantId).select().from(auditEntries).where(eq(auditEntries.holderId, tenantId))
  expect(entry?.subject.length).toBe(300)
})

it('repetitions of an hour are one entry, and drive out no deletion and nothing about keys and webhooks', async () => {
  const { tenantId } = await newTenant()
  const db = databaseOf(tenantId)
  const write = async (action: (typeof auditActions)[number], subject: string, at: number, id: string = by.id) =>
    await runBatch(db, {
      entry: recordEntry(db, { holderId: tenantId, action, subject }, { by: { ...by, id }, at }, sql`1`),
    })
  const lasting = ['import.deleted', 'key.created', 'member.removed', 'webhook.changed'] as const
  for (const [i, action] of lasting.entries()) for (const subject of ['a', 'b']) await write(action, subject, i)
  await write('import.deleted', 'b', 5)
  // Those of garments are one entry for each person, whatever the garment.
  for (const subject of ['a', 'b', 'b']) await write('garment.deleted', subject, 5)
  await write('garment.deleted', 'c', 5, 'somebody else')
  // As many as fill a log, of others.
  await db.run(sql`
    INSERT INTO audit_entries (holder_id, at, id, actor_kind, actor_id, actor_name, action, subject)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
    SELECT ${tenantId}, 10 + i, 'e' || i, 'api-key', 'other', '', 'retention.changed', 'x' FROM n`)
  const trimmed = async () => ((await countOf(tenantId)) ?? 0) < 6000
  for (let i = 0; i < 5000 && !(await trimmed()); i++) await write('retention.changed', 'x', 10_000 + i, `m${i}`)
  expect(await trimmed()).toBe(true)
  for (const [i, subject] of ['a', 'b'].entries()) await write('studio.saved', subject, 20_000 + i)
  const { rows } = await listEntries([{ db, holderId: tenantId }], { limit: 6000 })
  const [saved, ...others] = rows.map(({ action, subject, count: times }) => [action, subject, times])
  expect(saved).toEqual(['studio.saved', 'b', 2])
  expect(others.filter(([action]) => action === 'studio.saved')).toEqual([])
  const kept = others.filter(([action]) => action !== 'retention.changed').reverse()
  expect(kept.sort()).toEqual([
    ['garment.deleted', 'b', 3],
    ['garment.deleted', 'c', 1],
    ...lasting.flatMap((action) => [
      [action, 'a', 1],
      [action, 'b', action === 'import.deleted' ? 2 : 1],
    ]),
  ])
})
