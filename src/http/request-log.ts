import { createMiddleware } from 'hono/factory'
import { boundPath } from '../bounds/bound-text.ts'
import { log } from '../log.ts'
import type { AppEnv } from './router.ts'

/**
 * Logs one line per request, but for pictures that were found: they are viewed often, by nobody that is known. The
 * query of the path is left out, because clients may consider it private.
 */
export const requestLog = createMiddleware<AppEnv>(async (c, next) => {
  const startedAt = Date.now()
  await next()
  if (c.var.isPictureView === true && c.res.status < 400) return
  log('info', 'request', {
    request_id: c.var.requestId,
    method: c.req.method,
    path: boundPath(c.req.path),
    status: c.res.status,
    duration_ms: Date.now() - startedAt,
    tenant: c.var.tenantId,
    merchant: c.var.merchantId,
    uuid: c.var.uuid,
  })
})
