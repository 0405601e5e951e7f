import { createRoute, z } from '@hono/zod-openapi'
import { tenantDatabase } from '../platform/db/databases.ts'
import { ok, responses } from '../platform/http/envelope.ts'
import { createRouter } from '../platform/http/router.ts'
import { signedIn } from './authenticate.ts'
import { settingsOf } from '../settings.ts'
import { roleNotAllowed } from './account-errors.ts'
import { ownTenant } from './tenant.ts'
import { findStored, forEachQuota, grownQuotas, quotasOf } from './quotas.ts'

const amount = (description: string) => z.object({ used: z.number(), limit: z.number() }).openapi({ description })

export const storedSchema = z.object({
  garments: amount('Garments, until they are removed.'),
  import_lines: amount('Lines of imports, those of ended imports included, until they are removed.'),
  text_bytes: amount('What was sent of garments and lines: uuids, addresses and attributes.'),
  files: amount('Uploaded image files.'),
  file_bytes: amount('The bytes of these files.'),
})

const usageRoute = createRoute({
  method: 'get',
  path: '/merchant/tenant/usage',
  operationId: 'getUsage',
  summary: 'Get how much the tenant has stored, and its limits',
  description:
    'Above a limit, uploads and imports get 429 or 413 with the message `Quota exceeded`. The limits of a new tenant grow each day.',
  ...signedIn,
  responses: responses(
    storedSchema,
    {
      garments: { used: 1200, limit: 200_000 },
      import_lines: { used: 1000, limit: 200_000 },
      text_bytes: { used: 310_000, limit: 200_000_000 },
      files: { used: 40, limit: 50_000 },
      file_bytes: { used: 96_000_000, limit: 50_000_000_000 },
    },
    ['tenant_not_found', roleNotAllowed('reviewer', 'editor')],
  ),
})

export const quotaRoutes = createRouter().openapi(usageRoute, async (c) => {
  const { id, createdAt } = ownTenant(c.var.merchant)
  const used = await findStored(tenantDatabase(c.env, id), id)
  const limits = grownQuotas(quotasOf(settingsOf(c.env), Date.now()), createdAt)
  return ok(
    c,
    forEachQuota((name) => ({ used: used[name], limit: limits[name] })),
  )
})
