import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { admitMember } from '../accounts/authenticate.ts'
import { accountDatabase } from '../platform/db/databases.ts'
import { openSession } from '../platform/db/session.ts'
import { requireRole } from '../accounts/permissions.ts'
import { SignIn } from './account/sign-in-page.tsx'
import { formBody, isForm, isMultipart, readForm } from './form.ts'
import { keepForm } from './keepable-fields.ts'
import { maxBodyBytes } from '../platform/http/errors.ts'
import { limitChanges } from './limit-writes.ts'
import { importFilePath, importsPath, pictureAdditionPath, retryWithFilePath, studioPhotographPath } from './paths.ts'
import { render } from './parts/layout.tsx'
import { type DashboardEnv, inTenantSession, sessionOf, viewerOf } from './viewer.ts'

const pathsOfFiles: readonly string[] = [
  importsPath,
  importFilePath,
  pictureAdditionPath,
  retryWithFilePath,
  studioPhotographPath,
]

/**
 * Requires a member with a sufficient role, limits changes, and limits an account's concurrent requests. Without a
 * session, shows the sign-in page, which returns here afterwards with the form's input.
 */
export const signedIn = createMiddleware<DashboardEnv>(async (c, next) => {
  const session = await sessionOf(c)
  if (session === null) return await askToSignIn(c)
  // Files may take minutes to arrive, so their requests get a place only afterwards. A member whose requests each
  // needed a second place would block themselves.
  const hasFile = c.req.method === 'POST' && pathsOfFiles.includes(c.req.path)
  const enter = async () => {
    // After reading the viewer, account queries may use any replica that is at least as recent.
    const accounts = openSession(accountDatabase(c.env), 'first-primary').db
    c.set('accounts', accounts)
    const viewer = await viewerOf(c, accounts, session)
    if (viewer === null) return await askToSignIn(c)
    c.set('viewer', viewer)
    c.set('merchantId', viewer.id)
    if (viewer.tenant !== null) c.set('tenantId', viewer.tenant.id)
    const needed = requireRole(c, viewer.role)
    if (c.req.method === 'POST' && !hasFile) await limitChanges(c.env, viewer.id, needed)
    const { tenant } = viewer
    return await (tenant === null ? next() : inTenantSession(c, { session, tenant }, next))
  }
  return hasFile ? await enter() : await admitMember(session, enter)
})

async function askToSignIn(c: Context<DashboardEnv>): Promise<Response> {
  const { pathname, search } = new URL(c.req.url)
  const here = pathname + search
  if (c.req.method === 'GET') return c.redirect(`/dashboard/sign-in?next=${encodeURIComponent(here)}`, 303)
  // Scripts treat a redirect as the end of the session and keep the input themselves.
  if (c.req.header('accept') === 'application/json') return c.redirect('/dashboard/sign-in', 303)
  let kept: string | undefined
  const keep = async () => {
    kept = keepForm(pathname, await readForm(c))
  }
  if (isForm(c)) await formBody(c, keep)
  // The only multipart form with text to keep. Longer ones contain files and are not read.
  else if (pathname === importsPath && isMultipart(c) && lengthOf(c) <= maxBodyBytes) await keep()
  if (kept === undefined) return c.redirect('/dashboard/sign-in', 303)
  c.status(401)
  return await render(c, { title: 'Sign in' }, <SignIn next={here} kept={kept} />)
}

const lengthOf = (c: Context) => Number(c.req.header('content-length') ?? Infinity)
