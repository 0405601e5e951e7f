import { createMiddleware } from 'hono/factory'
import { hashApiKey, isWellFormedKey } from '../api-key/api-key.ts'
import { ApiError } from '../http/errors.ts'
import type { AppEnv } from '../http/router.ts'
import { normalizeDomain } from '../tenant/domain.ts'
import { openGate } from '../tenant/open-gate.ts'
import { isRefused, rememberRefusal } from './refused-keys.ts'

/** The same words in all cases, so that they do not reveal which domains or keys exist. */
const unauthorized = () =>
  new ApiError(401, 'Unauthorized', ['API-KEY and DOMAIN must be a live API key and the domain of its tenant.'])

const seconds = (ms: number) => String(Math.ceil(ms / 1000))

/** Admits requests with a live key of the domain's tenant, within the rate limit of the domain. */
export const tenantGate = createMiddleware<AppEnv>(async (c, next) => {
  const key = c.req.header('api-key') ?? ''
  const domain = normalizeDomain(c.req.header('domain') ?? '')
  // A mistyped key is refused by its checksum, without any call.
  if (domain === null || !isWellFormedKey(key)) throw unauthorized()
  const keyHash = hashApiKey(key)
  if (isRefused(domain, keyHash, Date.now())) throw unauthorized()
  const entry = await openGate(c.env, domain).enter(domain, keyHash)
  if (entry.outcome === 'unauthorized') {
    rememberRefusal(domain, keyHash, Date.now())
    throw unauthorized()
  }
  c.header('RateLimit-Limit', String(entry.limit))
  if (entry.outcome === 'limited') {
    const wait = seconds(entry.retryAfterMs)
    throw new ApiError(429, 'Too many requests', [`At most ${entry.limit} requests per minute; retry in ${wait} s.`], {
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': wait,
      'Retry-After': wait,
    })
  }
  c.header('RateLimit-Remaining', String(entry.remaining))
  c.header('RateLimit-Reset', seconds(entry.resetMs))
  c.set('tenantId', entry.tenantId)
  c.set('apiKeyId', entry.keyId)
  await next()
})
