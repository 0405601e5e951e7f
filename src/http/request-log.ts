import { createMiddleware } from 'hono/factory'
import { boundPath } from '../bounds/bound-text.ts'
import { log } from '../log.ts'
import type { AppEnv } from './router.ts'

/** Of requests above a limit, of which a client may send any number, one line stands for so many. */
const limitedPerLine = 100
let limited = 0

/**
 * Logs one line per request, but for pictures that were found: they are viewed often, by nobody that is known. The
 * query of the path is left out, because clients may consider it private.
 */
export const requestLog = createMiddleware<AppEnv>(async (c, next) => {
  const startedAt = Date.now()
  await next()
  if (c.var.isPictureView === true && c.res.status < 400) return
  const isLimited = c.res.status === 429
  if (isLimited && limited++ % limitedPerLine !== 0) return
  log('info', 'request', {
    request_id: c.var.requestId,
    method: c.req.method,
    path: boundPath(c.req.path),
    status: c.res.status,
    duration_ms: Date.now() - startedAt,
    tenant: c.var.tenantId,
    merchant: c.var.merchantId,
    uuid: c.var.uuid,
    ...(isLimited && { stands_for: limitedPerLine }),
  })
})
