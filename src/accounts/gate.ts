import { createMiddleware } from 'hono/factory'
import { minuteMs } from '../time.ts'
import { hashApiKey, isWellFormedKey } from './api-keys.ts'
import { jsonBody } from '../platform/http/body.ts'
import { rateLimited, unauthorized } from '../platform/http/errors.ts'
import { toRetryAfter } from '../platform/http/retry-after.ts'
import { tenantDatabase } from '../platform/db/databases.ts'
import { openSession } from '../platform/db/session.ts'
import { type AppEnv, byApiKey } from '../platform/http/router.ts'
import { normalizeDomain, openGate } from './tenant.ts'

/** An isolate remembers an unknown key for this time. */
const unknownMs = minuteMs
const maxRefusals = 1000

type Refusal =
  | { readonly outcome: 'unauthorized'; readonly until: number }
  | { readonly outcome: 'limited'; readonly until: number; readonly limit: number }

/** Latest refusals in this isolate, by domain and key hash, which save calls of the gate. */
const refusals = new Map<string, Refusal>()

const nameOf = (domain: string, keyHash: string) => `${domain} ${keyHash}`

export function findRefusal(domain: string, keyHash: string, nowMs: number): Refusal | undefined {
  const refusal = refusals.get(nameOf(domain, keyHash))
  return refusal !== undefined && refusal.until > nowMs ? refusal : undefined
}

export const rememberUnknown = (domain: string, keyHash: string, nowMs: number): void =>
  remember(nameOf(domain, keyHash), { outcome: 'unauthorized', until: nowMs + unknownMs })

function remember(name: string, refusal: Refusal): void {
  refusals.delete(name)
  refusals.set(name, refusal)
  const [oldest] = refusals.keys()
  if (refusals.size > maxRefusals && oldest !== undefined) refusals.delete(oldest)
}

/**
 * Admits requests with a live key of the domain's tenant, within the domain's rate limit. A request that may change
 * data stores its database bookmark in the gate before it answers, so that later reads see the change.
 */
export const tenantGate = createMiddleware<AppEnv>(async (c, next) => {
  const key = c.req.header('api-key') ?? ''
  const domain = normalizeDomain(c.req.header('domain') ?? '')
  if (domain === null || !isWellFormedKey(key)) throw unauthorized()
  const keyHash = hashApiKey(key)
  const refusal = findRefusal(domain, keyHash, Date.now())
  if (refusal?.outcome === 'unauthorized') throw unauthorized()
  if (refusal?.outcome === 'limited') {
    c.header('RateLimit-Limit', String(refusal.limit))
    throw rateLimited(refusal.limit, refusal.until - Date.now())
  }
  const gate = openGate(c.env, domain)
  const entry = await gate.enter(domain, keyHash)
  if (entry.outcome === 'unauthorized') {
    rememberUnknown(domain, keyHash, Date.now())
    throw unauthorized()
  }
  c.header('RateLimit-Limit', String(entry.limit))
  if (entry.outcome === 'limited') {
    const { limit, retryAfterMs } = entry
    remember(nameOf(domain, keyHash), { outcome: 'limited', until: Date.now() + retryAfterMs, limit })
    throw rateLimited(limit, retryAfterMs)
  }
  c.header('RateLimit-Remaining', String(entry.remaining))
  c.header('RateLimit-Reset', toRetryAfter(entry.resetMs))
  c.set('tenantId', entry.tenantId)
  c.set('apiKeyId', entry.keyId)
  c.set('bookmark', entry.bookmark)
  const { method, path } = c.req
  // An upload needs no bookmark, because replicas only answer queries of complete garments.
  const { tenantId } = entry
  const db = tenantDatabase(c.env, tenantId)
  c.set('db', db)
  if (method === 'GET' || method === 'HEAD' || path === '/garment-tagging/upload') return await next()
  const session = openSession(db, 'first-primary')
  c.set('db', session.db)
  await next()
  const bookmark = session.readBookmark()
  if (bookmark !== null) await gate.keepBookmark(tenantId, bookmark)
})

/** Settings that all routes for API keys share, without and with a JSON body. */
export const gated = { security: byApiKey, middleware: [tenantGate] as [typeof tenantGate] }
export const gatedJson = {
  security: byApiKey,
  middleware: [tenantGate, jsonBody] as [typeof tenantGate, typeof jsonBody],
}
