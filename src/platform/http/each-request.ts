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
 * Whether the client came by https: to us, or to a proxy that ended TLS in front of the service and says so. A client
 * that claims it falsely only harms itself.
 */
export const isHttps = (c: Pick<Context, 'req'>): boolean =>
  c.req.url.startsWith('https:') || c.req.header('x-forwarded-proto') === 'https'

/** Refuses an address whose text is not UTF-8: any two bytes that are not would be read as the same character. */
export const utf8Address = createMiddleware<AppEnv>(async (c, next) => {
  if (!isUtf8Encoded(c.req.url)) throw invalidQuery(['The address is not UTF-8; percent-encode its text in UTF-8.'])
  await next()
})

/** One log line stands for so many requests above a limit, since a client may send any number. */
const limitedPerLine = 100
let limited = 0

/**
 * Names the request in its log line and in its response, always by an id of our own, since a caller's could be that of
 * another request. Keeps responses out of caches and from being taken for anything but what they say they are; a
 * handler may set other caching. Where PUBLIC_URL is https, browsers are told to use nothing else; the zone redirects
 * plain http.
 */
export const eachRequest = createMiddleware<AppEnv>(async (c, next) => {
  const startedAt = Date.now()
  const id = crypto.randomUUID()
  c.set('requestId', id)
  c.header('X-Request-Id', id)
  if (settingsOf(c.env).PUBLIC_URL?.startsWith('https:')) c.header('Strict-Transport-Security', strictTransportSecurity)
  c.header('X-Content-Type-Options', 'nosniff')
  c.header('Cache-Control', 'no-store')
  await forRequest(id, async () => {
    await next()
    record(c, Date.now() - startedAt)
  })
})

/**
 * Counts a request, and logs one line for it, but for pictures that were found: they are viewed often, by nobody that
 * is known. The query of the path is left out, because clients may consider it private.
 */
function record(c: Context<AppEnv>, durationMs: number): void {
  const { method, path } = c.req
  const { status } = c.res
  const tenant = c.get('tenantId')
  const outcome = `${Math.floor(status / 100)}xx`
  writeMetric(c.env, { event: 'request', outcome, durationMs, ...(tenant !== undefined && { tenantId: tenant }) })
  if (c.get('isPictureView') === true && status < 400) return
  const isLimited = status === 429
  if (isLimited && limited++ % limitedPerLine !== 0) return
  log('info', 'request', {
    method,
    path: boundPath(path),
    status,
    duration_ms: durationMs,
    tenant,
    merchant: c.get('merchantId'),
    uuid: c.get('uuid'),
    ...(isLimited && { stands_for: limitedPerLine }),
  })
}
