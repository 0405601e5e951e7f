import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Actor, Authorship } from '../accounts/audit.ts'
import { boundText } from '../platform/limits/bound-text.ts'
import type { Corrector } from '../garments/corrections/correction.ts'
import type { Database } from '../platform/db/database.ts'
import { accountDatabase, tenantDatabase } from '../platform/db/databases.ts'
import { openSession } from '../platform/db/session.ts'
import type { AppEnv } from '../platform/http/router.ts'
import { findMerchant } from '../accounts/authenticate.ts'
import { mayUse, type Role } from '../accounts/permissions.ts'
import {
  endSession,
  issueSession,
  newSession,
  readSessionToken,
  type Session,
  sessionIdleSeconds,
  toHolder,
} from '../accounts/token.ts'
import { parseSavedFilters, type SavedFilter } from '../accounts/saved-filters.ts'
import { settingsSchema, type TenantRow } from '../accounts/tenant.ts'
import { type Clock, createClock } from './clock.ts'
import { buildPath } from './paths.ts'
import { isHttps } from '../platform/http/each-request.ts'
import { settingsOf } from '../settings.ts'

export type Tenant = ReturnType<typeof toTenant>

export interface Viewer {
  readonly id: string
  readonly memberId: string
  readonly role: Role
  /** The member as named in the audit log. */
  readonly actor: Actor
  readonly email: string
  readonly name: string
  readonly savedFilters: readonly SavedFilter[]
  readonly tenant: Tenant | null
  readonly clock: Clock
}

export interface DashboardEnv {
  Bindings: Env
  Variables: AppEnv['Variables'] & {
    viewer: Viewer
    sessionId: string
    tenant: Tenant
    /** A session with the accounts database, in which the viewer was read. */
    accounts: Database
  }
}

export const forTenant = createMiddleware<DashboardEnv>(async (c, next) => {
  const { tenant } = c.get('viewer')
  if (tenant === null) return c.redirect('/dashboard?needs=shop', 303)
  c.set('tenant', tenant)
  await next()
})

export const madeBy = (c: Context<DashboardEnv>): Authorship => ({ by: c.get('viewer').actor, at: Date.now() })

const maxNameLength = 60

export function correctorOf(c: Context<DashboardEnv>): Corrector {
  const { memberId, name } = c.get('viewer')
  return { kind: 'member', id: memberId, name: boundText(name, maxNameLength) }
}

type SessionHolder = Pick<Session, 'id' | 'memberId' | 'sessionVersion' | 'sessionId'>

/** Reads the member and the tenant in one round trip. Returns null if the session has ended. */
export async function findViewer(accounts: Database, session: SessionHolder): Promise<Viewer | null> {
  const merchant = await findMerchant(accounts, session)
  if (merchant === null) return null
  const tenant = merchant.tenant === null ? null : toTenant(merchant.tenant, merchant.hasKey)
  const { id, memberId, role, actor, email, name } = merchant
  const savedFilters = parseSavedFilters(merchant.savedFilters)
  return { id, memberId, role, actor, email, name, savedFilters, tenant, clock: createClock(tenant?.timezone ?? 'UTC') }
}

function toTenant({ settings, ...tenant }: TenantRow, hasKey: boolean) {
  const { timezone, currency } = settingsSchema.parse(settings)
  return { ...tenant, settings, timezone, currency, hasKey }
}

const cookieName = 'session'

/** Rarely, because a response that arrives after a sign-out would set the cookie again. */
const renewAfterSeconds = 15 * 60

/** The prefix `__Host-` prevents other subdomains from setting the cookie. Browsers accept it only over https. */
const prefixOf = (c: Context) => (isHttps(c) ? 'host' : undefined)

export async function startSession(
  c: Context<DashboardEnv>,
  member: Parameters<typeof toHolder>[0],
): Promise<ReturnType<typeof newSession>> {
  const nowMs = Date.now()
  const session = newSession(toHolder(member), nowMs)
  setSessionCookie(c, await issueSession(session, settingsOf(c.env), nowMs))
  return session
}

const setSessionCookie = (c: Context<DashboardEnv>, token: string): void =>
  storeCookie(c, cookieName, token, sessionIdleSeconds)

export const readCookie = (c: Context<DashboardEnv>, name: string): string | undefined =>
  getCookie(c, name, prefixOf(c))

/** Stores a value in this browser for `maxAge` seconds. Scripts cannot read it. */
export function storeCookie(c: Context<DashboardEnv>, name: string, value: string, maxAge: number): void {
  const prefix = prefixOf(c)
  setCookie(c, name, value, {
    path: '/',
    httpOnly: true,
    // `Lax` lets links in emails work. It is safe, because no GET request changes anything.
    sameSite: 'Lax',
    maxAge,
    ...(prefix === undefined ? {} : { prefix, secure: true }),
  })
}

/** Signs out this browser. Copies of its cookie become invalid, too. */
export async function endCurrentSession(c: Context<DashboardEnv>): Promise<void> {
  const session = await sessionOf(c)
  if (session !== null) await endSession(accountDatabase(c.env), session, Date.now())
  forgetSession(c)
}

export function forgetSession(c: Context<DashboardEnv>): void {
  const prefix = prefixOf(c)
  deleteCookie(c, cookieName, { path: '/', ...(prefix === undefined ? {} : { prefix, secure: true }) })
}

export async function sessionOf(c: Context<DashboardEnv>): Promise<Session | null> {
  const token = readCookie(c, cookieName)
  return token ? await readSessionToken(token, settingsOf(c.env)) : null
}

export async function readSession(c: Context<DashboardEnv>): Promise<Viewer | null> {
  const session = await sessionOf(c)
  return session === null ? null : await viewerOf(c, accountDatabase(c.env), session)
}

export async function viewerOf(c: Context<DashboardEnv>, accounts: Database, session: Session): Promise<Viewer | null> {
  const viewer = await findViewer(accounts, session)
  if (viewer === null) return null
  c.set('sessionId', session.sessionId)
  const nowMs = Date.now()
  if (nowMs / 1000 - session.issuedAt > renewAfterSeconds)
    setSessionCookie(c, await issueSession(session, settingsOf(c.env), nowMs))
  return viewer
}

/**
 * Runs the rest of a request in a session with the tenant's database. The session sees the last change from this
 * browser. A bookmark of this request's changes is kept in the cookie.
 */
export async function inTenantSession<T>(
  c: Context<DashboardEnv>,
  { session, tenant }: { readonly session: Session; readonly tenant: Tenant },
  act: () => Promise<T>,
): Promise<T> {
  const start = session.changed?.tenant === tenant.id ? session.changed.bookmark : 'first-unconstrained'
  const { db, readBookmark } = openSession(tenantDatabase(c.env, tenant.id), start)
  c.set('db', db)
  const result = await act()
  const bookmark = readBookmark()
  if (c.req.method === 'POST' && bookmark !== null) {
    const changed = { tenant: tenant.id, bookmark }
    setSessionCookie(c, await issueSession({ ...session, changed }, settingsOf(c.env), Date.now()))
  }
  return result
}

const choiceLifetimeSeconds = 90 * 24 * 3600

const choices = { door: ['sell', 'build'], view: ['grid', 'rows'] } as const

type Choices = typeof choices

export function recall<Name extends keyof Choices>(c: Context<DashboardEnv>, name: Name): Choices[Name][number] {
  const values: readonly Choices[Name][number][] = choices[name]
  return values.find((value) => value === readCookie(c, name)) ?? choices[name][0]
}

export function remember<Name extends keyof Choices>(
  c: Context<DashboardEnv>,
  name: Name,
  value: Choices[Name][number],
): void {
  if (recall(c, name) !== value) storeCookie(c, name, value, choiceLifetimeSeconds)
}

/** Returns the overview of the menu that was used last, if the role may see it. */
export const lastDoor = (c: Context<DashboardEnv>, role: Role): string =>
  recall(c, 'door') === 'build' && mayUse(role, `GET ${buildPath}`) ? buildPath : '/dashboard'

/** Returns the page to open after signing in. Only dashboard paths are allowed, to prevent open redirects. */
export function safeNext(next: string | undefined): string {
  const base = 'http://service.invalid'
  const parsed = next === undefined ? null : URL.parse(next, base)
  if (parsed === null) return '/dashboard'
  const { origin, pathname, search } = parsed
  return origin === base && /^\/dashboard(\/|$)/.test(pathname) ? pathname + search : '/dashboard'
}
