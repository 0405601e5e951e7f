import { Hono } from 'hono'
import { csrf } from 'hono/csrf'
import { trimTrailingSlash } from 'hono/trailing-slash'
import { refuseOtherMethods } from '../http/fallback.ts'
import { auditPages } from './audit/audit-routes.tsx'
import { undoPages } from './audit/undo-routes.ts'
import { accuracyPages } from './accuracy/routes.tsx'
import { Landing } from './account/landing.tsx'
import { accountPages } from './account/account-routes.tsx'
import { accountWebhookPages } from './account/account-webhook-routes.tsx'
import { signInPages } from './account/sign-in-routes.tsx'
import { deliveryPages } from './deliveries/delivery-routes.tsx'
import { respondWithErrorPage } from './errors/error-page.tsx'
import { pageNotFound } from './errors/page-errors.ts'
import { deletePages } from './edit/delete-routes.ts'
import { editPages } from './edit/edit-routes.tsx'
import { valuesPages } from './edit/values-routes.tsx'
import { exportPages } from './export/routes.tsx'
import { garmentListPages } from './garments/list/routes.tsx'
import { retryPages } from './garments/retry-routes.ts'
import { garmentPages } from './garments/routes.tsx'
import { pageHeaders } from './headers.ts'
import { importPages } from './import/routes.tsx'
import { linePages } from './lines/routes.tsx'
import { overviewPage } from './overview/routes.tsx'
import { render } from './parts/render.tsx'
import { correctionPages } from './review/correction-routes.tsx'
import { reviewPages } from './review/review-routes.tsx'
import { readSession } from './session.ts'
import { signedIn } from './signed-in.tsx'
import { keyPages } from './tenant/key-routes.tsx'
import { permissionPages } from './tenant/permission-routes.ts'
import { retentionPages } from './tenant/retention-routes.tsx'
import { studioPages } from './tenant/studio-routes.tsx'
import { tenantPages } from './tenant/tenant-routes.tsx'
import { linkPages } from './team/link-routes.tsx'
import { teamPages } from './team/team-routes.tsx'
import { usagePage } from './usage/routes.tsx'
import type { DashboardEnv } from './viewer.ts'
import { webhookPages } from './webhook/webhook-routes.tsx'

/** The dashboard's pages. Failures below these paths are pages too; the API keeps its JSON. */
export const dashboardRoutes = new Hono<DashboardEnv>()

dashboardRoutes.onError(respondWithErrorPage)
for (const path of ['/', '/dashboard/*']) dashboardRoutes.use(path, pageHeaders)
dashboardRoutes.use('/dashboard/*', trimTrailingSlash(), csrf())

dashboardRoutes.get('/', async (c) => {
  if ((await readSession(c)) !== null) return c.redirect('/dashboard', 303)
  return await render(c, { title: 'Tags and measurements from pictures' }, <Landing />)
})
dashboardRoutes.route('/', signInPages)
dashboardRoutes.route('/', linkPages)

// All routes below require a session.
dashboardRoutes.use('/dashboard/*', signedIn)
for (const pages of [
  overviewPage,
  tenantPages,
  studioPages,
  retentionPages,
  permissionPages,
  keyPages,
  garmentListPages,
  garmentPages,
  retryPages,
  linePages,
  importPages,
  correctionPages,
  reviewPages,
  accuracyPages,
  exportPages,
  editPages,
  deletePages,
  valuesPages,
  webhookPages,
  deliveryPages,
  usagePage,
  teamPages,
  auditPages,
  undoPages,
  accountPages,
  accountWebhookPages,
])
  dashboardRoutes.route('/', pages)

refuseOtherMethods(dashboardRoutes)
dashboardRoutes.all('/dashboard/*', () => {
  throw pageNotFound()
})
