import { createMiddleware } from 'hono/factory'

/**
 * What a page may load and where its forms may go: our own static assets and pages, nothing inline, nobody else's. A
 * text that got through the escaping all the same would find nothing to run.
 */
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
  // Not `no-referrer`: with it browsers send `Origin: null` with our own forms, which the guard would refuse.
  headers.set('Referrer-Policy', 'same-origin')
  headers.set('Cross-Origin-Opener-Policy', 'same-origin')
  headers.set('Permissions-Policy', 'camera=(), microphone=(), geolocation=()')
  // Pages hold keys and secrets, and after a sign-out the back button must not show them.
  headers.set('Cache-Control', 'no-store')
})
