import { and, eq, isNotNull, isNull, sql, type SQL } from 'drizzle-orm'
import { type Database, list } from '../platform/db/database.ts'
import { importLines, importLineStatuses, imports, unreferencedFiles } from '../platform/db/schema.ts'

/*
 * The state machine of import lines:
 *
 *   upload    waiting -> tagging, together with the garment's upload; unchanged or refused, if its uuid is taken
 *   edit      waiting -> complete, unchanged, failed or asking, after the garment was edited
 *   overwrite asking -> waiting, when the user confirms the overwrite (wake-importer.ts)
 *   answer    unmatched -> waiting, unchanged or refused (answer-unmatched.ts)
 *   end       tagging -> complete or failed, once the garment has ended
 */

export type LineStatus = (typeof importLineStatuses)[number]

export interface LineOutcome {
  readonly line: number
  readonly status: LineStatus
  readonly problem: string
}

interface Move {
  readonly tenantId: string
  readonly id: string
  readonly from: 'waiting' | 'tagging' | 'asking' | 'unmatched'
}

/**
 * Selects the lines of `outcomes` that still have the status `from`, for `moveStatements`. `+` makes SQLite look up
 * lines by number instead of by status.
 */
export const selectOutcomes = ({ tenantId, id, from }: Move, outcomes: readonly LineOutcome[]) => sql`
  SELECT line.line, line.pictures, outcome.value ->> 'status' AS status, outcome.value ->> 'problem' AS problem
  FROM json_each(${JSON.stringify(outcomes)}) AS outcome
  CROSS JOIN ${importLines} AS line
    ON line.tenant_id = ${tenantId} AND line.import_id = ${id} AND line.line = outcome.value ->> 'line'
  WHERE +line.status = ${from}`

/**
 * Moves lines to their new status in one batch. Waiting lines reopen an ended import. Lines that have already left the
 * status `from` are not counted, so a batch may be repeated or run twice at the same time.
 * @param moved selects `line`, `pictures`, and the new `status` and `problem` of lines with the status `from`
 */
export function moveStatements(db: Database, { tenantId, id, from }: Move, moved: SQL, nowMs: number) {
  const isImport = and(eq(imports.tenantId, tenantId), eq(imports.id, id))
  const isMovedTo = (status: LineStatus) => `count(*) FILTER (WHERE status = '${status}')`
  const changes = importLineStatuses.map((status) => {
    const left = status === from ? ' - count(*)' : ''
    return sql.raw(`${status} = imports.${status} + (SELECT ${isMovedTo(status)}${left} FROM moved)`)
  })
  const edits = "(SELECT count(*) FROM moved WHERE status = 'complete' AND pictures IS NULL)"
  return [
    sql`
      WITH moved AS (${moved})
      UPDATE ${imports} SET ${list(changes)}, edits = imports.edits + ${sql.raw(edits)},
        ended_at = iif(EXISTS (SELECT 1 FROM moved WHERE status = 'waiting'), NULL, ended_at)
      WHERE ${isImport}`,
    db
      .update(imports)
      .set({ endedAt: nowMs })
      .where(
        and(
          isImport,
          eq(imports.waiting, 0),
          eq(imports.tagging, 0),
          isNotNull(imports.storedAt),
          isNull(imports.endedAt),
        ),
      ),
    markUnused(tenantId, sql`(${moved}) AS moved WHERE moved.status IN ('failed', 'unchanged', 'refused')`, nowMs),
    sql<{ line: number }>`
      WITH moved AS (${moved})
      UPDATE ${importLines} SET status = moved.status, problem = moved.problem FROM moved
      WHERE tenant_id = ${tenantId} AND import_id = ${id} AND ${importLines}.line = moved.line
        AND ${importLines}.line IN (SELECT line FROM moved)
      RETURNING ${importLines}.line`,
  ] as const
}

export const markUnused = (tenantId: string, lines: SQL, nowMs: number) => sql`
  INSERT OR IGNORE INTO ${unreferencedFiles} (tenant_id, file_id, since)
  SELECT ${tenantId}, picture.value ->> '$.file.id', ${nowMs}
  FROM (SELECT pictures FROM ${lines}) AS line CROSS JOIN json_each(line.pictures) AS picture
  WHERE picture.value ->> '$.file.id' IS NOT NULL`
