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

const busy = () => tooManyAtOnce('Wait for the answers to other requests of yours.', 5)

/** Longer than a page takes. A request that takes longer no longer counts. */
const maxActMs = 30_000

const ofMember = createLimit({ perKey: 2, waitingPerKey: 48, maxWaitMs: 10_000, maxActMs, busy })

const ofAccount = createLimit({ perKey: 8, waitingPerKey: 92, maxWaitMs: 10_000, maxActMs, busy })

/**
 * Handles a request of a member in its turn. An isolate works on two of a member at a time, and on eight of an
 * account, so that what it reads and renders for one stays small, and requests of others are answered between. Throws
 * 429 while 50 of the member are under way, or if it waits for 10 s.
 */
export const admitMember = async <T>(
  { id, memberId }: Pick<TokenHolder, 'id' | 'memberId'>,
  act: () => Promise<T>,
): Promise<T> => await ofMember(memberId, async () => await ofAccount(id, act))

/**
 * The member of a token or session with the merchant's tenant, and whether that has a key, in one round trip. Null if
 * the member was removed, or has signed out since.
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
  return { id, memberId, email, name, role, actor, tenant: row.tenant, hasKey: row.hasKey === 1 }
}

/** A member who has signed in; `id` is the merchant's. */
type MerchantWithTenant = NonNullable<Awaited<ReturnType<typeof findMerchant>>>

interface MerchantEnv {
  Bindings: Env
  Variables: AppEnv['Variables'] & { merchant: MerchantWithTenant }
}

/**
 * Admits requests with a valid access token, of a member whose role is sufficient, and of changes 60 a minute. The
 * merchant and tenant it reads are passed on to the handler.
 */
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
    // Only now: what is refused must not use up the changes of the account.
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
    if (!isRead) await throttle(c.env, `merchant-changes:${merchant.id}`, changesPerMinute, tooManyChanges)
    await next()
  })
})

/** What the routes for access tokens have in common, without a body and with one. */
export const signedIn = { security: byAccessToken, middleware: [authenticate] as [typeof authenticate] }
export const signedInJson = {
  security: byAccessToken,
  middleware: [authenticate, jsonBody] as [typeof authenticate, typeof jsonBody],
}
