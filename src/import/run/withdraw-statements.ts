import { sql, type SQL } from 'drizzle-orm'
import { garments, importLines, tenantCounters } from '../../db/schema.ts'
import { textBytes } from '../../quota/statements.ts'
import { byStatus, changeStatements, type Import } from './line-statements.ts'

/** A garment whose first run has not begun; `tries` is 0 until then. */
const notBegun = sql`status = 'queuing' AND claim_id IS NULL AND tries = 0`

/**
 * The statements that withdraw the uploads of at most `limit` lines whose tagging has not begun: tagging -> waiting, as
 * if they had never been uploaded. A message about such a garment finds nothing to do. The last returns the garments.
 */
export function withdrawStatements(
  { tenantId, id }: Pick<Import, 'tenantId' | 'id'>,
  limit: number,
  nowMs: number,
): SQL[] {
  const outcomes = sql`
    SELECT line.line, line.picture_id, line.image_url, 'waiting' AS status, '' AS problem, upload.bytes
    FROM ${importLines} AS line ${byStatus}
    JOIN (
      SELECT uuid, picture_id, ${textBytes} AS bytes FROM ${garments}
      WHERE tenant_id = ${tenantId} AND due_at IS NOT NULL AND ${notBegun}
    ) AS upload ON upload.uuid = line.uuid AND upload.picture_id = line.picture_id
    WHERE line.tenant_id = ${tenantId} AND line.import_id = ${id} AND line.status = 'tagging'
    ORDER BY line.line DESC LIMIT ${limit}`
  return [
    sql`
      UPDATE ${tenantCounters} SET
        waiting = waiting - gone.uploads, garments = max(garments - gone.uploads, 0),
        text_bytes = max(text_bytes - gone.bytes, 0)
      FROM (SELECT count(*) AS uploads, coalesce(sum(bytes), 0) AS bytes FROM (${outcomes})) AS gone
      WHERE tenant_id = ${tenantId}`,
    ...changeStatements({ tenantId, id, from: 'tagging', outcomes }, nowMs),
    sql`
      DELETE FROM ${garments}
      WHERE tenant_id = ${tenantId} AND due_at IS NOT NULL AND ${notBegun} AND (uuid, picture_id) IN (
        SELECT uuid, picture_id FROM ${importLines} ${byStatus}
        WHERE tenant_id = ${tenantId} AND import_id = ${id} AND status = 'waiting')
      RETURNING uuid`,
  ]
}
