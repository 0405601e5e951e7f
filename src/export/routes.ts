import { createRoute, z } from '@hono/zod-openapi'
import { openDatabase } from '../db/client.ts'
import { tenantGate } from '../gate/middleware.ts'
import { ok, responses } from '../http/envelope.ts'
import { createRouter } from '../http/router.ts'
import { settingsOf } from '../settings.ts'
import { csvHeader, csvLine } from './csv.ts'
import { exportGarments } from './export-garments.ts'
import { exportedGarment } from './exported-garment.ts'
import { exportQuery, exportSchema } from './fields.ts'
import { resultColumns } from './result-columns.ts'

const jsonResponses = responses(exportSchema, {
  400: 'An invalid field',
  401: 'Unauthorized',
  429: 'Too many requests',
})
const success = jsonResponses[200]

const exportRoute = createRoute({
  method: 'get',
  path: '/garment-tagging/export',
  middleware: [tenantGate] as const,
  request: { query: exportQuery },
  responses: {
    ...jsonResponses,
    200: { ...success, content: { ...success.content, 'text/csv': { schema: z.string() } } },
  },
})

export const exportRoutes = createRouter().openapi(exportRoute, async (c) => {
  const { format, from: fromMs, to: untilMs, status, limit, cursor } = c.req.valid('query')
  const filter = { status, fromMs, untilMs, limit, cursor }
  const { rows, nextCursor } = await exportGarments(openDatabase(c.env.DB), c.var.tenantId, filter)
  const publicUrl = settingsOf(c.env).PUBLIC_URL
  const garments = rows.map((row) => exportedGarment(row, publicUrl))
  if (format === 'json') return ok(c, { garments, next_cursor: nextCursor })
  if (nextCursor !== null) {
    const next = new URL(c.req.url)
    next.searchParams.set('cursor', nextCursor)
    c.header('Link', `<${next.toString()}>; rel="next"`)
  }
  const lines = garments.map((garment) => csvLine(resultColumns, garment))
  return c.body([csvHeader(resultColumns), ...lines].join(''), 200, { 'Content-Type': 'text/csv; charset=utf-8' })
})
