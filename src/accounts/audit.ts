import { and, desc, eq, lt, sql, type SQL } from 'drizzle-orm'
import { boundText } from '../platform/limits/bound-text.ts'
import { type Database, newId } from '../platform/db/database.ts'
import { type auditActions, auditEntries } from '../platform/db/schema.ts'
import { cutPage, olderThan, type PageRequest, parseCursor } from '../platform/db/page.ts'
import { hourMs } from '../time.ts'

export interface Actor {
  readonly kind: (typeof auditEntries.$inferSelect)['actorKind']
  readonly id: string
  readonly name: string
}

/** The key that a request was admitted with. Its name is in the accounts. */
export const byKey = (id: string): Actor => ({ kind: 'api-key', id, name: '' })

export const operator: Actor = { kind: 'operator', id: '', name: '' }

/** Who makes a change, and when. */
export interface Made {
  readonly by: Actor
  readonly at: number
}

interface NewEntry {
  /** Whose log it is in: a tenant's id, or a merchant's. */
  readonly holderId: string | SQL
  readonly action: (typeof auditActions)[number]
  /** What was changed. An expression is not shortened, so it must consist of bounded columns. */
  readonly subject: string | SQL
}

/** How many entries a log keeps; at about every 64th entry the oldest are removed. */
const maxEntries = 5000

/** Finding the oldest entry to keep reads as many rows as a log keeps, so few entries do it. `id` is random. */
const mayTrim = (id: string) => Number.parseInt(id.slice(0, 2), 16) < 256 / 64

const maxSubjectLength = 300

/** True if the statement before it in the batch has changed a row. */
const hasChanged = sql`changes() > 0`

/**
 * The statements that record a change and keep the log short, for the change's batch, directly after the change. With
 * their own condition they can stand elsewhere.
 */
export function recordEntry(
  db: Database,
  { holderId, action, subject }: NewEntry,
  { by, at }: Made,
  condition: SQL = hasChanged,
) {
  const text = typeof subject === 'string' ? boundText(subject, maxSubjectLength) : subject
  const id = newId()
  const entry = db.insert(auditEntries).select(sql`
    SELECT ${holderId}, ${at}, ${id}, ${by.kind}, ${by.id}, ${by.name}, ${action}, ${text}, 1
    WHERE ${condition}`)
  const oldest = sql`(
    SELECT at FROM ${auditEntries} AS kept WHERE kept.holder_id = ${holderId}
    ORDER BY at DESC, id DESC LIMIT 1 OFFSET ${maxEntries - 1})`
  const trim = db
    .delete(auditEntries)
    .where(sql`holder_id = ${holderId} AND at < CASE WHEN ${mayTrim(id) ? hasChanged : sql`0`} THEN ${oldest} END`)
  return [entry, trim] as const
}

export type AuditEntry = typeof auditEntries.$inferSelect

/** A log: in which database, and whose. */
export interface AuditLog {
  readonly db: Database
  readonly holderId: string
}

/** The entries of several logs together, newest first. Each is read from its own database. */
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

/** How long the changes of one person or key go into one entry. */
const repeatedMs = hourMs

/** How many of the latest entries are searched for the former one. */
const maxLookedAt = 20

interface RepeatedEntry {
  readonly holderId: string
  readonly action: (typeof auditEntries.$inferSelect)['action']
  readonly subject: string
}

/**
 * The statements that record a change of which many come one after the other, where `condition` holds: those of an hour
 * are one entry, which counts them and has the last one's subject. So a key that changes every price neither drives
 * everything else out of the log, nor writes more than one row for each.
 */
export function recordRepeated(db: Database, entry: RepeatedEntry, made: Made, condition: SQL) {
  const { holderId, action, subject } = entry
  const { by, at } = made
  const latest = sql`
    SELECT at, id, actor_kind, actor_id, action FROM ${auditEntries}
    WHERE holder_id = ${holderId} AND at > ${at - repeatedMs} AND at <= ${at}
    ORDER BY at DESC, id DESC LIMIT ${maxLookedAt}`
  const former = sql`(${latest})
    WHERE actor_kind = ${by.kind} AND actor_id = ${by.id} AND action = ${action} LIMIT 1`
  return [
    sql`
      UPDATE ${auditEntries} SET count = count + 1, subject = ${boundText(subject, maxSubjectLength)}
      WHERE holder_id = ${holderId} AND at = (SELECT at FROM ${former}) AND id = (SELECT id FROM ${former})
        AND ${condition}`,
    ...recordEntry(db, entry, made, sql`changes() = 0 AND ${condition}`),
  ] as const
}

async function removeSelected(db: Database, selected: SQL): Promise<number> {
  const removed = await db
    .delete(auditEntries)
    .where(sql`(holder_id, at, id) IN (${selected})`)
    .returning({ id: auditEntries.id })
  return removed.length
}

/** Removes at most `limit` entries of all logs that are older than this. Returns how many. */
export const removeOldEntries = async (db: Database, beforeMs: number, limit: number) =>
  await removeSelected(
    db,
    sql`SELECT holder_id, at, id FROM ${auditEntries} WHERE ${lt(auditEntries.at, beforeMs)} LIMIT ${limit}`,
  )

/** Removes at most `limit` entries of tenants that are older than their own time. Returns how many. */
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

/** A member as who makes a change. */
export const toActor = ({ id, name }: { readonly id: string; readonly name: string }): Actor => ({
  kind: 'member',
  id,
  name,
})
