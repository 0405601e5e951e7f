import { apiKeyRoutes } from './api-key/routes.ts'
import { deletionRoutes } from './deletion/routes.ts'
import { exportRoutes } from './export/routes.ts'
import { originalRoutes } from './garment/picture/original-routes.ts'
import { thumbnailRoutes } from './garment/picture/thumbnail-routes.ts'
import { garmentRoutes } from './garment/routes.ts'
import { importRoutes } from './import/routes.ts'
import { serveOpenApi } from './http/openapi/serve-openapi.ts'
import { createRouter } from './http/router.ts'
import { merchantRoutes } from './merchant/routes.ts'
import { quotaRoutes } from './quota/routes.ts'
import { healthRoutes } from './operator/health-route.ts'
import { operatorRoutes } from './operator/routes.ts'
import { correctionRoutes } from './correction/routes.ts'
import { taxonomyRoutes } from './taxonomy/routes.ts'
import { secondOpinionRoutes } from './second-opinion/routes.ts'
import { tenantRoutes } from './tenant/routes.ts'
import { webhookConfigRoutes } from './webhook/config-routes.ts'
import { accountWebhookRoutes } from './webhook/account/account-routes.ts'
import { deliveryRoutes } from './webhook/delivery-routes.ts'
import { webhookEndpointRoutes } from './webhook/endpoint-routes.ts'

/** All endpoints of the API. Their order is that of the OpenAPI document. */
export const api = createRouter()

for (const routes of [
  merchantRoutes,
  accountWebhookRoutes,
  tenantRoutes,
  quotaRoutes,
  secondOpinionRoutes,
  apiKeyRoutes,
  garmentRoutes,
  originalRoutes,
  thumbnailRoutes,
  correctionRoutes,
  deletionRoutes,
  taxonomyRoutes,
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
