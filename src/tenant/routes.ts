import { createRoute, z } from '@hono/zod-openapi'
import { openDatabase } from '../db/client.ts'
import { jsonBody, jsonRequest } from '../http/body.ts'
import { ok, responses } from '../http/envelope.ts'
import { createRouter } from '../http/router.ts'
import { authenticate } from '../merchant/authenticate.ts'
import { createApiKey } from '../api-key/create-api-key.ts'
import { createTenant } from './create-tenant.ts'
import { deleteTenant } from './delete-tenant.ts'
import { describeTenant } from './describe-tenant.ts'
import { newApiKeySchema, newTenantSchema, tenantSchema } from './fields.ts'
import { getTenant } from './get-tenant.ts'
import { listApiKeys } from '../api-key/list-api-keys.ts'
import { revokeApiKey } from '../api-key/revoke-api-key.ts'

const message = z.object({ message: z.string() })
const tenantPath = '/merchant/tenant'
const keyPath = '/merchant/tenant/api-key'

const createTenantRoute = createRoute({
  method: 'post',
  path: tenantPath,
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
  path: tenantPath,
  middleware: [authenticate] as const,
  responses: responses(tenantSchema, { 401: 'Invalid or expired token', 404: 'No tenant' }),
})

const deleteTenantRoute = createRoute({
  method: 'delete',
  path: tenantPath,
  middleware: [authenticate] as const,
  responses: responses(message, { 401: 'Invalid or expired token', 404: 'No tenant', 409: 'Tenant has active data' }),
})

const keyFields = { id: z.string(), name: z.string(), prefix: z.string(), created_at: z.string() }

const createKeyRoute = createRoute({
  method: 'post',
  path: keyPath,
  middleware: [authenticate, jsonBody] as const,
  request: { body: jsonRequest(newApiKeySchema) },
  responses: responses(z.object({ ...keyFields, api_key: z.string() }), { 404: 'No tenant', 409: 'Too many keys' }),
})

const listKeysRoute = createRoute({
  method: 'get',
  path: keyPath,
  middleware: [authenticate] as const,
  responses: responses(
    z.object({ api_keys: z.array(z.object({ ...keyFields, last_used_at: z.string().nullable() })) }),
    { 404: 'No tenant' },
  ),
})

const revokeKeyRoute = createRoute({
  method: 'delete',
  path: `${keyPath}/{id}`,
  middleware: [authenticate] as const,
  request: { params: z.object({ id: z.string() }) },
  responses: responses(message, { 404: 'No tenant, or no such key' }),
})

export const tenantRoutes = createRouter()
  .openapi(createTenantRoute, async (c) => {
    const db = openDatabase(c.env.DB)
    return ok(c, await createTenant(db, c.env.GATE, c.var.merchantId, c.req.valid('json'), Date.now()))
  })
  .openapi(getTenantRoute, async (c) => {
    return ok(c, describeTenant(await getTenant(openDatabase(c.env.DB), c.var.merchantId)))
  })
  .openapi(deleteTenantRoute, async (c) => {
    return ok(c, await deleteTenant(openDatabase(c.env.DB), c.env.GATE, c.var.merchantId, Date.now()))
  })
  .openapi(createKeyRoute, async (c) => {
    const db = openDatabase(c.env.DB)
    const tenant = await getTenant(db, c.var.merchantId)
    return ok(c, await createApiKey(db, c.env.GATE, tenant, c.req.valid('json').name, Date.now()))
  })
  .openapi(listKeysRoute, async (c) => {
    const db = openDatabase(c.env.DB)
    return ok(c, { api_keys: await listApiKeys(db, c.env.GATE, await getTenant(db, c.var.merchantId)) })
  })
  .openapi(revokeKeyRoute, async (c) => {
    const db = openDatabase(c.env.DB)
    const tenant = await getTenant(db, c.var.merchantId)
    return ok(c, await revokeApiKey(db, c.env.GATE, tenant, c.req.valid('param').id))
  })
