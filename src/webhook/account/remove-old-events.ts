import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { accountEndpoint, accountEvents, deliveries, deliveryAttempts } from '../../db/schema.ts'

/** Removes at most `limit` events of accounts that are older than this, with their deliveries and attempts. */
export async function removeOldEvents(db: Database, beforeMs: number, limit: number): Promise<void> {
  const old = sql`
    SELECT merchant_id, id FROM ${accountEvents} INDEXED BY account_events_by_age
    WHERE at < ${beforeMs} ORDER BY at, merchant_id, id LIMIT ${limit}`
  const ofOld = (column: SQL) => sql`(
    SELECT ${column} FROM (${old}) AS old CROSS JOIN ${deliveries} AS sent
    WHERE sent.tenant_id = old.merchant_id AND sent.garment_uuid = old.id AND sent.delivery_key = ${accountEndpoint})`
  await db.batch([
    db.delete(deliveryAttempts).where(sql`(tenant_id, delivery_id) IN ${ofOld(sql`sent.tenant_id, sent.id`)}`),
    db.delete(deliveries).where(sql`${deliveries.number} IN ${ofOld(sql`sent.number`)}`),
    db.delete(accountEvents).where(sql`(merchant_id, id) IN (${old})`),
  ])
}
