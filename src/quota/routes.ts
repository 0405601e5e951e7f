import { createRoute } from '@hono/zod-openapi'
import { tenantDatabase } from '../db/databases/find-database.ts'
import { ok, responses } from '../http/envelope.ts'
import { byAccessToken } from '../http/openapi/security.ts'
import { createRouter } from '../http/router.ts'
import { authenticate } from '../merchant/authenticate.ts'
import { settingsOf } from '../settings.ts'
import { tenantNotFound } from '../tenant/errors.ts'
import { roleNotAllowed } from '../merchant/team/errors.ts'
import { ownTenant } from '../tenant/own-tenant.ts'
import { storedSchema } from './fields.ts'
import { findStored } from './find-stored.ts'
import { quotasOf } from './quotas.ts'

const usageRoute = createRoute({
  method: 'get',
  path: '/merchant/tenant/usage',
  operationId: 'getUsage',
  summary: 'Get what the tenant has stored, and the most that it may',
  description: 'Above a limit, uploads and imports get 429 or 413 with the message `Quota exceeded`.',
  tags: ['Tenant and API keys'],
  security: byAccessToken,
  middleware: [authenticate] as const,
  responses: responses(
    storedSchema,
    {
      garments: { used: 1200, limit: 200_000 },
      import_lines: { used: 1000, limit: 200_000 },
      text_bytes: { used: 310_000, limit: 200_000_000 },
      files: { used: 40, limit: 50_000 },
      file_bytes: { used: 96_000_000, limit: 50_000_000_000 },
    },
    [tenantNotFound(), roleNotAllowed('reviewer', 'editor')],
  ),
})

export const quotaRoutes = createRouter().openapi(usageRoute, async (c) => {
  const { id } = ownTenant(c.var.merchant)
  const used = await findStored(tenantDatabase(c.env, id), id)
  const limits = quotasOf(settingsOf(c.env))
  const amountOf = (name: keyof typeof limits) => ({ used: used[name], limit: limits[name] })
  return ok(c, {
    garments: amountOf('garments'),
    import_lines: amountOf('import_lines'),
    text_bytes: amountOf('text_bytes'),
    files: amountOf('files'),
    file_bytes: amountOf('file_bytes'),
  })
})
