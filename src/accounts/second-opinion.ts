import { createRoute, z } from '@hono/zod-openapi'
import { eq, sql, type SQL } from 'drizzle-orm'
import { type Made, recordEntry } from './audit.ts'
import { type Database, runBatch } from '../platform/db/database.ts'
import { tenantState } from '../platform/db/schema.ts'
import { tenantDatabase } from '../platform/db/databases.ts'
import { jsonRequest } from '../platform/http/body.ts'
import { ok, responses } from '../platform/http/envelope.ts'
import { createRouter } from '../platform/http/router.ts'
import { signedIn, signedInJson } from './authenticate.ts'
import { roleNotAllowed } from './errors.ts'
import { ownTenant } from './tenant.ts'

/** A tenant's choice. */
export const permissionSchema = z
  .object({
    allowed: z
      .boolean('must be true or false')
      .openapi({ description: 'Whether pictures may be sent to a model of Workers AI.' }),
  })
  .openapi('SecondOpinionChoice')

/** Whether pictures of the tenant may be sent to a model, for the statement that reads the work. */
export const allowsOpinion = (tenantId: string): SQL<number> =>
  sql<number>`NOT EXISTS (
    SELECT 1 FROM ${tenantState} AS host WHERE host.tenant_id = ${tenantId} AND host.allows_opinion = 0
  )`

export const permissionQuery = (db: Database, tenantId: string) =>
  db.select({ allows: tenantState.allowsOpinion }).from(tenantState).where(eq(tenantState.tenantId, tenantId))

/** Takes effect with the next garment that is tagged. */
export async function putPermission(db: Database, tenantId: string, allowsOpinion: boolean, made: Made): Promise<void> {
  const entry = {
    holderId: tenantId,
    action: 'second-opinion.changed',
    subject: allowsOpinion ? 'allowed' : 'forbidden',
  } as const
  await runBatch(db, {
    tenant: db.update(tenantState).set({ allowsOpinion }).where(eq(tenantState.tenantId, tenantId)),
    entry: recordEntry(db, entry, made),
  })
}

const path = '/merchant/tenant/second-opinion'
const example: z.infer<typeof permissionSchema> = { allowed: false }

const getRoute = createRoute({
  method: 'get',
  path,
  operationId: 'getSecondOpinion',
  summary: 'Get whether pictures may be sent to a larger model',
  description: 'They are only where the operator of the service wants that, too.',
  ...signedIn,
  responses: responses(permissionSchema, example, ['tenant_not_found', roleNotAllowed('reviewer', 'editor')]),
})

const putRoute = createRoute({
  method: 'put',
  path,
  operationId: 'putSecondOpinion',
  summary: 'Allow or forbid that pictures are sent to a larger model',
  description: 'It is allowed until you forbid it. Takes effect with the next garment that is tagged.',
  ...signedInJson,
  request: { body: jsonRequest(permissionSchema, example) },
  responses: responses(permissionSchema, example, ['tenant_not_found', roleNotAllowed('editor', 'owner')]),
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
