import { createMiddleware } from 'hono/factory'

/** Allows only our own assets and forms, and nothing inline, so that injected markup cannot run scripts. */
function contentSecurityPolicy(origin: string): string {
  return [
    "default-src 'none'",
    `script-src ${origin}/assets/`,
    `style-src ${origin}/assets/`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

export const pageHeaders = createMiddleware(async (c, next) => {
  await next()
  const { headers } = c.res
  headers.set('Content-Security-Policy', contentSecurityPolicy(new URL(c.req.url).origin))
  headers.set('X-Content-Type-Options', 'nosniff')
  // Not `no-referrer`: browsers would then send `Origin: null` with our own forms, which `csrf()` rejects.
  headers.set('Referrer-Policy', 'same-origin')
  headers.set('Cross-Origin-Opener-Policy', 'same-origin')
  headers.set('Permissions-Policy', 'camera=(), microphone=(), geolocation=()')
  // Pages contain secrets, which the back button must not show after a sign-out.
  headers.set('Cache-Control', 'no-store')
})
