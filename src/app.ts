import { api } from './api.ts'
import { dashboardRoutes } from './dashboard/routes.tsx'
import { respondWithError } from './platform/http/errors.ts'
import { refuseOtherMethods, respondNotFound, serveAsset } from './platform/http/fallback.ts'
import { eachRequest, utf8Address } from './platform/http/each-request.ts'
import { createRouter } from './platform/http/router.ts'

export const app = createRouter()

app.use(eachRequest, utf8Address)
app.onError(respondWithError)
app.notFound(respondNotFound)
for (const path of ['/docs', '/docs/*']) app.get(path, serveAsset)
app.route('/', api)
app.route('/', dashboardRoutes)
refuseOtherMethods(app)
