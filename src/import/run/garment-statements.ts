import { getTableColumns, sql, type SQL } from 'drizzle-orm'
import { garments, tenantState, tenantCounters } from '../../db/schema.ts'
import { backlogStart, openTurnsStatement } from '../../garment/turns/turns.ts'
import type { UploadLimits } from '../../garment/upload-garment.ts'
import { addStored, textBytes, textBytesOf } from '../../quota/statements.ts'

interface ImportedGarments {
  readonly tenantId: string
  readonly origin: string
  /** A select of `uuid`, `image_url`, `attribute` and `picture_id`. */
  readonly lines: SQL
}

/**
 * Uploads many garments at once, as `uploadGarment` does one: stores each or restarts it if it failed, leaves any other
 * unchanged, and counts them. Constraints make the batch fail if the tenant has too many waiting garments, or too much
 * stored. The last statement returns the tenant's turns if it opened any. The query builder has no `insert ... select`
 * with a conflict clause that takes all columns.
 */
export function garmentStatements(
  { tenantId, origin, lines }: ImportedGarments,
  { maxWaiting, quotas }: UploadLimits,
  nowMs: number,
): SQL[] {
  // Refers to the garments before the statement below, because a uuid may be on several lines.
  const uuids = sql`SELECT DISTINCT uuid FROM (${lines})`
  const stored = sql`FROM ${garments} WHERE tenant_id = ${tenantId} AND uuid IN (${uuids})`
  const amounts = {
    garments: sql`(SELECT count(*) FROM (${uuids})) - (SELECT count(*) ${stored})`,
    // Text that is replaced. The new text is counted with the waiting garments.
    text_bytes: sql`-(SELECT coalesce(sum(${textBytes}), 0) ${stored} AND status = 'failed')`,
  }
  return [
    addStored(tenantId, amounts, quotas, sql`EXISTS (${lines})`),
    sql`
      INSERT INTO ${garments} (tenant_id, uuid, image_url, attribute, origin, picture_id, status, due_at, created_at)
      SELECT ${tenantId}, line.uuid, line.image_url, line.attribute, ${origin}, line.picture_id, 'queuing',
        ${backlogStart + nowMs}, ${nowMs}
      FROM (${lines}) AS line
      WHERE EXISTS (SELECT 1 FROM ${tenantState} WHERE tenant_id = ${tenantId})
      ON CONFLICT (tenant_id, uuid) DO UPDATE SET ${replaceAll} WHERE ${garments.status} = 'failed'`,
    sql`
      INSERT INTO ${tenantCounters} (tenant_id, waiting, max_waiting, text_bytes, max_text_bytes)
      SELECT ${tenantId}, count(*), ${maxWaiting}, sum(${textBytesOf(sql`line.uuid`, sql`line.image_url`, sql`line.attribute`)}), ${quotas.text_bytes}
      FROM (${lines}) AS line CROSS JOIN ${garments} AS stored
      WHERE stored.tenant_id = ${tenantId} AND stored.uuid = line.uuid AND stored.picture_id = line.picture_id
      HAVING count(*) > 0
      ON CONFLICT (tenant_id) DO UPDATE SET
        waiting = waiting + excluded.waiting, max_waiting = excluded.max_waiting,
        text_bytes = text_bytes + excluded.text_bytes, max_text_bytes = excluded.max_text_bytes`,
    openTurnsStatement(tenantId, nowMs),
  ]
}

/** Every column, also those that are not inserted: they get their defaults again. */
const replaceAll = sql.join(
  Object.values(getTableColumns(garments)).map(
    ({ name }) => sql`${sql.identifier(name)} = excluded.${sql.identifier(name)}`,
  ),
  sql`, `,
)
