import { createRoute, z } from '@hono/zod-openapi'
import { accountDatabase } from '../db/databases/find-database.ts'
import { jsonBody, jsonRequest } from '../http/body.ts'
import { messageSchema, ok, responses } from '../http/envelope.ts'
import { byAccessToken } from '../http/openapi/security.ts'
import { createRouter } from '../http/router.ts'
import { authenticate } from '../merchant/authenticate.ts'
import { roleNotAllowed } from '../merchant/team/errors.ts'
import { tenantNotFound } from '../tenant/errors.ts'
import { openGate } from '../tenant/open-gate.ts'
import { ownTenant } from '../tenant/own-tenant.ts'
import { createApiKey } from './create-api-key.ts'
import { apiKeyNotFound, tooManyApiKeys } from './errors.ts'
import { apiKeyListSchema, createdApiKeySchema, newApiKeySchema } from './fields.ts'
import { listApiKeys } from './list-api-keys.ts'
import { revokeApiKey } from './revoke-api-key.ts'
import { toCreatedKeyResponse, toListedKeyResponse } from './to-api-key-response.ts'

const path = '/merchant/tenant/api-key'
const notAllowed = roleNotAllowed('editor', 'owner')
const tags = ['Tenant and API keys']
const key = {
  id: '01890a5d-ac96-774b-bcce-b302099a8059',
  name: 'shop',
  prefix: 'gt_4fTq9X',
  created_at: '2026-11-21T12:00:00.000Z',
}

const createKeyRoute = createRoute({
  method: 'post',
  path,
  operationId: 'createApiKey',
  summary: 'Create an API key',
  description: 'The key is in this response only. A tenant has at most 20.',
  tags,
  security: byAccessToken,
  middleware: [authenticate, jsonBody] as const,
  request: { body: jsonRequest(newApiKeySchema, { name: 'shop' }) },
  responses: responses(createdApiKeySchema, { ...key, api_key: 'gt_4fTq9Xb2…' }, [
    tenantNotFound(),
    tooManyApiKeys(),
    notAllowed,
  ]),
})

const listKeysRoute = createRoute({
  method: 'get',
  path,
  operationId: 'listApiKeys',
  summary: 'List the API keys',
  description: 'The beginning of each, and when it was last used. The keys themselves are not stored.',
  tags,
  security: byAccessToken,
  middleware: [authenticate] as const,
  responses: responses(apiKeyListSchema, { api_keys: [{ ...key, last_used_at: '2026-11-21T12:30:00.000Z' }] }, [
    tenantNotFound(),
    notAllowed,
  ]),
})

const revokeKeyRoute = createRoute({
  method: 'delete',
  path: `${path}/{id}`,
  operationId: 'revokeApiKey',
  summary: 'Revoke an API key',
  description: 'It is refused from the next request on.',
  tags,
  security: byAccessToken,
  middleware: [authenticate] as const,
  request: { params: z.object({ id: z.string().openapi({ example: key.id }) }) },
  responses: responses(messageSchema, { message: 'The key was revoked.' }, [
    tenantNotFound(),
    apiKeyNotFound(),
    notAllowed,
  ]),
})

const deps = (env: Env, domain: string) => ({
  db: accountDatabase(env),
  gate: openGate(env, domain),
  pictures: env.PICTURES,
})

export const apiKeyRoutes = createRouter()
  .openapi(createKeyRoute, async (c) => {
    const tenant = ownTenant(c.var.merchant)
    const { name } = c.req.valid('json')
    const { actor } = c.var.merchant
    const created = await createApiKey(deps(c.env, tenant.domain), tenant.id, name, Date.now(), actor)
    return ok(c, toCreatedKeyResponse(created))
  })
  .openapi(listKeysRoute, async (c) => {
    const tenant = ownTenant(c.var.merchant)
    const keys = await listApiKeys(deps(c.env, tenant.domain), tenant.id)
    return ok(c, { api_keys: keys.map(toListedKeyResponse) })
  })
  .openapi(revokeKeyRoute, async (c) => {
    const tenant = ownTenant(c.var.merchant)
    const made = { by: c.var.merchant.actor, at: Date.now() }
    await revokeApiKey(deps(c.env, tenant.domain), tenant.id, c.req.valid('param').id, made)
    return ok(c, { message: 'The key was revoked.' })
  })
