import { createRoute, z } from '@hono/zod-openapi'
import type { apiKeys } from '../platform/db/schema.ts'
import { toIso } from '../time.ts'
import {
  apiKeyListSchema,
  createApiKey,
  createdApiKeySchema,
  listApiKeys,
  newApiKeySchema,
  revokeApiKey,
  tooManyApiKeys,
} from './api-keys.ts'
import { accountDatabase } from '../platform/db/databases.ts'
import { jsonRequest } from '../platform/http/body.ts'
import { messageSchema, ok, responses } from '../platform/http/envelope.ts'
import { createRouter } from '../platform/http/router.ts'
import { signedIn, signedInJson } from './authenticate.ts'
import { roleNotAllowed } from './account-errors.ts'
import { openGate, ownTenant } from './tenant.ts'

const toKeyResponse = ({ id, name, prefix, createdAt }: typeof apiKeys.$inferSelect) => ({
  id,
  name,
  prefix,
  created_at: toIso(createdAt),
})

const path = '/merchant/tenant/api-key'
const notAllowed = roleNotAllowed('editor', 'owner')
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
  description: 'Only this response contains the key. A tenant has at most 20 keys.',
  ...signedInJson,
  request: { body: jsonRequest(newApiKeySchema, { name: 'shop' }) },
  responses: responses(createdApiKeySchema, { ...key, api_key: 'gt_4fTq9Xb2…' }, [
    'tenant_not_found',
    tooManyApiKeys(),
    notAllowed,
  ]),
})

const listKeysRoute = createRoute({
  method: 'get',
  path,
  operationId: 'listApiKeys',
  summary: 'List the API keys',
  description: 'Returns the beginning of each key, and when it was last used. The keys themselves are not stored.',
  ...signedIn,
  responses: responses(apiKeyListSchema, { api_keys: [{ ...key, last_used_at: '2026-11-21T12:30:00.000Z' }] }, [
    'tenant_not_found',
    notAllowed,
  ]),
})

const revokeKeyRoute = createRoute({
  method: 'delete',
  path: `${path}/{id}`,
  operationId: 'revokeApiKey',
  summary: 'Revoke an API key',
  description: 'The key is rejected from the next request on.',
  ...signedIn,
  request: { params: z.object({ id: z.string().openapi({ example: key.id }) }) },
  responses: responses(messageSchema, { message: 'The key was revoked.' }, [
    'tenant_not_found',
    'api_key_not_found',
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
    const { row, key: apiKey } = await createApiKey(deps(c.env, tenant.domain), tenant.id, name, Date.now(), actor)
    return ok(c, { ...toKeyResponse(row), api_key: apiKey })
  })
  .openapi(listKeysRoute, async (c) => {
    const tenant = ownTenant(c.var.merchant)
    const keys = await listApiKeys(deps(c.env, tenant.domain), tenant)
    const listed = keys.map(({ key: row, lastUsedAt }) => ({
      ...toKeyResponse(row),
      last_used_at: lastUsedAt === null ? null : toIso(lastUsedAt),
    }))
    return ok(c, { api_keys: listed })
  })
  .openapi(revokeKeyRoute, async (c) => {
    const tenant = ownTenant(c.var.merchant)
    const authorship = { by: c.var.merchant.actor, at: Date.now() }
    await revokeApiKey(deps(c.env, tenant.domain), tenant.id, c.req.valid('param').id, authorship)
    return ok(c, { message: 'The key was revoked.' })
  })
