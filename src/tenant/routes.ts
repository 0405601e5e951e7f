import { createRoute } from '@hono/zod-openapi'
import { openDatabase } from '../db/client.ts'
import { jsonBody, jsonRequest } from '../http/body.ts'
import { messageSchema, ok, responses } from '../http/envelope.ts'
import { createRouter } from '../http/router.ts'
import { authenticate } from '../merchant/authenticate.ts'
import { createTenant } from './create-tenant.ts'
import { deleteTenant } from './delete-tenant.ts'
import { newTenantSchema, tenantSchema } from './fields.ts'
import { ownTenant } from './own-tenant.ts'
import { toTenantResponse } from './to-tenant-response.ts'

const path = '/merchant/tenant'

const createTenantRoute = createRoute({
  method: 'post',
  path,
  middleware: [authenticate, jsonBody] as const,
  request: { body: jsonRequest(newTenantSchema) },
  responses: responses(tenantSchema, {
    400: 'Domain already exists, or an invalid field',
    401: 'Invalid or expired token',
    409: 'The merchant has a tenant already',
  }),
})

const getTenantRoute = createRoute({
  method: 'get',
  path,
  middleware: [authenticate] as const,
  responses: responses(tenantSchema, { 401: 'Invalid or expired token', 404: 'No tenant' }),
})

const deleteTenantRoute = createRoute({
  method: 'delete',
  path,
  middleware: [authenticate] as const,
  responses: responses(messageSchema, {
    401: 'Invalid or expired token',
    404: 'No tenant',
    409: 'Tenant has active data',
    429: 'Too many deletions',
  }),
})

export const tenantRoutes = createRouter()
  .openapi(createTenantRoute, async (c) => {
    const tenant = await createTenant(openDatabase(c.env.DB), c.var.merchant.id, c.req.valid('json'), Date.now())
    return ok(c, toTenantResponse(tenant))
  })
  .openapi(getTenantRoute, (c) => ok(c, toTenantResponse(ownTenant(c.var.merchant))))
  .openapi(deleteTenantRoute, async (c) => {
    const tenant = ownTenant(c.var.merchant)
    await deleteTenant(c.env, tenant, Date.now())
    return ok(c, { message: `Tenant ${tenant.domain} was deleted.` })
  })
