import { and, eq, not } from 'drizzle-orm'
import { createMiddleware } from 'hono/factory'
import { createLimit } from '../platform/limits/limit.ts'
import { jsonBody } from '../platform/http/body.ts'
import { changesPerMinute, invalidToken, tooManyAtOnce, tooManyChanges } from '../platform/http/errors.ts'
import { readToken, type TokenHolder } from './token.ts'
import { type Database, hasRow } from '../platform/db/database.ts'
import { apiKeys, endedSessions, members, tenants } from '../platform/db/schema.ts'
import { toActor } from './audit.ts'
import { accountDatabase } from '../platform/db/databases.ts'
import { type AppEnv, byAccessToken } from '../platform/http/router.ts'
import { throttle } from '../platform/limits/throttle.ts'
import { settingsOf } from '../settings.ts'
import { requireRole } from './permissions.ts'

const busy = () => tooManyAtOnce('Wait until your other requests are answered.', 5)

/** Longer than any page takes. A slower request no longer takes a slot. */
const maxActMs = 30_000

const memberLimit = createLimit({ perKey: 2, waitingPerKey: 48, maxWaitMs: 10_000, maxActMs, busy })

const accountLimit = createLimit({ perKey: 8, waitingPerKey: 92, maxWaitMs: 10_000, maxActMs, busy })

/**
 * Runs `act` when the member has a free slot. An isolate runs two requests of a member and eight of an account at a
 * time. Throws 429 if 50 of the member's requests are in progress, or after 10 s of waiting.
 */
export const admitMember = async <T>(
  { id, memberId }: Pick<TokenHolder, 'id' | 'memberId'>,
  act: () => Promise<T>,
): Promise<T> => await memberLimit(memberId, async () => await accountLimit(id, act))

/**
 * Finds the member of a token or session with the merchant's tenant. Returns null if the member was removed or has
 * signed out.
 */
export async function findMerchant(db: Database, holder: TokenHolder & { readonly sessionId?: string }) {
  const [row] = await db
    .select({
      member: members,
      tenant: tenants,
      hasKey: hasRow(apiKeys, eq(apiKeys.tenantId, tenants.id)),
    })
    .from(members)
    .leftJoin(tenants, eq(tenants.merchantId, members.merchantId))
    .where(
      and(
        eq(members.id, holder.memberId),
        eq(members.merchantId, holder.id),
        eq(members.sessionVersion, holder.sessionVersion),
        holder.sessionId === undefined ? undefined : not(hasRow(endedSessions, eq(endedSessions.id, holder.sessionId))),
      ),
    )
  if (row === undefined) return null
  const { id: memberId, merchantId: id, email, name, role } = row.member
  const actor = toActor(row.member)
  const { savedFilters } = row.member
  return { id, memberId, email, name, role, actor, savedFilters, tenant: row.tenant, hasKey: row.hasKey === 1 }
}

type MerchantWithTenant = NonNullable<Awaited<ReturnType<typeof findMerchant>>>

interface MerchantEnv {
  Bindings: Env
  Variables: AppEnv['Variables'] & { merchant: MerchantWithTenant }
}

/** Admits requests with a valid access token of a member whose role is sufficient, and at most 60 changes a minute. */
export const authenticate = createMiddleware<MerchantEnv>(async (c, next) => {
  const token = /^Bearer ([\w.~+/=-]+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
  const holder = token === undefined ? null : await readToken(token, settingsOf(c.env))
  if (holder === null) throw invalidToken()
  await admitMember(holder, async () => {
    const merchant = await findMerchant(accountDatabase(c.env), holder)
    if (merchant === null) throw invalidToken()
    c.set('merchantId', merchant.id)
    c.set('merchant', merchant)
    requireRole(c, merchant.role)
    // Counts changes after the checks, because refused requests must not use up the limit.
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
    if (!isRead) await throttle(c.env, `merchant-changes:${merchant.id}`, changesPerMinute, tooManyChanges)
    await next()
  })
})

/** Settings that all routes for access tokens share, without and with a JSON body. */
export const signedIn = { security: byAccessToken, middleware: [authenticate] as [typeof authenticate] }
export const signedInJson = {
  security: byAccessToken,
  middleware: [authenticate, jsonBody] as [typeof authenticate, typeof jsonBody],
}
