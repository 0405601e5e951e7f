import { createMiddleware } from 'hono/factory'
import { hashApiKey, isWellFormedKey } from '../api-key/api-key.ts'
import { rateLimited, unauthorized } from '../http/common-errors.ts'
import { toRetryAfter } from '../http/retry-after.ts'
import type { AppEnv } from '../http/router.ts'
import { normalizeDomain } from '../tenant/domain.ts'
import { openGate } from '../tenant/open-gate.ts'
import { findRefusal, rememberLimited, rememberUnknown } from './refusals.ts'

/** Admits requests with a live key of the domain's tenant, within the rate limit of the domain. */
export const tenantGate = createMiddleware<AppEnv>(async (c, next) => {
  const key = c.req.header('api-key') ?? ''
  const domain = normalizeDomain(c.req.header('domain') ?? '')
  // A mistyped key is refused by its checksum, without any call.
  if (domain === null || !isWellFormedKey(key)) throw unauthorized()
  const keyHash = hashApiKey(key)
  const refusal = findRefusal(domain, keyHash, Date.now())
  if (refusal?.outcome === 'unauthorized') throw unauthorized()
  if (refusal?.outcome === 'limited') {
    c.header('RateLimit-Limit', String(refusal.limit))
    throw rateLimited(refusal.limit, refusal.until - Date.now())
  }
  const entry = await openGate(c.env, domain).enter(domain, keyHash)
  if (entry.outcome === 'unauthorized') {
    rememberUnknown(domain, keyHash, Date.now())
    throw unauthorized()
  }
  c.header('RateLimit-Limit', String(entry.limit))
  if (entry.outcome === 'limited') {
    rememberLimited(domain, keyHash, Date.now() + entry.retryAfterMs, entry.limit)
    throw rateLimited(entry.limit, entry.retryAfterMs)
  }
  c.header('RateLimit-Remaining', String(entry.remaining))
  c.header('RateLimit-Reset', toRetryAfter(entry.resetMs))
  c.set('tenantId', entry.tenantId)
  c.set('apiKeyId', entry.keyId)
  await next()
})
