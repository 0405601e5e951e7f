import { createMiddleware } from 'hono/factory'
import { accountDatabase } from '../db/databases/find-database.ts'
import { changesPerMinute, invalidToken, tooManyChanges } from '../http/common-errors.ts'
import type { AppEnv } from '../http/router.ts'
import { throttle } from '../rate-limit/throttle.ts'
import { settingsOf } from '../settings.ts'
import { admitMember } from './admit-member.ts'
import { findMerchant, type MerchantWithTenant } from './find-merchant.ts'
import { requireRole } from './team/require-role.ts'
import { readToken } from './token.ts'

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
