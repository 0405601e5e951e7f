import { sql } from 'drizzle-orm'
import { fixedRowBytes } from '../../src/platform/db/count-rows.ts'
import type { Database } from '../../src/platform/db/database.ts'

/** Counts the bytes of a tenant's rows from the rows themselves, as the service counts them when it writes them. */
export async function countRowBytes(db: Database, tenantId: string): Promise<number> {
  const isTenants = sql`WHERE tenant_id = ${tenantId}`
  const parts = [
    sql`SELECT sum(row_bytes) FROM garments ${isTenants}`,
    sql`SELECT sum(row_bytes) FROM binned_garments ${isTenants}`,
    sql`SELECT sum(row_bytes) FROM import_lines ${isTenants}`,
    sql`SELECT count(*) * ${fixedRowBytes.imports} FROM imports ${isTenants}`,
    sql`SELECT count(*) * ${fixedRowBytes.stored_files} FROM stored_files ${isTenants}`,
    sql`SELECT sum(iif(kind = 'tagging', 0, ${fixedRowBytes.deliveries}) + coalesce(octet_length(body), 0)) FROM deliveries ${isTenants}`,
    sql`SELECT sum(${fixedRowBytes.delivery_attempts} + coalesce(octet_length(error), 0) + coalesce(octet_length(response_body), 0))
      FROM delivery_attempts ${isTenants}`,
    sql`SELECT count(*) * ${fixedRowBytes.audit_entries} FROM audit_entries WHERE holder_id = ${tenantId}`,
  ]
  const [row] = await db.all<{ bytes: number }>(
    sql`SELECT ${sql.join(
      parts.map((part) => sql`coalesce((${part}), 0)`),
      sql` + `,
    )} AS bytes`,
  )
  return row?.bytes ?? 0
}
