import { createMiddleware } from 'hono/factory'
import type { Context } from 'hono'
import { settingsOf } from '../../settings.ts'
import { invalidQuery } from './errors.ts'
import type { AppEnv } from './router.ts'
import { isUtf8Encoded } from './text.ts'
import { boundPath } from '../limits/bound-text.ts'
import { forRequest, log } from '../../log.ts'
import { writeMetric } from '../../metrics.ts'

/** Browsers remember for half a year to use https only. Excludes subdomains. */
const strictTransportSecurity = 'max-age=15552000'

/** Whether the client uses https, directly or through a proxy. A client that lies about it only harms itself. */
export const isHttps = (c: Pick<Context, 'req'>): boolean =>
  c.req.url.startsWith('https:') || c.req.header('x-forwarded-proto') === 'https'

/** Refuses a URL that is not UTF-8, because different invalid bytes decode to the same character. */
export const utf8Address = createMiddleware<AppEnv>(async (c, next) => {
  if (!isUtf8Encoded(c.req.url)) throw invalidQuery(['The address is not UTF-8; percent-encode its text in UTF-8.'])
  await next()
})

/** One log line stands for this many requests above a rate limit. */
const limitedPerLine = 100
let limited = 0

/**
 * Gives each request a new id for its log line and response, and sets security headers. A caller's id is ignored,
 * because another request may have it.
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
 * Counts a request and logs one line without its query, which may be private. Successful views of pictures have no
 * line, because they are frequent.
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
