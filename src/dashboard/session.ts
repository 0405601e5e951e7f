import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { isHttps } from '../http/is-https.ts'
import { settingsOf } from '../settings.ts'
import { endSession } from '../merchant/end-sessions.ts'
import { clientAddress } from '../merchant/client-address.ts'
import {
  deviceLifetimeSeconds,
  issueDevice,
  issueSession,
  newSession,
  readDevice,
  readSessionToken,
  sessionIdleSeconds,
  type Session,
  toHolder,
} from '../merchant/token.ts'
import { accountDatabase } from '../db/databases/find-database.ts'
import { findViewer, type DashboardEnv, type Viewer } from './viewer.ts'

const cookieName = 'session'
const deviceCookieName = 'device'

/** Not on every request: a response that arrives after a sign-out must not set the cookie again. */
const renewAfterSeconds = 15 * 60

/** `__Host-` prevents another subdomain from setting the cookie. Browsers accept it over https only. */
const prefixOf = (c: Context) => (isHttps(c) ? 'host' : undefined)

type Member = Parameters<typeof toHolder>[0] & { readonly email: string }

/** Signs a member in. */
export async function startSession(c: Context<DashboardEnv>, member: Member): Promise<ReturnType<typeof newSession>> {
  const nowMs = Date.now()
  const session = newSession(toHolder(member), nowMs)
  setSessionCookie(c, await issueSession(session, settingsOf(c.env), nowMs))
  await rememberDevice(c, member.email)
  return session
}

const setSessionCookie = (c: Context<DashboardEnv>, token: string): void =>
  setSignedCookie(c, cookieName, token, sessionIdleSeconds)

function setSignedCookie(c: Context<DashboardEnv>, name: string, token: string, maxAge: number): void {
  const prefix = prefixOf(c)
  setCookie(c, name, token, {
    path: '/',
    httpOnly: true,
    // Lax, so that links in emails work. Safe because no GET changes anything.
    sameSite: 'Lax',
    maxAge,
    ...(prefix === undefined ? {} : { prefix, secure: true }),
  })
}

/** Remembers that this email has signed in here, so that wrong guesses elsewhere do not lock its owner out. */
async function rememberDevice(c: Context<DashboardEnv>, email: string): Promise<void> {
  const token = await issueDevice(email, settingsOf(c.env), Date.now())
  setSignedCookie(c, deviceCookieName, token, deviceLifetimeSeconds)
}

/** Where a password comes from: the address, and the device if this email has signed in on it before. */
export async function originOf(c: Context<DashboardEnv>, email: string) {
  const token = getCookie(c, deviceCookieName, prefixOf(c))
  const device = token ? await readDevice(token, email, settingsOf(c.env)) : undefined
  return { address: clientAddress(c), device }
}

/** Signs out this browser: copies of its cookie end too. */
export async function endOwnSession(c: Context<DashboardEnv>): Promise<void> {
  const session = await sessionOf(c)
  if (session !== null) await endSession(accountDatabase(c.env), session, Date.now())
  forgetSession(c)
}

/** Removes the cookie only, where the session itself is ended already. */
export function forgetSession(c: Context<DashboardEnv>): void {
  const prefix = prefixOf(c)
  deleteCookie(c, cookieName, { path: '/', ...(prefix === undefined ? {} : { prefix, secure: true }) })
}

/** What the cookie says, of which nothing is read from a database yet. */
export async function sessionOf(c: Context<DashboardEnv>): Promise<Session | null> {
  const token = getCookie(c, cookieName, prefixOf(c))
  return token ? await readSessionToken(token, settingsOf(c.env)) : null
}

/** The signed-in member, or null. */
export async function readSession(c: Context<DashboardEnv>): Promise<Viewer | null> {
  const session = await sessionOf(c)
  return session === null ? null : await viewerOf(c, session)
}

/** The member of a session that has not ended, or null. */
export async function viewerOf(c: Context<DashboardEnv>, session: Session): Promise<Viewer | null> {
  const viewer = await findViewer(c.env, session)
  if (viewer === null) return null
  c.set('sessionId', session.sessionId)
  const nowMs = Date.now()
  if (nowMs / 1000 - session.issuedAt > renewAfterSeconds)
    setSessionCookie(c, await issueSession(session, settingsOf(c.env), nowMs))
  return viewer
}

/** The page to open after signing in. Only dashboard paths, to prevent open redirects. */
export function safeNext(next: string | undefined): string {
  const base = 'http://service.invalid'
  const parsed = next === undefined ? null : URL.parse(next, base)
  if (parsed === null) return '/dashboard'
  const { origin, pathname, search } = parsed
  return origin === base && /^\/dashboard(\/|$)/.test(pathname) ? pathname + search : '/dashboard'
}
