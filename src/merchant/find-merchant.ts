import { eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { merchants, tenants } from '../db/schema.ts'

/** The merchant and its tenant, null where there is none, in one round trip. */
export async function findMerchant(db: Database, merchantId: string) {
  const [row] = await db
    .select({
      id: merchants.id,
      email: merchants.email,
      name: merchants.name,
      company: merchants.company,
      tenant: tenants,
    })
    .from(merchants)
    .leftJoin(tenants, eq(tenants.merchantId, merchants.id))
    .where(eq(merchants.id, merchantId))
  return row ?? null
}
