import { sql, type SQL } from 'drizzle-orm'
import { addStored, limitBasis, limitNow } from '../accounts/quotas.ts'
import { addGrowth, fixedRowBytes } from '../platform/db/count-rows.ts'
import { type Database, hasChanged } from '../platform/db/database.ts'
import { garments, reservedNumbers, tenantCounters } from '../platform/db/schema.ts'
import { dayOf } from '../time.ts'
import { deletePictures, insertPictures } from './pictures/garment-picture.ts'
import { insertGarments } from './transitions.ts'
import { minTurns, startTurns } from './turns.ts'
import type { UploadLimits } from './upload-garment.ts'

/** Bytes of the garment that an import line becomes. */
const bytesOfLine = sql`line.row_bytes + ${fixedRowBytes.garments - fixedRowBytes.import_lines}
  + ${fixedRowBytes.pictures} * json_array_length(line.pictures)`

interface ImportedGarments {
  readonly tenantId: string
  readonly origin: string
  /** Selects `line`, `uuid`, `pictures`, `attribute`, `number`, `row_bytes` and `revision`. */
  readonly lines: SQL
}

/**
 * Uploads many garments at once, as `uploadGarment` does one. The batch fails by a constraint if too many garments
 * wait or a quota is exceeded. The last statement returns the messages of the started turns.
 */
export function importStatements(
  db: Database,
  { tenantId, origin, lines }: ImportedGarments,
  { maxWaiting, quotas }: UploadLimits,
  nowMs: number,
) {
  // A uuid may be on several lines of the file.
  const uuids = sql`SELECT DISTINCT uuid FROM (${lines})`
  const stored = sql`FROM ${garments} WHERE tenant_id = ${tenantId} AND uuid IN (${uuids})`
  const uploaded = sql`
    FROM (${lines}) AS line CROSS JOIN ${garments} AS stored
    WHERE stored.tenant_id = ${tenantId} AND stored.uuid = line.uuid AND stored.revision = line.revision`
  const amounts = {
    garments: sql`(SELECT count(*) FROM (${uuids})) - (SELECT count(*) ${stored})`,
    // Bytes that are replaced. The new ones are counted with the waiting garments.
    row_bytes: sql`-(SELECT coalesce(sum(row_bytes), 0) ${stored} AND status = 'failed')`,
  }
  return [
    addStored(tenantId, amounts, quotas, sql`EXISTS (${lines})`),
    // A garment gets the reserved number that its line names. Otherwise a failed one keeps its number.
    insertGarments(sql`
      SELECT ${tenantId}, line.uuid,
        coalesce(line.number, stored.number, (SELECT last_number FROM ${tenantCounters} WHERE tenant_id = ${tenantId})
          + count(*) FILTER (WHERE stored.number IS NULL AND line.number IS NULL) OVER (ORDER BY line.line)),
        line.attribute, ${bytesOfLine}, ${origin}, line.revision, 'queuing', ${nowMs}, NULL, ${nowMs}
      FROM (${lines}) AS line
        LEFT JOIN ${garments} AS stored ON stored.tenant_id = ${tenantId} AND stored.uuid = line.uuid
      WHERE ${hasChanged}`),
    sql`
      INSERT INTO ${tenantCounters}
        (tenant_id, waiting, max_waiting, row_bytes, max_row_bytes, grown_bytes, grown_day)
      SELECT ${tenantId}, count(*), ${maxWaiting}, sum(stored.row_bytes), (
          SELECT ${limitNow('row_bytes', { most: quotas.row_bytes, growthDays: quotas.growthDays })}
          FROM ${limitBasis(tenantId, nowMs, dayOf(nowMs))} AS basis
        ), sum(stored.row_bytes), ${dayOf(nowMs)}
      ${uploaded}
      HAVING count(*) > 0
      ON CONFLICT (tenant_id) DO UPDATE SET
        waiting = waiting + excluded.waiting, max_waiting = excluded.max_waiting,
        last_number = max(last_number, (SELECT max(number) FROM ${garments} WHERE tenant_id = ${tenantId})),
        row_bytes = row_bytes + excluded.row_bytes, max_row_bytes = excluded.max_row_bytes, ${addGrowth}`,
    deletePictures(sql`SELECT stored.tenant_id, stored.uuid ${uploaded}`),
    insertPictures(sql`SELECT stored.tenant_id, stored.uuid, line.pictures ${uploaded}`),
    sql`
      DELETE FROM ${reservedNumbers}
      WHERE tenant_id = ${tenantId} AND number IN (SELECT stored.number ${uploaded})`,
    startTurns(db, tenantId, minTurns, nowMs),
  ] as const
}
