import { createRoute, z } from '@hono/zod-openapi'
import { tenantDatabase } from '../db/databases/find-database.ts'
import { jsonBody, jsonRequest } from '../http/body.ts'
import { ok, responses } from '../http/envelope.ts'
import { byAccessToken } from '../http/openapi/security.ts'
import { createRouter } from '../http/router.ts'
import { authenticate } from '../merchant/authenticate.ts'
import { roleNotAllowed } from '../merchant/team/errors.ts'
import { tenantNotFound } from '../tenant/errors.ts'
import { ownTenant } from '../tenant/own-tenant.ts'
import { permissionQuery, permissionSchema, putPermission } from './permission.ts'

const path = '/merchant/tenant/second-opinion'
const tags = ['Tenant and API keys']
const example: z.infer<typeof permissionSchema> = { allowed: false }

const getRoute = createRoute({
  method: 'get',
  path,
  operationId: 'getSecondOpinion',
  summary: 'Get whether pictures may be sent to a larger model',
  description: 'They are only where the operator of the service wants that, too.',
  tags,
  security: byAccessToken,
  middleware: [authenticate] as const,
  responses: responses(permissionSchema, example, [tenantNotFound(), roleNotAllowed('reviewer', 'editor')]),
})

const putRoute = createRoute({
  method: 'put',
  path,
  operationId: 'putSecondOpinion',
  summary: 'Allow or forbid that pictures are sent to a larger model',
  description: 'It is allowed until you forbid it. Takes effect with the next garment that is tagged.',
  tags,
  security: byAccessToken,
  middleware: [authenticate, jsonBody] as const,
  request: { body: jsonRequest(permissionSchema, example) },
  responses: responses(permissionSchema, example, [tenantNotFound(), roleNotAllowed('editor', 'owner')]),
})

export const secondOpinionRoutes = createRouter()
  .openapi(getRoute, async (c) => {
    const { id } = ownTenant(c.var.merchant)
    const [row] = await permissionQuery(tenantDatabase(c.env, id), id)
    return ok(c, { allowed: row?.allows ?? true })
  })
  .openapi(putRoute, async (c) => {
    const { id } = ownTenant(c.var.merchant)
    const { allowed } = c.req.valid('json')
    const made = { by: c.var.merchant.actor, at: Date.now() }
    await putPermission(tenantDatabase(c.env, id), id, allowed, made)
    return ok(c, { allowed })
  })
