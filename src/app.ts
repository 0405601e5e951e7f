import { requestId } from 'hono/request-id'
import { garmentRoutes } from './garment/routes.ts'
import { dashboardRoutes } from './dashboard/routes.tsx'
import { apiKeyRoutes } from './api-key/routes.ts'
import { exportRoutes } from './export/routes.ts'
import { reviewRoutes } from './review/routes.ts'
import { merchantRoutes } from './merchant/routes.ts'
import { operatorRoutes } from './operator/routes.ts'
import { tenantRoutes } from './tenant/routes.ts'
import { webhookRoutes } from './webhook/routes.ts'
import { ok } from './http/envelope.ts'
import { respondWithError } from './http/errors.ts'
import { notFound, refuseOtherMethods } from './http/fallback.ts'
import { serveOpenApi } from './http/openapi.ts'
import { requestLog } from './http/request-log.ts'
import { responseHeaders } from './http/response-headers.ts'
import { createRouter } from './http/router.ts'

export const app = createRouter()

app.use(requestId(), requestLog, responseHeaders)
app.onError(respondWithError)
app.notFound(notFound)
app.get('/health', (c) => ok(c, {}))
for (const routes of [
  merchantRoutes,
  tenantRoutes,
  apiKeyRoutes,
  garmentRoutes,
  reviewRoutes,
  exportRoutes,
  webhookRoutes,
  operatorRoutes,
])
  app.route('/', routes)
serveOpenApi(app)
app.route('/', dashboardRoutes)
refuseOtherMethods(app)
