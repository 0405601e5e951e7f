import { sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { pauses } from '../db/schema.ts'

/** More than operators make by hand. */
const maxPauses = 5000

/**
 * Copies what is paused from the accounts to another database, where it is read together with the work. Safe to repeat.
 */
export async function copyPauses(accounts: Database, db: Database): Promise<void> {
  if (accounts === db) return
  const rows = await accounts.select().from(pauses).limit(maxPauses)
  if (rows.length === 0) return
  // One parameter for all of them, because a statement has at most 100.
  const values = JSON.stringify(rows.map((row) => [row.tenantId, row.tagging, row.deliveries, row.changedAt]))
  await db.run(sql`
    INSERT INTO ${pauses} (tenant_id, tagging, deliveries, changed_at)
    SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(${values}) WHERE true
    ON CONFLICT (tenant_id) DO UPDATE
    SET tagging = excluded.tagging, deliveries = excluded.deliveries, changed_at = excluded.changed_at
    WHERE (excluded.tagging, excluded.deliveries, excluded.changed_at) <> (tagging, deliveries, changed_at)`)
}
