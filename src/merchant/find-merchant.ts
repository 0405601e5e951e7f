import { and, eq, notExists, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { apiKeys, endedSessions, merchants, tenants } from '../db/schema.ts'
import type { TokenHolder } from './token.ts'

/**
 * The merchant of a token or session with its tenant, and whether that has a key, in one round trip. Null if the merchant is gone, or has signed
 * out since.
 */
export async function findMerchant(db: Database, holder: TokenHolder & { readonly sessionId?: string }) {
  const ended = db
    .select({ one: sql`1` })
    .from(endedSessions)
    .where(eq(endedSessions.id, holder.sessionId ?? ''))
  const [row] = await db
    .select({
      merchant: merchants,
      tenant: tenants,
      hasKey: sql<number>`EXISTS (SELECT 1 FROM ${apiKeys} WHERE tenant_id = ${tenants.id})`,
    })
    .from(merchants)
    .leftJoin(tenants, eq(tenants.merchantId, merchants.id))
    .where(
      and(
        eq(merchants.id, holder.id),
        eq(merchants.sessionVersion, holder.sessionVersion),
        holder.sessionId === undefined ? undefined : notExists(ended),
      ),
    )
  return row === undefined ? null : { ...row.merchant, tenant: row.tenant, hasKey: row.hasKey === 1 }
}

export type MerchantWithTenant = NonNullable<Awaited<ReturnType<typeof findMerchant>>>
