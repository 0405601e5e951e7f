import { sql, type SQL } from 'drizzle-orm'
import { garments, importLines, imports, unreferencedFiles } from '../platform/db/schema.ts'
import { hasSameContent } from '../garments/pictures/garment-picture.ts'
import type { UploadLimits } from '../garments/upload-garment.ts'
import { lineProblem, storeProblems } from './import-line-problem.ts'
import { garmentStatements, isInBin } from '../garments/transitions.ts'

/**
 * The state machine of import lines:
 *
 *   upload    waiting -> tagging, unchanged or refused, together with the garment's upload
 *   edit      waiting -> complete, unchanged, failed or asking, after the garment was edited (importer.ts)
 *   overwrite asking -> waiting, when the user confirms the overwrite (wake-importer.ts)
 *   end       tagging -> complete or failed, once the garment has ended
 *
 * Each transition is one batch. Every statement selects the same lines by status, and the last statement changes the
 * status. So a batch that is repeated or runs twice at the same time never moves a line twice.
 */

/** Without this hint, SQLite scans the primary key with lines of every status. */
export const byStatus = sql`INDEXED BY import_lines_by_status`

const isSameContent = sql`
  ${hasSameContent(sql`stored`, sql`line.pictures`)} AND stored.attribute = line.attribute`

/** A garment that was tagged again has a new revision, but the same pictures. */
const isSameUpload = sql`(ended.revision = line.revision
  OR (ended.status = 'complete' AND ${hasSameContent(sql`ended`, sql`line.pictures`)}))`

export type Import = Pick<typeof imports.$inferSelect, 'tenantId' | 'id' | 'origin'>

/** Lines without a picture edit existing garments. */
export const isEdit = sql`pictures IS NULL`

/** 1 if the next waiting line of an import is an edit. */
export const isEditNext = (tenantId: string) => sql<number | null>`(
  SELECT ${isEdit} FROM ${importLines} ${byStatus}
  WHERE tenant_id = ${tenantId} AND import_id = ${imports.id} AND status = 'waiting' ORDER BY line LIMIT 1)`

/** Uploads the next `limit` waiting lines of an import. `lines` returns one row per line, `turns` the messages. */
export function uploadLineStatements(
  { tenantId, id, origin }: Import,
  { limit, ...limits }: UploadLimits & { readonly limit: number },
  nowMs: number,
) {
  // Checks `paused` here because the import may have been paused since it was read.
  const next = sql`
    SELECT * FROM ${importLines} ${byStatus}
    WHERE tenant_id = ${tenantId} AND import_id = ${id} AND status = 'waiting' AND NOT ${isEdit}
      AND EXISTS (SELECT 1 FROM ${imports} WHERE tenant_id = ${tenantId} AND id = ${id} AND paused = 0)
    ORDER BY line LIMIT ${limit}`
  const outsideBin = sql`SELECT * FROM (${next}) AS line WHERE NOT ${isInBin(sql`line.tenant_id`, sql`line.uuid`)}`
  const outcomes = sql`
    SELECT line.line, line.pictures,
      CASE
        WHEN stored.revision = line.revision THEN 'tagging'
        WHEN ${isSameContent} THEN 'unchanged'
        ELSE 'refused'
      END AS status,
      CASE
        WHEN stored.revision = line.revision THEN ''
        WHEN ${isSameContent} THEN ''
        WHEN stored.uuid IS NULL THEN ${storeProblems([lineProblem('garment_binned')])}
        ELSE ${storeProblems([lineProblem('uuid_conflict')])}
      END AS problem
    FROM (${next}) AS line
    LEFT JOIN ${garments} AS stored ON stored.tenant_id = ${tenantId} AND stored.uuid = line.uuid`
  return {
    turns: garmentStatements({ tenantId, origin, lines: outsideBin }, limits, nowMs),
    lines: changeStatements({ tenantId, id, from: 'waiting', outcomes }, nowMs),
  }
}

/** Ends at most `limit` lines whose garments have ended. The last statement returns one row per line. */
export function endLineStatements({ tenantId, id }: Import, limit: number, nowMs: number) {
  const outcomes = sql`
    SELECT line.line, line.pictures,
      iif(${isSameUpload}, ended.status, 'failed') AS status,
      CASE
        WHEN ended.uuid IS NULL THEN ${storeProblems([lineProblem('garment_deleted')])}
        ELSE iif(${isSameUpload}, coalesce(ended.failure, ''), ${storeProblems([lineProblem('uploaded_again')])})
      END AS problem
    FROM ${importLines} AS line ${byStatus}
    LEFT JOIN ${garments} AS ended ON ended.tenant_id = ${tenantId} AND ended.uuid = line.uuid
    WHERE line.tenant_id = ${tenantId} AND line.import_id = ${id} AND line.status = 'tagging'
      AND (ended.revision IS NOT line.revision OR ended.ended_at IS NOT NULL)
    ORDER BY line.line LIMIT ${limit}`
  return changeStatements({ tenantId, id, from: 'tagging', outcomes }, nowMs)
}

interface Change {
  readonly tenantId: string
  readonly id: string
  readonly from: 'waiting' | 'tagging'
  /** A SELECT of `line`, `pictures`, and of the line's new `status` and `problem`. */
  readonly outcomes: SQL
}

/** Updates the counts, ends the import, marks files that no garment uses, and finally changes the lines. */
export function changeStatements({ tenantId, id, from, outcomes }: Change, nowMs: number) {
  const count = (status: string) => sql`count(*) FILTER (WHERE status = ${status})`
  const moved =
    from === 'tagging'
      ? sql`tagging = ${imports}.tagging - change.lines`
      : sql`waiting = ${imports}.waiting - change.lines, tagging = ${imports}.tagging + change.tagging`
  return [
    sql`
      UPDATE ${imports} SET
        ${moved},
        complete = ${imports}.complete + change.complete, failed = ${imports}.failed + change.failed,
        unchanged = ${imports}.unchanged + change.unchanged, refused = ${imports}.refused + change.refused,
        asking = ${imports}.asking + change.asking, edits = ${imports}.edits + change.edits
      FROM (
        SELECT count(*) AS lines, ${count('tagging')} AS tagging, ${count('complete')} AS complete,
          ${count('failed')} AS failed, ${count('unchanged')} AS unchanged, ${count('refused')} AS refused,
          ${count('asking')} AS asking, count(*) FILTER (WHERE status = 'complete' AND ${isEdit}) AS edits
        FROM (${outcomes})
      ) AS change
      WHERE tenant_id = ${tenantId} AND id = ${id}`,
    sql`
      UPDATE ${imports} SET ended_at = ${nowMs}
      WHERE tenant_id = ${tenantId} AND id = ${id} AND waiting = 0 AND tagging = 0 AND stored_at IS NOT NULL
        AND ended_at IS NULL`,
    sql`
      INSERT OR IGNORE INTO ${unreferencedFiles} (tenant_id, file_id, since)
      SELECT ${tenantId}, picture.value ->> '$.file.id', ${nowMs}
      FROM (${outcomes}) AS outcome CROSS JOIN json_each(outcome.pictures) AS picture
      WHERE outcome.status IN ('failed', 'unchanged', 'refused') AND picture.value ->> '$.file.id' IS NOT NULL`,
    sql<{ line: number }>`
      UPDATE ${importLines} SET status = outcome.status, problem = outcome.problem
      FROM (${outcomes}) AS outcome
      WHERE tenant_id = ${tenantId} AND import_id = ${id} AND ${importLines}.line = outcome.line
      RETURNING ${importLines}.line`,
  ] as const
}
