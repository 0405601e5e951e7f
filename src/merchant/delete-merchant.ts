import { and, eq, notExists, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { endedSessions, merchants, tenants } from '../db/schema.ts'
import { merchantHasTenant } from './errors.ts'

/** Deletes an account with all its sessions and tokens. Throws 409 while it has a tenant. */
export async function deleteMerchant(db: Database, merchantId: string): Promise<void> {
  const tenant = db
    .select({ one: sql`1` })
    .from(tenants)
    .where(eq(tenants.merchantId, merchantId))
  const [deleted] = await db.batch([
    db
      .delete(merchants)
      .where(and(eq(merchants.id, merchantId), notExists(tenant)))
      .returning({ id: merchants.id }),
    db.delete(endedSessions).where(and(eq(endedSessions.merchantId, merchantId), notExists(tenant))),
  ])
  if (deleted.length === 0) throw merchantHasTenant()
}
