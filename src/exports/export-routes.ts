import { createRoute, z } from '@hono/zod-openapi'
import { garmentStatuses } from '../platform/db/schema.ts'
import { garmentResultSchema } from '../garments/garment-fields.ts'
import { dateOrTime, pageLimit } from '../platform/http/validation.ts'
import { type ExportFilter, maxExportPage, positionOf, readSteps } from '../garments/list/read-garments.ts'
import { createPageBudget } from '../platform/limits/step-size.ts'
import { createYieldAfter } from '../platform/limits/yield-to-event-loop.ts'
import type { Database } from '../platform/db/database.ts'
import { cursorOf, type PageRequest } from '../platform/db/page.ts'
import { type ExportedGarment, toExportResponse } from './walk-garments.ts'
import { tenantDatabase } from '../platform/db/databases.ts'
import { completeGarment } from '../garments/garment-example.ts'
import { gated } from '../accounts/gate.ts'
import { dataEnvelope, responses } from '../platform/http/envelope.ts'
import { createRouter } from '../platform/http/router.ts'
import { admitMember } from '../accounts/authenticate.ts'
import { settingsOf } from '../settings.ts'
import { csvHeader, csvLine, resultColumns } from './export-columns.ts'

interface Surroundings {
  readonly start: string
  readonly separator: string
  readonly end: string
}

/** Joins encoded rows with the texts around them to one body. */
const joinRows = async (rows: readonly Uint8Array[], { start, separator, end }: Surroundings) =>
  await new Blob([start, ...rows.flatMap((row, at) => (at === 0 ? [row] : [separator, row])), end]).arrayBuffer()

export const exportQuery = z.object({
  format: z.enum(['json', 'csv'], 'must be json or csv').default('json'),
  from: dateOrTime.optional().openapi({ description: 'Uploads from this time on. A date means its midnight in UTC.' }),
  to: dateOrTime.optional().openapi({
    description: 'Uploads before this time. A date means its midnight in UTC, so that day is excluded.',
  }),
  status: z.enum(garmentStatuses, `must be one of ${garmentStatuses.join(', ')}`).optional(),
  limit: pageLimit(maxExportPage),
  cursor: z.string().optional(),
})

export const exportSchema = z.object({
  garments: z.array(
    z.object({
      ...garmentResultSchema.shape,
      image_url: z.string(),
      original_img: z.string().openapi({
        description:
          'The public URL of an uploaded file, without camera metadata; empty for a picture that was given by URL.',
      }),
      attribute: z.record(z.string(), z.string()),
      uploaded_at: z.string(),
      ended_at: z.string(),
      machine: garmentResultSchema.pick({ tag: true, measurements: true }).nullable(),
      confirmed: z
        .array(z.string())
        .optional()
        .openapi({ description: 'The keys of values that a person confirmed; absent if there are none.' }),
    }),
  ),
  next_cursor: z.string().nullable(),
})

/** CPU cost of reading a garment, in characters, added to its length. */
const workOfGarment = 500

/**
 * Reads a page of at most `limit` garments, and fewer if the page would exceed its byte budget. Encodes each garment as
 * UTF-8 at once, because encoding megabytes in a single call would block the isolate.
 */
export async function readExportPage(
  db: Database,
  tenantId: string,
  filter: ExportFilter & PageRequest,
  { publicUrl, toText }: { readonly publicUrl: string | undefined; toText: (garment: ExportedGarment) => string },
) {
  const encoder = new TextEncoder()
  const page: Uint8Array[] = []
  const isOfPage = createPageBudget()
  const yieldAfter = createYieldAfter()
  let cursor: string | null = null
  for await (const { rows, nextCursor } of readSteps(db, tenantId, filter)) {
    for (const row of rows) {
      const bytes = encoder.encode(toText(toExportResponse(row, publicUrl)))
      if (!isOfPage(bytes)) return { rows: page, nextCursor: cursor }
      page.push(bytes)
      cursor = cursorOf(positionOf(row))
      await yieldAfter(workOfGarment + bytes.length)
    }
    cursor = nextCursor
  }
  return { rows: page, nextCursor: cursor }
}

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
    'Pages of at most 1,000 garments and 4 MiB. Pass `next_cursor` as `cursor` until it is null. For CSV, the header ' +
    '`Link` names the next page. `from` and `to` filter by upload time.',
  ...gated,
  request: { query: exportQuery },
  responses: {
    ...jsonResponses,
    200: {
      ...success,
      headers: { Link: { schema: { type: 'string' }, description: 'For CSV: the next page, if there is one.' } },
      content: { ...success.content, 'text/csv': { schema: z.string(), example: 'uuid,status\r\n12345,complete\r\n' } },
    },
  },
})

export const exportRoutes = createRouter().openapi(exportRoute, async (c) => {
  const { format, from: fromMs, to: untilMs, status, limit, cursor } = c.req.valid('query')
  const filter = { status, fromMs, untilMs, limit, cursor }
  const { tenantId } = c.var
  const columns = resultColumns(Date.now())
  const { rows, nextCursor } = await admitMember(
    { id: tenantId, memberId: tenantId },
    async () =>
      await readExportPage(tenantDatabase(c.env, tenantId), tenantId, filter, {
        publicUrl: settingsOf(c.env).PUBLIC_URL,
        toText: format === 'json' ? JSON.stringify : (garment) => csvLine(columns, garment),
      }),
  )
  if (format === 'json') {
    const start = `${dataEnvelope.start}{"garments":[`
    const end = `],"next_cursor":${JSON.stringify(nextCursor)}}${dataEnvelope.end}`
    return c.body(await joinRows(rows, { start, separator: ',', end }), 200, { 'Content-Type': 'application/json' })
  }
  if (nextCursor !== null) {
    const next = new URL(c.req.url)
    next.searchParams.set('cursor', nextCursor)
    c.header('Link', `<${next.toString()}>; rel="next"`)
  }
  const file = await joinRows(rows, { start: csvHeader(columns), separator: '', end: '' })
  return c.body(file, 200, { 'Content-Type': 'text/csv; charset=utf-8' })
})
