import { api } from './api.ts'
import { dashboardRoutes } from './dashboard/dashboard-routes.tsx'
import { serveAsset } from './platform/http/fallback.ts'
import { createApp } from './platform/http/create-app.ts'

export const app = createApp((all) => {
  for (const path of ['/docs', '/docs/*']) all.get(path, serveAsset)
  all.route('/', api)
  all.route('/', dashboardRoutes)
})
