import { and, eq, notExists, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { apiKeys, endedSessions, members, tenants } from '../db/schema.ts'
import { toActor } from './to-actor.ts'
import type { TokenHolder } from './token.ts'

/**
 * The member of a token or session with the merchant's tenant, and whether that has a key, in one round trip. Null if
 * the member was removed, or has signed out since.
 */
export async function findMerchant(db: Database, holder: TokenHolder & { readonly sessionId?: string }) {
  const ended = db
    .select({ one: sql`1` })
    .from(endedSessions)
    .where(eq(endedSessions.id, holder.sessionId ?? ''))
  const [row] = await db
    .select({
      member: members,
      tenant: tenants,
      hasKey: sql<number>`EXISTS (SELECT 1 FROM ${apiKeys} WHERE tenant_id = ${tenants.id})`,
    })
    .from(members)
    .leftJoin(tenants, eq(tenants.merchantId, members.merchantId))
    .where(
      and(
        eq(members.id, holder.memberId),
        eq(members.merchantId, holder.id),
        eq(members.sessionVersion, holder.sessionVersion),
        holder.sessionId === undefined ? undefined : notExists(ended),
      ),
    )
  if (row === undefined) return null
  const { id: memberId, merchantId: id, email, name, role } = row.member
  const actor = toActor(row.member)
  return { id, memberId, email, name, role, actor, tenant: row.tenant, hasKey: row.hasKey === 1 }
}

/** A member who has signed in; `id` is the merchant's. */
export type MerchantWithTenant = NonNullable<Awaited<ReturnType<typeof findMerchant>>>
