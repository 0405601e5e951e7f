import { sql, type SQL } from 'drizzle-orm'
import { boundText } from '../bounds/bound-text.ts'
import type { Database } from '../db/client.ts'
import { auditEntries } from '../db/schema.ts'
import { hourMs } from '../time.ts'
import { maxSubjectLength, recordEntry, type Made } from './record-entry.ts'

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
export function recordRepeated(db: Database, entry: RepeatedEntry, made: Made, condition: SQL): SQL[] {
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
    ...recordEntry(db, entry, made, sql`changes() = 0 AND ${condition}`).map((statement) => statement.getSQL()),
  ]
}
