import { createRoute } from '@hono/zod-openapi'
import { jsonRequest } from '../platform/http/body.ts'
import { messageSchema, ok, responses } from '../platform/http/envelope.ts'
import { createRouter } from '../platform/http/router.ts'
import { signedIn, signedInJson } from './authenticate.ts'
import { roleNotAllowed } from './account-errors.ts'
import { tooManyAttempts } from '../platform/limits/throttle.ts'
import { createTenant } from './create-tenant.ts'
import { deleteTenant } from './delete-tenant.ts'
import {
  changeTenant,
  newTenantSchema,
  ownTenant,
  tenantChangeSchema,
  tenantSchema,
  toTenantResponse,
  toWholeTenantResponse,
  wholeTenantSchema,
} from './tenant.ts'
import { accountDatabase } from '../platform/db/databases.ts'

const path = '/merchant/tenant'
const settings = { timezone: 'Europe/Berlin', currency: 'EUR' }
const shared = { name: 'Ann', domain: 'ann.example', description: 'The shop of Ann' }
const tenant = {
  id: '01890a5d-ac96-774b-bcce-b302099a8058',
  ...shared,
  merchant_id: '01890a5d-ac96-774b-bcce-b302099a8057',
  created_at: '2026-11-21T12:00:00.000Z',
}

const createTenantRoute = createRoute({
  method: 'post',
  path,
  operationId: 'createTenant',
  summary: 'Create the tenant',
  description:
    'A merchant has at most one tenant, and may create 10 in 24 hours. The domain is unique. Garment requests send it in ' +
    'the header `DOMAIN`.',
  ...signedInJson,
  request: {
    body: jsonRequest(newTenantSchema, { ...shared, settings }),
  },
  responses: responses(tenantSchema, tenant, ['domain_taken', 'tenant_exists', roleNotAllowed('editor', 'owner')]),
})

const getTenantRoute = createRoute({
  method: 'get',
  path,
  operationId: 'getTenant',
  summary: 'Get the tenant',
  description: 'Includes the domain and the settings.',
  ...signedIn,
  responses: responses(wholeTenantSchema, { ...tenant, settings }, ['tenant_not_found']),
})

const changeTenantRoute = createRoute({
  method: 'put',
  path,
  operationId: 'changeTenant',
  summary: 'Change the tenant',
  description:
    'Absent fields and settings stay as they are. Null removes a setting, except `timezone` and `currency`. The domain ' +
    'cannot be changed.',
  ...signedInJson,
  request: { body: jsonRequest(tenantChangeSchema, { description: 'Dresses', settings: { currency: 'GBP' } }) },
  responses: responses(
    wholeTenantSchema,
    { ...tenant, description: 'Dresses', settings: { ...settings, currency: 'GBP' } },
    ['tenant_not_found', roleNotAllowed('editor', 'owner')],
  ),
})

const deleteTenantRoute = createRoute({
  method: 'delete',
  path,
  operationId: 'deleteTenant',
  summary: 'Delete the tenant and everything that belongs to it',
  description: 'Deletes keys, garments, pictures, webhook endpoints and deliveries. The domain is free again at once.',
  ...signedIn,
  responses: responses(messageSchema, { message: 'Tenant ann.example was deleted.' }, [
    'tenant_not_found',
    'tenant_active',
    roleNotAllowed('editor', 'owner'),
    tooManyAttempts(42_000),
  ]),
})

export const tenantRoutes = createRouter()
  .openapi(createTenantRoute, async (c) => {
    const created = await createTenant(c.env, c.var.merchant.id, c.req.valid('json'), Date.now(), c.var.merchant.actor)
    return ok(c, toTenantResponse(created))
  })
  .openapi(getTenantRoute, (c) => ok(c, toWholeTenantResponse(ownTenant(c.var.merchant))))
  .openapi(changeTenantRoute, async (c) => {
    const authorship = { by: c.var.merchant.actor, at: Date.now() }
    const tenant = ownTenant(c.var.merchant)
    return ok(
      c,
      toWholeTenantResponse(await changeTenant(accountDatabase(c.env), tenant, c.req.valid('json'), authorship)),
    )
  })
  .openapi(deleteTenantRoute, async (c) => {
    const tenant = ownTenant(c.var.merchant)
    await deleteTenant(c.env, tenant, Date.now(), c.var.merchant.actor)
    return ok(c, { message: `Tenant ${tenant.domain} was deleted.` })
  })
