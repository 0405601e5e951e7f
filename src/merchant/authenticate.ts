import { createMiddleware } from 'hono/factory'
import { openDatabase } from '../db/client.ts'
import { settingsOf } from '../settings.ts'
import { ApiError } from '../http/errors.ts'
import type { AppEnv } from '../http/router.ts'
import { findMerchant } from './find-merchant.ts'
import { readToken } from './token.ts'

/** Lets requests with a valid access token of a merchant that still exists through. */
export const authenticate = createMiddleware<AppEnv>(async (c, next) => {
  const token = /^Bearer ([\w.~+/=-]+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
  const merchantId = token === undefined ? null : await readToken(token, settingsOf(c.env).JWT_SECRET)
  const merchant = merchantId === null ? null : await findMerchant(openDatabase(c.env.DB), merchantId)
  if (merchant === null)
    throw new ApiError(401, 'Invalid or expired token', ['Authorization: sign in and send Bearer with data.token.'], {
      'WWW-Authenticate': 'Bearer',
    })
  c.set('merchantId', merchant.id)
  await next()
})
