import { sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { garments } from '../../db/schema.ts'

/** How many ended garments of a tenant were uploaded before `beforeMs`, counted up to `limit`. */
export async function countOlderGarments(
  db: Database,
  tenantId: string,
  { beforeMs, limit }: { readonly beforeMs: number; readonly limit: number },
): Promise<number> {
  const [row] = await db.all<{ count: number }>(sql`
    SELECT count(*) AS count FROM (
      SELECT 1 FROM ${garments} INDEXED BY garments_ended
      WHERE tenant_id = ${tenantId} AND status IN ('complete', 'failed') AND ended_at IS NOT NULL
        AND created_at < ${beforeMs}
      LIMIT ${limit}
    )`)
  return row?.count ?? 0
}
