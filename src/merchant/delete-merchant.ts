import { and, eq, notExists, sql } from 'drizzle-orm'
import { accountDatabase } from '../db/databases/find-database.ts'
import { endedSessions, merchants, tenants } from '../db/schema.ts'
import { tryToPutTombstone } from '../tombstone/tombstone.ts'
import { merchantHasTenant } from './errors.ts'

/** Deletes an account with all its sessions and tokens. Throws 409 while it has a tenant. */
export async function deleteMerchant(env: Pick<Env, 'DB' | 'PICTURES'>, merchantId: string): Promise<void> {
  const db = accountDatabase(env)
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
  await tryToPutTombstone(env.PICTURES, 'merchant', merchantId)
}
