import { api } from './api.ts'
import { dashboardRoutes } from './dashboard/routes.tsx'
import { respondWithError } from './http/errors.ts'
import { refuseOtherMethods, respondNotFound } from './http/fallback.ts'
import { requestId } from './http/request-id.ts'
import { requestLog } from './http/request-log.ts'
import { responseHeaders } from './http/response-headers.ts'
import { createRouter } from './http/router.ts'
import { serveAsset } from './http/serve-asset.ts'

export const app = createRouter()

app.use(requestId, requestLog, responseHeaders)
app.onError(respondWithError)
app.notFound(respondNotFound)
for (const path of ['/docs', '/docs/*']) app.get(path, serveAsset)
app.route('/', api)
app.route('/', dashboardRoutes)
refuseOtherMethods(app)
