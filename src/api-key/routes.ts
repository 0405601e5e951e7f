import { createRoute, z } from '@hono/zod-openapi'
import { openDatabase } from '../db/client.ts'
import { jsonBody, jsonRequest } from '../http/body.ts'
import { messageSchema, ok, responses } from '../http/envelope.ts'
import { createRouter } from '../http/router.ts'
import { authenticate } from '../merchant/authenticate.ts'
import { openGate } from '../tenant/open-gate.ts'
import { ownTenant } from '../tenant/own-tenant.ts'
import { createApiKey } from './create-api-key.ts'
import { apiKeyListSchema, createdApiKeySchema, newApiKeySchema, toListedApiKey } from './fields.ts'
import { listApiKeys } from './list-api-keys.ts'
import { revokeApiKey } from './revoke-api-key.ts'

const path = '/merchant/tenant/api-key'
const failures = { 401: 'Invalid or expired token', 404: 'No tenant' }

const createKeyRoute = createRoute({
  method: 'post',
  path,
  middleware: [authenticate, jsonBody] as const,
  request: { body: jsonRequest(newApiKeySchema) },
  responses: responses(createdApiKeySchema, { ...failures, 409: 'Too many keys' }),
})

const listKeysRoute = createRoute({
  method: 'get',
  path,
  middleware: [authenticate] as const,
  responses: responses(apiKeyListSchema, failures),
})

const revokeKeyRoute = createRoute({
  method: 'delete',
  path: `${path}/{id}`,
  middleware: [authenticate] as const,
  request: { params: z.object({ id: z.string() }) },
  responses: responses(messageSchema, { ...failures, 404: 'No tenant, or no such key' }),
})

const dependencies = (env: Env, domain: string) => ({ db: openDatabase(env.DB), gate: openGate(env, domain) })

export const apiKeyRoutes = createRouter()
  .openapi(createKeyRoute, async (c) => {
    const tenant = ownTenant(c.var.merchant)
    const { name } = c.req.valid('json')
    const { key, row } = await createApiKey(dependencies(c.env, tenant.domain), tenant.id, name, Date.now())
    const { id, prefix, createdAt } = row
    return ok(c, { id, name, prefix, api_key: key, created_at: new Date(createdAt).toISOString() })
  })
  .openapi(listKeysRoute, async (c) => {
    const tenant = ownTenant(c.var.merchant)
    const keys = await listApiKeys(dependencies(c.env, tenant.domain), tenant.id)
    return ok(c, { api_keys: keys.map(toListedApiKey) })
  })
  .openapi(revokeKeyRoute, async (c) => {
    const tenant = ownTenant(c.var.merchant)
    await revokeApiKey(dependencies(c.env, tenant.domain), tenant.id, c.req.valid('param').id)
    return ok(c, { message: 'The key was revoked.' })
  })
