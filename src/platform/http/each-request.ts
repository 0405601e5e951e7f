import { createMiddleware } from 'hono/factory'
import type { Context } from 'hono'
import { settingsOf } from '../../settings.ts'
import { invalidQuery } from './errors.ts'
import type { AppEnv } from './router.ts'
import { isUtf8Encoded } from './text.ts'
import { boundPath } from '../limits/bound-text.ts'
import { forRequest, log } from '../../log.ts'
import { writeMetric } from '../../metrics.ts'

/** Half a year. Subdomains are not ours to decide for. */
const strictTransportSecurity = 'max-age=15552000'

/**
 * Keeps responses out of caches and from being taken for anything but what they say they are; a handler may set other
 * caching. Where PUBLIC_URL is https, browsers are told to use nothing else; the zone redirects plain http.
 */
export const responseHeaders = createMiddleware<AppEnv>(async (c, next) => {
  if (settingsOf(c.env).PUBLIC_URL?.startsWith('https:')) c.header('Strict-Transport-Security', strictTransportSecurity)
  c.header('X-Content-Type-Options', 'nosniff')
  c.header('Cache-Control', 'no-store')
  await next()
})

/**
 * Whether the client came by https: to us, or to a proxy that ended TLS in front of the service and says so. A client
 * that claims it falsely only harms itself.
 */
export const isHttps = (c: Pick<Context, 'req'>): boolean =>
  c.req.url.startsWith('https:') || c.req.header('x-forwarded-proto') === 'https'

/**
 * Names the request in the log and in its response. Always an id of our own: a caller's could be that of another
 * request.
 */
export const requestId = createMiddleware<AppEnv>(async (c, next) => {
  const id = crypto.randomUUID()
  c.set('requestId', id)
  c.header('X-Request-Id', id)
  await forRequest(id, next)
})

/** Refuses an address whose text is not UTF-8: any two bytes that are not would be read as the same character. */
export const utf8Address = createMiddleware<AppEnv>(async (c, next) => {
  if (!isUtf8Encoded(c.req.url)) throw invalidQuery(['The address is not UTF-8; percent-encode its text in UTF-8.'])
  await next()
})

/** One log line stands for so many requests above a limit, since a client may send any number. */
const limitedPerLine = 100
let limited = 0

/**
 * Counts each request, and logs one line for it, but for pictures that were found: they are viewed often, by nobody
 * that is known. The query of the path is left out, because clients may consider it private.
 */
export const requestLog = createMiddleware<AppEnv>(async (c, next) => {
  const startedAt = Date.now()
  await next()
  // Each reading of `c.var` copies all of them.
  const { isPictureView, tenantId: tenant, merchantId: merchant, uuid } = c.var
  const { status } = c.res
  const durationMs = Date.now() - startedAt
  const outcome = `${Math.floor(status / 100)}xx`
  writeMetric(c.env, { event: 'request', outcome, durationMs, ...(tenant !== undefined && { tenantId: tenant }) })
  if (isPictureView === true && status < 400) return
  const isLimited = status === 429
  if (isLimited && limited++ % limitedPerLine !== 0) return
  log('info', 'request', {
    method: c.req.method,
    path: boundPath(c.req.path),
    status,
    duration_ms: durationMs,
    tenant,
    merchant,
    uuid,
    ...(isLimited && { stands_for: limitedPerLine }),
  })
})
