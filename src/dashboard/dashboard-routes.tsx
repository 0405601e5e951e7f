import { type Context, Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { createMiddleware } from 'hono/factory'
import { csrf } from 'hono/csrf'
import { trimTrailingSlash } from 'hono/trailing-slash'
import { asApiError } from '../platform/http/errors.ts'
import { log } from '../log.ts'
import { foreignForm, pageNotFound } from './page-errors.ts'
import { setFailure } from './form.ts'
import { render } from './parts/layout.tsx'
import { ButtonLink, Heading, Picture } from './parts/elements.tsx'
import { type DashboardEnv, lastDoor, readSession } from './viewer.ts'
import { refuseOtherMethods } from '../platform/http/fallback.ts'
import { auditPages } from './account/audit-page.tsx'
import { undoPages } from './corrections/history.tsx'
import { accuracyPages } from './review/accuracy-page.tsx'
import { Landing, signInPages } from './account/sign-in-page.tsx'
import { accountPages } from './account/account-page.tsx'
import { deliveryPages } from './webhook/deliveries-page.tsx'
import { mergePages } from './garments/merge-page.tsx'
import { picturePages } from './garments/garment-pictures.tsx'
import { garmentPages } from './garments/garment-page.tsx'
import { labelPages } from './garments/labels-page.tsx'
import { binPages } from './garments/bin-page.tsx'
import { cellPages } from './garments/list-cells.tsx'
import { editPages } from './garments/edit-page.tsx'
import { exportFilePages } from './export-files-page.tsx'
import { exportPages } from './export-page.tsx'
import { vintedPages } from './vinted-page.tsx'
import { uploadPages } from './garments/upload-page.tsx'
import { garmentListPages } from './garments/garments-page.tsx'
import { importPages } from './imports/imports-page.tsx'
import { overviewPage } from './overview-page.tsx'
import { savedFilterPages } from './garments/saved-filters-page.tsx'
import { reviewPages } from './review/review-page.tsx'
import { signedIn } from './signed-in.tsx'
import { keyPages } from './account/keys-page.tsx'
import { tenantPages } from './account/tenant-page.tsx'
import { linkPages } from './account/join-page.tsx'
import { recoverPage } from './account/recovery-page.tsx'
import { teamPages } from './account/team-page.tsx'
import { firstStepPages } from './first-steps.tsx'
import { stylePage } from './style-page.tsx'
import { usagePage } from './account/usage-page.tsx'
import { webhookPages } from './webhook/endpoint-page.tsx'

async function respondWithErrorPage(error: unknown, c: Context<DashboardEnv>): Promise<Response> {
  const isForeign = error instanceof HTTPException && error.status === 403
  const failure = isForeign ? foreignForm() : asApiError(error)
  if (failure.status >= 500) log('error', 'page failed', { error })
  setFailure(c, failure)
  return await render(
    c,
    { title: failure.message },
    <div class="narrow">
      <Heading title={failure.message} />
      <section class="card">
        <Picture />
        {failure.problems.map((problem) => (
          <p>{problem}</p>
        ))}
        {failure.status >= 500 && (
          <p class="hint">
            If this happens again, send us the request id: <code>{c.get('requestId')}</code>
          </p>
        )}
        <p>
          <ButtonLink to="/dashboard">Back to the overview</ButtonLink>
        </p>
      </section>
    </div>,
  )
}

/** Allows only our own assets and forms and nothing inline, so that injected markup cannot run scripts. */
function contentSecurityPolicy(origin: string): string {
  return [
    "default-src 'none'",
    `script-src ${origin}/assets/`,
    `style-src ${origin}/assets/`,
    `font-src ${origin}/assets/`,
    // `blob:` is for previews of chosen files.
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const pageHeaders = createMiddleware(async (c, next) => {
  await next()
  const { headers } = c.res
  headers.set('Content-Security-Policy', contentSecurityPolicy(new URL(c.req.url).origin))
  headers.set('X-Content-Type-Options', 'nosniff')
  // With `no-referrer`, browsers would send `Origin: null` with our own forms, which `csrf()` rejects.
  headers.set('Referrer-Policy', 'same-origin')
  headers.set('Cross-Origin-Opener-Policy', 'same-origin')
  headers.set('Permissions-Policy', 'camera=(), microphone=(), geolocation=()')
  // Pages contain secrets, which the back button must not show after a sign-out.
  headers.set('Cache-Control', 'no-store')
})

/** The dashboard's pages. Failures below these paths are pages, while the API answers with JSON. */
export const dashboardRoutes = new Hono<DashboardEnv>()

dashboardRoutes.onError(respondWithErrorPage)
for (const path of ['/', '/dashboard/*']) dashboardRoutes.use(path, pageHeaders)
dashboardRoutes.use('/dashboard/*', trimTrailingSlash(), csrf())

dashboardRoutes.get('/', async (c) => {
  const viewer = await readSession(c)
  if (viewer !== null) return c.redirect(lastDoor(c, viewer.role), 303)
  return await render(c, { title: 'Tags and measurements from pictures' }, <Landing />)
})
dashboardRoutes.route('/', signInPages)
dashboardRoutes.route('/', linkPages)
dashboardRoutes.route('/', recoverPage)

// All routes below require a session.
dashboardRoutes.use('/dashboard/*', signedIn)
for (const pages of [
  overviewPage,
  firstStepPages,
  tenantPages,
  keyPages,
  garmentListPages,
  garmentPages,
  uploadPages,
  picturePages,
  mergePages,
  importPages,
  reviewPages,
  accuracyPages,
  exportPages,
  exportFilePages,
  vintedPages,
  editPages,
  cellPages,
  savedFilterPages,
  binPages,
  labelPages,
  webhookPages,
  deliveryPages,
  usagePage,
  stylePage,
  teamPages,
  auditPages,
  undoPages,
  accountPages,
])
  dashboardRoutes.route('/', pages)

refuseOtherMethods(dashboardRoutes)
dashboardRoutes.all('/dashboard/*', () => {
  throw pageNotFound()
})
