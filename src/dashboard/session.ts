import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { decode } from 'hono/jwt'
import { settingsOf } from '../settings.ts'
import { issueToken, readToken, tokenLifetimeSeconds } from '../merchant/token.ts'
import { findViewer, type DashboardEnv, type Viewer } from './viewer.ts'

const cookieName = 'session'

/** Not on every request: a response that arrives after a sign-out must not set the cookie again. */
const renewAfterSeconds = 15 * 60

/** `__Host-` prevents another subdomain from setting the cookie. Browsers accept it over https only. */
const prefixOf = (c: Context) => (new URL(c.req.url).protocol === 'https:' ? 'host' : undefined)

export function startSession(c: Context<DashboardEnv>, token: string): void {
  const prefix = prefixOf(c)
  setCookie(c, cookieName, token, {
    path: '/',
    httpOnly: true,
    // Lax, so that links in emails work. Safe because no GET changes anything.
    sameSite: 'Lax',
    maxAge: tokenLifetimeSeconds,
    ...(prefix === undefined ? {} : { prefix, secure: true }),
  })
}

export function endSession(c: Context<DashboardEnv>): void {
  const prefix = prefixOf(c)
  deleteCookie(c, cookieName, { path: '/', ...(prefix === undefined ? {} : { prefix, secure: true }) })
}

/** The signed-in merchant, or null. */
export async function readSession(c: Context<DashboardEnv>): Promise<Viewer | null> {
  const token = getCookie(c, cookieName, prefixOf(c))
  const secret = settingsOf(c.env).JWT_SECRET
  const merchantId = token ? await readToken(token, secret) : null
  if (!token || merchantId === null) return null
  const viewer = await findViewer(c.env, merchantId)
  const now = Date.now()
  const age = now / 1000 - Number(decode(token).payload.iat)
  if (viewer !== null && age > renewAfterSeconds) startSession(c, await issueToken(merchantId, secret, now))
  return viewer
}

/** Requires a session. Redirects to the sign-in page, which returns here afterwards. */
export const signedIn = createMiddleware<DashboardEnv>(async (c, next) => {
  const viewer = await readSession(c)
  if (viewer === null) {
    const { pathname, search } = new URL(c.req.url)
    const back = c.req.method === 'GET' ? `?next=${encodeURIComponent(pathname + search)}` : ''
    return c.redirect(`/dashboard/sign-in${back}`, 303)
  }
  c.set('viewer', viewer)
  c.set('merchantId', viewer.id)
  if (viewer.tenant !== null) c.set('tenantId', viewer.tenant.id)
  await next()
})

/** The page to open after signing in. Only dashboard paths, to prevent open redirects. */
export function safeNext(next: string | undefined): string {
  const base = 'http://service.invalid'
  if (next === undefined || !URL.canParse(next, base)) return '/dashboard'
  const { origin, pathname, search } = new URL(next, base)
  return origin === base && /^\/dashboard(\/|$)/.test(pathname) ? pathname + search : '/dashboard'
}
