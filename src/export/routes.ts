import { createRoute, z } from '@hono/zod-openapi'
import { tenantDatabase } from '../db/databases/find-database.ts'
import { completeGarment } from '../garment/examples.ts'
import { tenantGate } from '../gate/middleware.ts'
import { aroundData, responses } from '../http/envelope.ts'
import { byApiKey } from '../http/openapi/security.ts'
import { createRouter } from '../http/router.ts'
import { admitMember } from '../merchant/admit-member.ts'
import { settingsOf } from '../settings.ts'
import { joinRows } from './join-rows.ts'
import { csvHeader, csvLine } from './csv.ts'
import { exportQuery, exportSchema } from './fields.ts'
import { readExportPage } from './read-export-page.ts'
import { resultColumns } from './result-columns.ts'

const columns = resultColumns()

const exportExample = {
  garments: [
    {
      ...completeGarment,
      image_url: 'https://example.com/shirt.jpg',
      original_img: '',
      attribute: { Brand: 'Ann' },
      uploaded_at: '2026-11-21T12:00:00.000Z',
      ended_at: '2026-11-21T12:00:01.000Z',
      machine: { tag: completeGarment.tag, measurements: completeGarment.measurements },
    },
  ],
  next_cursor: null,
}

const jsonResponses = responses(exportSchema, exportExample)
const success = jsonResponses[200]

const exportRoute = createRoute({
  method: 'get',
  path: '/garment-tagging/export',
  operationId: 'exportGarments',
  summary: 'Export garments, oldest first',
  description:
    'Pages of at most 1,000 garments and 4 MiB. Pass `next_cursor` as `cursor` until it is null; as CSV, the header `Link` has the next ' +
    'page. `from` and `to` filter by the time of upload.',
  tags: ['Garments'],
  security: byApiKey,
  middleware: [tenantGate] as const,
  request: { query: exportQuery },
  responses: {
    ...jsonResponses,
    200: {
      ...success,
      headers: { Link: { schema: { type: 'string' }, description: 'As CSV, if there is one: the next page.' } },
      content: { ...success.content, 'text/csv': { schema: z.string(), example: 'uuid,status\r\n12345,complete\r\n' } },
    },
  },
})

export const exportRoutes = createRouter().openapi(exportRoute, async (c) => {
  const { format, from: fromMs, to: untilMs, status, limit, cursor } = c.req.valid('query')
  const filter = { status, fromMs, untilMs, limit, cursor }
  const { tenantId } = c.var
  const { rows, nextCursor } = await admitMember(
    { id: tenantId, memberId: tenantId },
    async () =>
      await readExportPage(tenantDatabase(c.env, tenantId), tenantId, filter, {
        publicUrl: settingsOf(c.env).PUBLIC_URL,
        toText: format === 'json' ? JSON.stringify : (garment) => csvLine(columns, garment),
      }),
  )
  if (format === 'json') {
    const start = `${aroundData.start}{"garments":[`
    const end = `],"next_cursor":${JSON.stringify(nextCursor)}}${aroundData.end}`
    return c.body(joinRows(rows, { start, separator: ',', end }), 200, { 'Content-Type': 'application/json' })
  }
  if (nextCursor !== null) {
    const next = new URL(c.req.url)
    next.searchParams.set('cursor', nextCursor)
    c.header('Link', `<${next.toString()}>; rel="next"`)
  }
  const file = joinRows(rows, { start: csvHeader(columns), separator: '', end: '' })
  return c.body(file, 200, { 'Content-Type': 'text/csv; charset=utf-8' })
})
