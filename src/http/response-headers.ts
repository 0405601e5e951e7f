import { createMiddleware } from 'hono/factory'
import { settingsOf } from '../settings.ts'
import type { AppEnv } from './router.ts'

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
