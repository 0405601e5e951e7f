import { apiKeyRoutes } from './accounts/api-key-routes.ts'
import { deletionRoutes, garmentRoutes } from './garments/garment-routes.ts'
import { exportRoutes } from './exports/export-routes.ts'
import { drawnPictureRoutes } from './garments/pictures/draw-pictures.ts'
import { storedPictureRoutes } from './garments/pictures/serve-pictures.ts'
import { garmentListRoutes } from './garments/list/list-routes.ts'
import { importRoutes } from './imports/import-routes.ts'
import { serveOpenApi } from './platform/http/openapi.ts'
import { createRouter } from './platform/http/router.ts'
import { merchantRoutes } from './accounts/merchant-routes.ts'
import { quotaRoutes } from './accounts/usage-routes.ts'
import { healthRoutes } from './operations/health.ts'
import { operatorRoutes } from './operations/operator-routes.ts'
import { correctionRoutes, splitRoutes } from './garments/corrections/correction-routes.ts'
import { numberRoutes } from './garments/number-routes.ts'
import { taxonomyRoutes } from './garments/taxonomy.ts'
import { tenantRoutes } from './accounts/tenant-routes.ts'
import { webhookConfigRoutes, webhookEndpointRoutes } from './webhooks/endpoints/endpoint-routes.ts'
import { deliveryRoutes } from './webhooks/deliveries/delivery-routes.ts'

/** All endpoints of the API. Their order is that of the OpenAPI document. */
export const api = createRouter()

for (const routes of [
  merchantRoutes,
  tenantRoutes,
  quotaRoutes,
  apiKeyRoutes,
  garmentRoutes,
  drawnPictureRoutes,
  storedPictureRoutes,
  correctionRoutes,
  splitRoutes,
  numberRoutes,
  deletionRoutes,
  taxonomyRoutes,
  garmentListRoutes,
  exportRoutes,
  importRoutes,
  deliveryRoutes,
  webhookConfigRoutes,
  webhookEndpointRoutes,
  operatorRoutes,
  healthRoutes,
])
  api.route('/', routes)
serveOpenApi(api)
