import { createMiddleware } from 'hono/factory'
import type { AppEnv } from './router.ts'

/**
 * Names the request in the log and in its response. Always an id of our own: a caller's could be that of another
 * request.
 */
export const requestId = createMiddleware<AppEnv>(async (c, next) => {
  const id = crypto.randomUUID()
  c.set('requestId', id)
  c.header('X-Request-Id', id)
  await next()
})
