import { createMiddleware } from 'hono/factory'
import { accountDatabase } from '../db/databases/find-database.ts'
import { changesPerMinute, invalidToken, tooManyChanges } from '../http/common-errors.ts'
import type { AppEnv } from '../http/router.ts'
import { throttleOf } from '../rate-limit/throttle.ts'
import { settingsOf } from '../settings.ts'
import { minuteMs } from '../time.ts'
import { admitMember } from './admit-member.ts'
import { findMerchant, type MerchantWithTenant } from './find-merchant.ts'
import { requireRole } from './team/require-role.ts'
import { readToken } from './token.ts'

interface MerchantEnv {
  Bindings: Env
  Variables: AppEnv['Variables'] & { merchant: MerchantWithTenant }
}

/** Counts a request that is no read. Returns how long the account has to wait, or null. */
const countChange = async (env: Env, merchantId: string, method: string) =>
  method === 'GET' || method === 'HEAD'
    ? null
    : await throttleOf(env, `merchant-changes:${merchantId}`).enter(changesPerMinute, minuteMs)

/**
 * Admits requests with a valid access token, of a member whose role is sufficient, and of changes 60 a minute. The
 * merchant and tenant it reads are passed on to the handler.
 */
export const authenticate = createMiddleware<MerchantEnv>(async (c, next) => {
  const token = /^Bearer ([\w.~+/=-]+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
  const holder = token === undefined ? null : await readToken(token, settingsOf(c.env))
  if (holder === null) throw invalidToken()
  await admitMember(holder, async () => {
    const [merchant, waitMs] = await Promise.all([
      findMerchant(accountDatabase(c.env), holder),
      countChange(c.env, holder.id, c.req.method),
    ])
    if (merchant === null) throw invalidToken()
    if (waitMs !== null) throw tooManyChanges(waitMs)
    c.set('merchantId', merchant.id)
    c.set('merchant', merchant)
    requireRole(c, merchant.role)
    await next()
  })
})
