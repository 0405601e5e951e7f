import { and, desc, eq, lt, sql, type SQL } from 'drizzle-orm'
import { addRequired, fixedRowBytes, subtractRows } from '../platform/db/count-rows.ts'
import { boundText } from '../platform/limits/bound-text.ts'
import { type Database, hasRow, newId, runBatch } from '../platform/db/database.ts'
import { type auditActions, auditEntries } from '../platform/db/schema.ts'
import { cutPage, olderThan, type PageRequest, parseCursor } from '../platform/db/page.ts'
import { hourMs } from '../time.ts'

export interface Actor {
  readonly kind: (typeof auditEntries.$inferSelect)['actorKind']
  readonly id: string
  readonly name: string
}

/** The API key of a request. Pages read its name from the accounts database. */
export const byKey = (id: string) => ({ kind: 'api-key', id, name: '' }) as const satisfies Actor

export const operator: Actor = { kind: 'operator', id: '', name: '' }

/** Somebody who is not signed in. */
export const visitor: Actor = { kind: 'visitor', id: '', name: '' }

/** Who made a change, and when. */
export interface Authorship {
  readonly by: Actor
  readonly at: number
}

interface NewEntry {
  /** The tenant or merchant whose log gets the entry. */
  readonly holderId: string | SQL
  readonly action: (typeof auditActions)[number]
  /** The changed thing. An expression is not shortened, so it may only read bounded columns. */
  readonly subject: string | SQL
  /** The import that can be undone, if any. Its entry is never combined with others. */
  readonly importId?: string
}

/** Deletions, and changes of members, passwords, keys and webhooks. Garments' changes do not push them out of a log. */
const lasting = sql.raw(
  ['*.binned', '*.restored', '*.deleted', 'member.*', 'password.*', 'key.*', 'webhook.*', 'endpoint.*']
    .map((pattern) => `action GLOB '${pattern}'`)
    .join(' OR '),
)

/** Maximum numbers of entries in a log, by kind. About every 64th new entry removes the oldest ones. */
const maxLastingEntries = 20_000
const maxOtherEntries = 5000

/** Removes rarely, because finding the oldest entry to keep reads as many rows as a log keeps. `id` is random. */
const mayTrim = (id: string) => Number.parseInt(id.slice(0, 2), 16) < 256 / 64

/** Repetitions of a change by one person or key within this time share an entry. */
const repeatedMs = hourMs

/** Number of latest entries that are searched for an entry to share. */
const maxLookedAt = 20

const maxSubjectLength = 300

/** Whether the previous statement of the batch has changed a row. */
const hasChanged = sql`changes() > 0`

/**
 * Returns the statements that record a change. They stand in its batch directly after it, or elsewhere with their own
 * `condition`. Repetitions by one person or key within an hour share an entry, which counts them and gets the latest
 * subject. Lasting changes that are not about garments share an entry only if the subject is the same.
 */
export function recordEntry(
  db: Database,
  { holderId, action, subject, importId }: NewEntry,
  { by, at }: Authorship,
  condition: SQL = hasChanged,
) {
  const text = typeof subject === 'string' ? boundText(subject, maxSubjectLength) : subject
  const id = newId()
  const former = sql`
    SELECT at, id FROM (
      SELECT * FROM ${auditEntries} WHERE holder_id = ${holderId} AND at > ${at - repeatedMs} AND at <= ${at}
      ORDER BY at DESC, id DESC LIMIT ${maxLookedAt}
    )
    WHERE actor_kind = ${by.kind} AND actor_id = ${by.id} AND action = ${action}
      AND (subject = ${text} OR action LIKE 'garment.%' OR NOT (${lasting}))
    LIMIT ${importId === undefined ? 1 : 0}`
  const entry = db
    .insert(auditEntries)
    .select(
      sql`
        SELECT ${holderId}, coalesce(former.at, ${at}), coalesce(former.id, ${id}), ${by.kind}, ${by.id}, ${by.name},
          ${action}, ${text}, 1, ${importId ?? null}
        FROM (SELECT 1) LEFT JOIN (${former}) AS former WHERE ${condition}`,
    )
    .onConflictDoUpdate({
      target: [auditEntries.holderId, auditEntries.at, auditEntries.id],
      set: { count: sql`${auditEntries.count} + 1`, subject: sql`excluded.subject` },
    })
  // A repetition adds no entry.
  const isAdded = hasRow(auditEntries, sql`holder_id = ${holderId} AND at = ${at} AND id = ${id}`)
  return [
    entry,
    addRequired(sql`${holderId}`, fixedRowBytes.audit_entries, isAdded),
    ...(mayTrim(id)
      ? [
          trimEntries(holderId, sql`(${lasting})`, maxLastingEntries),
          trimEntries(holderId, sql`NOT (${lasting})`, maxOtherEntries),
        ]
      : []
    ).flat(),
  ] as const
}

/** Returns the statements that remove a log's oldest entries of a kind beyond the latest `max`. */
function trimEntries(holderId: string | SQL, kind: SQL, max: number) {
  const oldest = sql`(
    SELECT at FROM ${auditEntries} AS latest WHERE latest.holder_id = ${holderId} AND ${kind}
    ORDER BY at DESC, id DESC LIMIT 1 OFFSET ${max - 1})`
  return deleteEntries(sql`holder_id = ${holderId} AND ${kind} AND at < ${oldest}`)
}

/** Returns the statements that subtract and remove entries. The last returns a row for each. */
const deleteEntries = (areRemoved: SQL) =>
  [
    subtractRows(
      auditEntries,
      areRemoved,
      { row_bytes: sql`count(*) * ${fixedRowBytes.audit_entries}` },
      sql.raw('holder_id'),
    ),
    sql<{ id: string }>`DELETE FROM ${auditEntries} WHERE ${areRemoved} RETURNING id`,
  ] as const

export type AuditEntry = typeof auditEntries.$inferSelect

export interface AuditLog {
  readonly db: Database
  readonly holderId: string
}

/** Lists the entries of several logs together, newest first. */
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

/** Removes the selected entries. Returns how many. */
async function removeSelected(db: Database, selected: SQL): Promise<number> {
  const { removed } = await runBatch(db, { removed: deleteEntries(sql`(holder_id, at, id) IN (${selected})`) })
  return removed.length
}

const entriesWhere = (condition: SQL, limit: number) =>
  sql`SELECT holder_id, at, id FROM ${auditEntries} WHERE ${condition} LIMIT ${limit}`

/** Removes at most `limit` entries older than `beforeMs` from all logs. Returns how many. */
export const removeOldEntries = async (db: Database, beforeMs: number, limit: number) =>
  await removeSelected(db, entriesWhere(lt(auditEntries.at, beforeMs), limit))

/** Removes at most `limit` entries from the log of a deleted tenant or account. Returns how many. */
export async function purgeEntries(db: Database, holderId: string, limit: number): Promise<number> {
  const selected = entriesWhere(eq(auditEntries.holderId, holderId), limit)
  const removed = await db.all(sql`DELETE FROM ${auditEntries} WHERE (holder_id, at, id) IN (${selected}) RETURNING id`)
  return removed.length
}

/** Removes at most `limit` expired entries of these tenants. Returns how many. */
export const removeExpiredEntries = async (
  db: Database,
  tenants: readonly { readonly id: string; readonly beforeMs: number }[],
  limit: number,
) =>
  await removeSelected(
    db,
    sql`
      SELECT entry.holder_id, entry.at, entry.id
      FROM json_each(${JSON.stringify(tenants)}) AS tenant CROSS JOIN ${auditEntries} AS entry
      WHERE entry.holder_id = tenant.value ->> 'id' AND entry.at < tenant.value ->> 'beforeMs'
      LIMIT ${limit}`,
  )

/** Returns a member as the author of a change. */
export const toActor = ({ id, name }: { readonly id: string; readonly name: string }): Actor => ({
  kind: 'member',
  id,
  name,
})
