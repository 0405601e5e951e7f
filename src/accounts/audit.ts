import { and, desc, eq, gt, lt, lte, not, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { addRequired, bytesOfRows, fixedRowBytes, subtractRows } from '../platform/db/count-rows.ts'
import { boundText } from '../platform/limits/bound-text.ts'
import { type Database, hasChanged, hasRow, inValues, newId, runBatch } from '../platform/db/database.ts'
import { auditActions, auditEntries } from '../platform/db/schema.ts'
import { cutPage, olderThan, type PageRequest, parseCursor } from '../platform/db/page.ts'
import { hourMs } from '../time.ts'

export interface Actor {
  readonly kind: (typeof auditEntries.$inferSelect)['actorKind']
  readonly id: string
  readonly name: string
}

/** Returns an API key as an author. Pages read the key's name from the accounts database. */
export const byKey = (id: string) => ({ kind: 'api-key', id, name: '' }) as const satisfies Actor

export const operator: Actor = { kind: 'operator', id: '', name: '' }

/** Somebody who is not signed in. */
export const visitor: Actor = { kind: 'visitor', id: '', name: '' }

export interface Authorship {
  readonly by: Actor
  readonly at: number
}

interface NewEntry {
  readonly holderId: string | SQLWrapper
  readonly action: Action
  /** The changed thing. An expression is not shortened, so it may only read bounded columns. */
  readonly subject: string | SQLWrapper
  /** The import that made the change and can be undone. The entry of an import is never shared. */
  readonly importId?: string
}

type Action = (typeof auditActions)[number]

/** Deletions, and changes of members, passwords, keys and webhooks. Frequent changes cannot push them out of a log. */
const lastingActions = auditActions.filter((action) =>
  /^(?:member|password|key|webhook|endpoint)\.|\.(?:binned|restored|deleted)$/.test(action),
)

const maxLastingEntries = 20_000
const maxOtherEntries = 5000

/** True for about one entry in 64, which then trims its log. Trimming reads as many rows as a log may have. */
const mayTrim = (id: string) => Number.parseInt(id.slice(0, 2), 16) < 256 / 64

/** Repeated changes within this time share one audit entry. */
const repeatedMs = hourMs

/** Number of latest entries in which an earlier repetition is searched for. */
const maxLookedAt = 20

const maxSubjectLength = 300

/**
 * Returns the statements that record a change. They follow the change in its batch, or have their own `condition`.
 * Repetitions by one person or key within an hour share an entry, which counts them and gets the latest subject.
 * Lasting changes that are not about garments share an entry only if the subject is the same.
 */
export function recordEntry(
  db: Database,
  { holderId, action, subject, importId }: NewEntry,
  { by, at }: Authorship,
  condition: SQL = hasChanged,
) {
  const text = typeof subject === 'string' ? boundText(subject, maxSubjectLength) : subject
  const id = newId()
  const isLasting = lastingActions.includes(action)
  const recent = db
    .select()
    .from(auditEntries)
    .where(and(eq(auditEntries.holderId, holderId), gt(auditEntries.at, at - repeatedMs), lte(auditEntries.at, at)))
    .orderBy(desc(auditEntries.at), desc(auditEntries.id))
    .limit(maxLookedAt)
    .as('recent')
  const isRepeated = and(
    eq(recent.actorKind, by.kind),
    eq(recent.actorId, by.id),
    eq(recent.action, action),
    isLasting && !action.startsWith('garment.') ? eq(recent.subject, text) : undefined,
  )
  const former = db
    .select({ at: recent.at, id: recent.id })
    .from(recent)
    .where(isRepeated)
    .limit(importId === undefined ? 1 : 0)
    .as('former')
  const entry = db
    .insert(auditEntries)
    .select(
      sql`
        SELECT ${holderId}, coalesce(former.at, ${at}), coalesce(former.id, ${id}), ${by.kind}, ${by.id}, ${by.name},
          ${action}, ${text}, 1, ${importId ?? null}
        FROM (SELECT 1) LEFT JOIN ${former} WHERE ${condition}`,
    )
    .onConflictDoUpdate({
      target: [auditEntries.holderId, auditEntries.at, auditEntries.id],
      set: { count: sql`${auditEntries.count} + 1`, subject: sql`excluded.subject` },
    })
  // A repetition adds no row to the log, so its bytes are not counted.
  const isAdded = hasRow(
    auditEntries,
    and(eq(auditEntries.holderId, holderId), eq(auditEntries.at, at), eq(auditEntries.id, id)),
  )
  return [
    entry,
    addRequired(holderId, fixedRowBytes.audit_entries, isAdded),
    ...(mayTrim(id) ? trimEntries(db, holderId, isLasting) : []),
  ] as const
}

/** Returns the statements that remove a log's oldest entries of one kind, lasting or not. */
function trimEntries(db: Database, holderId: string | SQLWrapper, isLasting: boolean) {
  const areLasting = inValues(auditEntries.action, lastingActions)
  const hasKind = and(eq(auditEntries.holderId, holderId), isLasting ? areLasting : not(areLasting))
  const oldestKept = db
    .select({ at: auditEntries.at })
    .from(auditEntries)
    .where(hasKind)
    .orderBy(desc(auditEntries.at), desc(auditEntries.id))
    .limit(1)
    .offset((isLasting ? maxLastingEntries : maxOtherEntries) - 1)
  return deleteEntries(db, and(hasKind, lt(auditEntries.at, oldestKept)))
}

const deleteEntries = (db: Database, areRemoved: SQL | undefined) =>
  [
    subtractRows(auditEntries, areRemoved, { row_bytes: bytesOfRows('audit_entries') }, auditEntries.holderId),
    db.delete(auditEntries).where(areRemoved).returning({ id: auditEntries.id }),
  ] as const

export type AuditEntry = typeof auditEntries.$inferSelect

export interface AuditLog {
  readonly db: Database
  readonly holderId: string
}

export async function listEntries(logs: readonly AuditLog[], { limit, cursor }: PageRequest) {
  const position = parseCursor(cursor)
  const found = await Promise.all(
    logs.map(({ db, holderId }) =>
      db
        .select()
        .from(auditEntries)
        .where(
          and(eq(auditEntries.holderId, holderId), position && olderThan(auditEntries.at, auditEntries.id, position)),
        )
        .orderBy(desc(auditEntries.at), desc(auditEntries.id))
        .limit(limit + 1),
    ),
  )
  const newest = found.flat().sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
  return cutPage(newest, limit, ({ at, id }) => ({ at, id }))
}

const { holderId: holder, at, id } = auditEntries

const areSelected = (selected: SQLWrapper) => sql`(${holder}, ${at}, ${id}) IN ${selected}`

async function removeSelected(db: Database, selected: SQLWrapper): Promise<number> {
  const { removed } = await runBatch(db, { removed: deleteEntries(db, areSelected(selected)) })
  return removed.length
}

const selectEntries = (db: Database, condition: SQL, limit: number) =>
  db.select({ holder, at, id }).from(auditEntries).where(condition).limit(limit)

export const removeOldEntries = async (db: Database, beforeMs: number, limit: number) =>
  await removeSelected(db, selectEntries(db, lt(auditEntries.at, beforeMs), limit))

/** Removes at most `limit` entries from the log of a deleted tenant or account, without updating its counts. */
export async function purgeEntries(db: Database, holderId: string, limit: number): Promise<number> {
  const selected = selectEntries(db, eq(auditEntries.holderId, holderId), limit)
  const removed = await db.delete(auditEntries).where(areSelected(selected)).returning({ id })
  return removed.length
}

export const removeExpiredEntries = async (
  db: Database,
  tenants: readonly { readonly id: string; readonly beforeMs: number }[],
  limit: number,
) =>
  await removeSelected(
    db,
    // CROSS JOIN makes SQLite look up each tenant in the primary key's index.
    sql`(
      SELECT entry.holder_id, entry.at, entry.id
      FROM json_each(${JSON.stringify(tenants)}) AS tenant CROSS JOIN ${auditEntries} AS entry
      WHERE entry.holder_id = tenant.value ->> 'id' AND entry.at < tenant.value ->> 'beforeMs' LIMIT ${limit})`,
  )

export const toActor = ({ id, name }: { readonly id: string; readonly name: string }): Actor => ({
  kind: 'member',
  id,
  name,
})
