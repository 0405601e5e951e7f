import { getTableColumns, sql, type SQL } from 'drizzle-orm'
import { garments, tenants, waitingGarments } from '../../db/schema.ts'
import { queueGraceMs } from '../../queue/enqueue.ts'

interface ImportedGarments {
  readonly tenantId: string
  readonly origin: string
  /** A select of `uuid`, `image_url`, `attribute` and `picture_id`. */
  readonly lines: SQL
}

/**
 * Uploads many garments at once, as `uploadGarment` does one: stores each or restarts it if it failed, leaves any other
 * unchanged, and counts them as waiting. Breaks the batch by the constraint `waiting_garments_limit` if the tenant has
 * too many. The query builder has no `insert ... select` with a conflict clause that takes all columns.
 */
export function garmentStatements(
  { tenantId, origin, lines }: ImportedGarments,
  maxWaiting: number,
  nowMs: number,
): SQL[] {
  return [
    sql`
      INSERT INTO ${garments} (tenant_id, uuid, image_url, attribute, origin, picture_id, status, due_at, created_at)
      SELECT ${tenantId}, line.uuid, line.image_url, line.attribute, ${origin}, line.picture_id, 'queuing',
        ${nowMs + queueGraceMs}, ${nowMs}
      FROM (${lines}) AS line
      WHERE EXISTS (SELECT 1 FROM ${tenants} WHERE id = ${tenantId})
      ON CONFLICT (tenant_id, uuid) DO UPDATE SET ${replaceAll} WHERE ${garments.status} = 'failed'`,
    sql`
      INSERT INTO ${waitingGarments} (tenant_id, waiting, max_waiting)
      SELECT ${tenantId}, count(*), ${maxWaiting}
      FROM (${lines}) AS line CROSS JOIN ${garments} AS stored
      WHERE stored.tenant_id = ${tenantId} AND stored.uuid = line.uuid AND stored.picture_id = line.picture_id
      HAVING count(*) > 0
      ON CONFLICT (tenant_id) DO UPDATE SET waiting = waiting + excluded.waiting, max_waiting = excluded.max_waiting`,
  ]
}

/** Every column, also those that are not inserted: they get their defaults again. */
const replaceAll = sql.join(
  Object.values(getTableColumns(garments)).map(
    ({ name }) => sql`${sql.identifier(name)} = excluded.${sql.identifier(name)}`,
  ),
  sql`, `,
)
