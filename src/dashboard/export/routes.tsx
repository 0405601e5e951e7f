import { Hono } from 'hono'
import { z } from 'zod'
import { garmentStatuses } from '../../db/schema.ts'
import { exportFormats, streamExport } from '../../export/stream-export.ts'
import { settingsOf } from '../../settings.ts'
import { parseFields } from '../form.ts'
import { render } from '../parts/render.tsx'
import type { DashboardEnv } from '../viewer.ts'
import { withTenant } from '../with-tenant.tsx'
import { ExportPage, filePath } from './export-page.tsx'

const section = '/dashboard/garments'
const needsTenant = withTenant(section, 'Garments', 'Create a tenant to upload garments.')
const dayMs = 24 * 3600_000

/** Browsers send empty fields of a form too. */
const optional = <T extends z.ZodType>(value: T) => z.preprocess((text) => text || undefined, value.optional())

const day = z.iso.date('must be a date such as 2026-11-21').transform((text) => Date.parse(text))

const fileQuery = z.object({
  format: z.enum(exportFormats, 'must be a known format'),
  from: optional(day),
  to: optional(day),
  status: optional(z.enum(garmentStatuses, 'must be a known status')),
  item_type: optional(z.string()),
})

export const exportPages = new Hono<DashboardEnv>()

exportPages.get('/dashboard/export', needsTenant, async (c) =>
  render(c, { title: 'Export garments', section }, <ExportPage />),
)

exportPages.get(filePath, needsTenant, (c) => {
  const { format, from: fromMs, to, status, item_type: itemType } = parseFields(fileQuery, c.req.query())
  const nowMs = Date.now()
  const filter = { format, fromMs, untilMs: to === undefined ? undefined : to + dayMs, status, itemType }
  const { PUBLIC_URL: publicUrl } = settingsOf(c.env)
  const stream = streamExport(c.get('db'), c.get('tenant').id, filter, { publicUrl, nowMs })
  const [name, type] = format === 'json' ? ['json', 'application/json'] : ['csv', 'text/csv; charset=utf-8']
  const today = new Date(nowMs).toISOString().slice(0, 10)
  return c.body(stream, 200, {
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="garments-${today}.${name}"`,
  })
})
