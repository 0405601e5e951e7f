import { sql, type SQL } from 'drizzle-orm'
import { boundText } from '../bounds/bound-text.ts'
import type { Database } from '../db/client.ts'
import { newId } from '../db/ids.ts'
import { auditEntries, type auditActions } from '../db/schema.ts'

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

/** Of each log; the oldest go first, at about every 64th entry. */
const maxEntries = 5000

/** Finding the oldest entry to keep reads as many rows as a log keeps, so few entries do it. `id` is random. */
const mayTrim = (id: string) => Number.parseInt(id.slice(0, 2), 16) < 256 / 64

export const maxSubjectLength = 300

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
