import { and, eq, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { recordEntry } from '../../src/accounts/audit.ts'
import { correctGarment } from '../../src/garments/corrections/correct-garment.ts'
import { parseChanges } from '../../src/garments/corrections/attributes.ts'
import { openDatabase, runBatch } from '../../src/platform/db/database.ts'
import { auditEntries, garments } from '../../src/platform/db/schema.ts'
import { continueImports } from '../../src/imports/importer.ts'
import { sessionOf } from '../dashboard/session-of.ts'
import { deps, insertGarment } from '../garments/review/complete-garment.ts'
import { bindings, databaseOf, newTenant, raw } from '../service.ts'
import { countDatabase } from '../support/count-database.ts'

const hourMs = 3600_000

const entriesOf = async (tenantId: string) =>
  await databaseOf(tenantId)
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.holderId, tenantId))
    .orderBy(auditEntries.at)

const changesOf = async (tenantId: string, uuid: string) => {
  const [row] = await databaseOf(tenantId)
    .select()
    .from(garments)
    .where(and(eq(garments.tenantId, tenantId), eq(garments.uuid, uuid)))
  return parseChanges(row?.attributeChanges ?? null)
}

it('changes of one key in an hour are one entry, which counts them; those of others are apart', async () => {
  const { tenantId } = await newTenant()
  const db = databaseOf(tenantId)
  for (const uuid of ['a', 'b', 'c']) await insertGarment(tenantId, uuid)
  const change = async (uuid: string, price: string, key: string, at: number) => {
    const patch = { tag: {}, measurements: {}, attribute: { Price: price } }
    await correctGarment({ ...deps, db }, tenantId, { uuid, patch, by: { kind: 'api-key', id: key, name: '' } }, at)
  }
  await change('a', '1', 'k1', hourMs)
  await change('b', '1', 'k2', hourMs + 1)
  await change('b', '2', 'k1', hourMs + 2)
  // It has that already.
  await change('b', '2', 'k1', hourMs + 3)
  await change('c', '3', 'k1', 2 * hourMs - 1)
  await change('c', '4', 'k1', 2 * hourMs)
  expect((await entriesOf(tenantId)).map(({ actorId, count, subject }) => [actorId, count, subject])).toEqual([
    ['k1', 3, 'c: Price: 3.00, added'],
    ['k2', 1, 'b: Price: 1.00, added'],
    ['k1', 1, 'c: Price: 3.00 → 4.00'],
  ])
})

it('moving many garments into the bin and back is one entry of each kind in an hour', async () => {
  const { tenantId } = await newTenant()
  const db = databaseOf(tenantId)
  const made = { by: { kind: 'api-key', id: 'k', name: '' }, at: hourMs } as const
  for (let i = 0; i < 20; i++)
    for (const action of ['garment.binned', 'garment.restored'] as const)
      await runBatch(db, { entry: recordEntry(db, { holderId: tenantId, action, subject: `g${i}` }, made, sql`1`) })
  const entries = (await entriesOf(tenantId)).map(({ action, count, subject }) => [action, count, subject])
  expect(entries.sort()).toEqual([
    ['garment.binned', 20, 'g19'],
    ['garment.restored', 20, 'g19'],
  ])
})

it('a change writes at most five rows to the log, and reads few of a full one', async () => {
  const { tenantId } = await newTenant()
  const at = 10 * hourMs
  const db = databaseOf(tenantId)
  await db.run(sql`
    INSERT INTO audit_entries (holder_id, at, id, actor_kind, actor_id, actor_name, action, subject)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
    SELECT ${tenantId}, ${at} - i, 'e' || i, 'api-key', 'other', '', 'garment.deleted', 'g' FROM n`)
  const record = async (by: string, now: number) => {
    const { DB, counts } = countDatabase(db.$client)
    const entry = { holderId: tenantId, action: 'garment.changed', subject: 'g: Price: 1 → 2' } as const
    const made = { by: { kind: 'api-key', id: by, name: '' }, at: now } as const
    await runBatch(openDatabase(DB), { entry: recordEntry(openDatabase(DB), entry, made, sql`1`) })
    return counts
  }
  // Its row, its entry in the index by age, both of the oldest entry, and the count of the tenant's bytes.
  expect((await record('k', at)).rowsWritten).toBeLessThanOrEqual(5)
  const { rowsWritten, rowsRead } = await record('k', at + 1)
  expect(rowsWritten).toBe(1)
  expect(rowsRead).toBeLessThanOrEqual(60)
  expect((await entriesOf(tenantId)).at(-1)).toMatchObject({ at, count: 2 })
})

it('a CSV is one entry for all of its garments, and each has it in its history', async () => {
  const { merchant, tenantId } = await newTenant()
  const session = await sessionOf(merchant.id)
  const uuids = Array.from({ length: 30 }, (_, i) => `g${i}`)
  for (const uuid of uuids) await insertGarment(tenantId, uuid, { attribute: '{"price":"5"}' })
  const form = new FormData()
  form.set('csv', `uuid,Price,Shelf\n${uuids.map((uuid) => `${uuid},6,A`).join('\n')}\ng1,7,A\n`)
  const answer = await raw('POST', '/dashboard/imports', { Origin: 'http://service.test', ...session }, form)
  expect(answer.status).toBe(303)
  for (let steps = 0; steps < 20 && (await continueImports(bindings, tenantId, 1)) !== null;) steps++
  const made = (await entriesOf(tenantId)).filter(({ action }) => action.startsWith('garment'))
  expect(made.map(({ actorName, action, subject, count }) => [actorName, action, subject, count])).toEqual([
    ['Ann', 'garments.changed', expect.stringMatching(/^Price, Shelf \(.+\)$/), 1],
  ])
  for (const uuid of uuids)
    expect(await changesOf(tenantId, uuid)).toEqual([
      {
        at: expect.any(Number),
        by: { kind: 'member', id: merchant.id, name: 'Ann' },
        before: { price: '5', Shelf: null },
        importId: expect.any(String),
      },
    ])
})
