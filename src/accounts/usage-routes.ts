import { createRoute, z } from '@hono/zod-openapi'
import { tenantDatabase } from '../platform/db/databases.ts'
import { ok, responses } from '../platform/http/envelope.ts'
import { createRouter } from '../platform/http/router.ts'
import { signedIn } from './authenticate.ts'
import { settingsOf } from '../settings.ts'
import { roleNotAllowed } from './account-errors.ts'
import { ownTenant } from './tenant.ts'
import { findLimits, findStored, forEachQuota, quotasOf } from './quotas.ts'

const amount = (description: string) => z.object({ used: z.number(), limit: z.number() }).openapi({ description })

export const storedSchema = z.object({
  garments: amount('Garments, until they are removed.'),
  import_lines: amount('Lines of imports, including ended imports, until they are removed.'),
  row_bytes: amount('Bytes of the rows in the database: garments, imports, deliveries, attempts and the audit log.'),
  files: amount('Uploaded image files.'),
  file_bytes: amount('Bytes of these files and of cropped labels.'),
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
      row_bytes: { used: 4_100_000, limit: 1_000_000_000 },
      files: { used: 40, limit: 50_000 },
      file_bytes: { used: 96_000_000, limit: 50_000_000_000 },
    },
    ['tenant_not_found', roleNotAllowed('reviewer', 'editor')],
  ),
})

export const quotaRoutes = createRouter().openapi(usageRoute, async (c) => {
  const { id } = ownTenant(c.var.merchant)
  const db = tenantDatabase(c.env, id)
  const quotas = quotasOf(settingsOf(c.env), Date.now())
  const [used, limits] = await Promise.all([findStored(db, id), findLimits(db, id, quotas)])
  return ok(
    c,
    forEachQuota((name) => ({ used: used[name], limit: limits[name] })),
  )
})
