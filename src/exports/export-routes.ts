import { createRoute, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { garmentStatuses } from '../platform/db/schema.ts'
import { garmentResultSchema } from '../garments/garment-fields.ts'
import { dateOrTime, pageLimit } from '../platform/http/validation.ts'
import { type ExportFilter, maxExportPage, positionOf, readSteps } from '../garments/list/read-garments.ts'
import { createPageBudget } from '../platform/limits/step-size.ts'
import { createYieldAfter } from '../platform/limits/yield-to-event-loop.ts'
import type { Database } from '../platform/db/database.ts'
import { cursorOf, type PageRequest } from '../platform/db/page.ts'
import { type ExportedGarment, toExportJson, toExportResponse } from './walk-garments.ts'
import { accountDatabase } from '../platform/db/databases.ts'
import { completeGarment } from '../garments/garment-example.ts'
import { gated } from '../accounts/gate.ts'
import { dataEnvelope, ok, responses } from '../platform/http/envelope.ts'
import { type AppEnv, createRouter } from '../platform/http/router.ts'
import { admitMember } from '../accounts/authenticate.ts'
import { settingsOf } from '../settings.ts'
import { csvHeader, csvLine, resultColumns } from './export-columns.ts'
import { findExportDefaults, readShopPage } from './read-shop-page.ts'
import { type ShopFormat, shopFormats } from './shops/shop-formats.ts'
import type { RowProblem } from './shops/shop-rules.ts'
import { maxZipBytes, maxZipPictures, planZip, streamZip, walkPictured } from './zip-pictures.ts'

const exportApiFormats = ['json', 'csv', 'pictures', ...shopFormats] as const

interface Surroundings {
  readonly start: string
  readonly separator: string
  readonly end: string
}

const joinRows = async (rows: readonly Uint8Array[], { start, separator, end }: Surroundings) =>
  await new Blob([start, ...rows.flatMap((row, at) => (at === 0 ? [row] : [separator, row])), end]).arrayBuffer()

export const exportQuery = z.object({
  format: z
    .enum(exportApiFormats, `must be one of ${exportApiFormats.join(', ')}`)
    .default('json')
    .openapi({
      description:
        '`json` and `csv` contain all values of all garments. The other formats contain complete garments that are neither ' +
        'sold nor withdrawn. `pictures` is a ZIP of their pictures, named by stock number, such as `G-1042-1.jpg`. The rest ' +
        'are files for shops, with the defaults of the Export page.',
    }),
  report: z.enum(['0', '1'], 'must be 0 or 1').default('0').openapi({
    description: 'Only for shops. `1` returns JSON instead of the file: why garments of the page are left out.',
  }),
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
        description: 'The public URL of an uploaded file, without camera metadata. Empty for a picture given by URL.',
      }),
      attribute: z.record(z.string(), z.string()),
      created_at: z.string(),
      ended_at: z.string(),
      machine: garmentResultSchema.pick({ tag: true, measurements: true }).nullable(),
      exported: z
        .partialRecord(z.enum(shopFormats), z.object({ at: z.string(), handle: z.string(), ended: z.boolean() }))
        .openapi({
          description:
            'The shops whose files have contained the garment, and since when. `handle`: its handle in Shopify. `ended`: ' +
            'the latest file took it off sale.',
        }),
      confirmed: z
        .array(z.string())
        .optional()
        .openapi({ description: 'Keys of values that a person confirmed. Absent if there are none.' }),
    }),
  ),
  next_cursor: z.string().nullable(),
})

const reportedGarments = z.array(
  z.object({
    uuid: z.string(),
    problems: z.array(
      z.object({ column: z.string(), problem: z.string(), is_refused: z.boolean() }).openapi({
        description:
          'A column of the file, and what is wrong with its value. If `is_refused` is true, the shop would reject the row.',
      }),
    ),
  }),
)

export const exportReportSchema = z
  .object({
    written: z.int().openapi({ description: 'Number of garments in the file.' }),
    omitted: reportedGarments.openapi({ description: 'Garments that the file leaves out.' }),
    lacking: reportedGarments.openapi({
      description: 'Garments in the file with problems that do not stop the import.',
    }),
    to_end: z.array(z.string()).openapi({
      description:
        'For eBay and Vinted: garments that an earlier file contained and that are sold or withdrawn. End their listings.',
    }),
    next_cursor: z.string().nullable(),
  })
  .openapi('ExportReport')

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
      created_at: '2026-11-21T12:00:00.000Z',
      ended_at: '2026-11-21T12:00:01.000Z',
      machine: { tag: completeGarment.tag, measurements: completeGarment.measurements },
      exported: { shopify: { at: '2026-11-22T12:00:00.000Z', handle: 'shirt-1', ended: false } },
    },
  ],
  next_cursor: null,
}

const jsonResponses = responses(z.union([exportSchema, exportReportSchema]), exportExample)
const success = jsonResponses[200]

const exportRoute = createRoute({
  method: 'get',
  path: '/garment-tagging/export',
  operationId: 'exportGarments',
  summary: 'Export garments, oldest first',
  description:
    'Pages of at most 1,000 garments and 4 MiB. Pass `next_cursor` as `cursor` until it is null. For CSV and ZIP, the ' +
    'header `Link` names the next page. `from` and `to` filter by upload time.\n\n' +
    `A ZIP has at most ${maxZipPictures} pictures and ${maxZipBytes / 1_000_000} MB, and all pictures of a garment are in ` +
    'one. It has uploaded files without camera metadata. Of a picture given by URL it has the stored copy of at most 1,280 ' +
    'pixels.\n\n' +
    'For a shop, `X-Omitted` is the number of garments of the page that are left out, and `report=1` returns the reasons. ' +
    'A garment that an earlier file contained and that is sold or withdrawn now has quantity 0 for Shopify and ' +
    'WooCommerce, and is `out_of_stock` for Google. ' +
    'Vinted itself takes no file: `vinted` is for tools that list on several markets.',
  ...gated,
  request: { query: exportQuery },
  responses: {
    ...jsonResponses,
    200: {
      ...success,
      headers: {
        Link: { schema: { type: 'string' }, description: 'For CSV and ZIP: the next page, if there is one.' },
        'X-Omitted': {
          schema: { type: 'integer' },
          description: 'For shops: the garments of the page that are left out.',
        },
      },
      content: {
        ...success.content,
        'text/csv': { schema: z.string(), example: 'uuid,status\r\n12345,complete\r\n' },
        'application/zip': { schema: { type: 'string', format: 'binary' } },
      },
    },
  },
})

function linkNextPage(c: Context<AppEnv>, cursor: string | null): void {
  if (cursor === null) return
  const next = new URL(c.req.url)
  next.searchParams.set('cursor', cursor)
  c.header('Link', `<${next.toString()}>; rel="next"`)
}

async function sendShopPage(
  c: Context<AppEnv>,
  request: Pick<ExportFilter, 'fromMs' | 'untilMs'> & PageRequest & { readonly format: ShopFormat },
  isReport: boolean,
) {
  const { tenantId } = c.var
  const db = c.var.db
  const { start, rows, nextCursor, omitted, lacking, toEnd } = await admitMember(
    { id: tenantId, memberId: tenantId },
    async () => {
      const defaults = await findExportDefaults(accountDatabase(c.env), db, tenantId)
      return await readShopPage(
        db,
        tenantId,
        { ...request, defaults, isReport },
        {
          publicUrl: settingsOf(c.env).PUBLIC_URL,
          nowMs: Date.now(),
        },
      )
    },
  )
  if (isReport) {
    const reported = [omitted, lacking].map((garments) =>
      garments.map(({ uuid, problems }) => ({ uuid, problems: problems.map(toProblem) })),
    )
    return ok(c, {
      written: rows.length,
      omitted: reported[0] ?? [],
      lacking: reported[1] ?? [],
      to_end: toEnd,
      next_cursor: nextCursor,
    })
  }
  linkNextPage(c, nextCursor)
  c.header('X-Omitted', String(omitted.length))
  const file = await joinRows(rows, { start, separator: '', end: '' })
  return c.body(file, 200, { 'Content-Type': 'text/csv; charset=utf-8' })
}

const toProblem = ({ column, problem, isRefused }: RowProblem) => ({ column, problem, is_refused: isRefused })

async function sendPictures(c: Context<AppEnv>, { limit, ...filter }: ExportFilter & PageRequest) {
  const { tenantId, db } = c.var
  const { pictures, nextCursor } = await admitMember(
    { id: tenantId, memberId: tenantId },
    async () => await planZip(db, tenantId, walkPictured(db, tenantId, filter), limit),
  )
  linkNextPage(c, nextCursor)
  return c.body(await streamZip(c.env.PICTURES, tenantId, pictures), 200, { 'Content-Type': 'application/zip' })
}

export const exportRoutes = createRouter().openapi(exportRoute, async (c) => {
  const { format, report, from: fromMs, to: untilMs, status, limit, cursor } = c.req.valid('query')
  const filter = { status, fromMs, untilMs, limit, cursor }
  const { tenantId } = c.var
  if (format === 'pictures') return await sendPictures(c, { fromMs, untilMs, limit, cursor })
  if (format !== 'json' && format !== 'csv')
    return await sendShopPage(c, { format, fromMs, untilMs, limit, cursor }, report === '1')
  const columns = resultColumns(Date.now())
  const { rows, nextCursor } = await admitMember(
    { id: tenantId, memberId: tenantId },
    async () =>
      await readExportPage(c.var.db, tenantId, filter, {
        publicUrl: settingsOf(c.env).PUBLIC_URL,
        toText: format === 'json' ? toExportJson : (garment) => csvLine(columns, garment),
      }),
  )
  if (format === 'json') {
    const start = `${dataEnvelope.start}{"garments":[`
    const end = `],"next_cursor":${JSON.stringify(nextCursor)}}${dataEnvelope.end}`
    return c.body(await joinRows(rows, { start, separator: ',', end }), 200, { 'Content-Type': 'application/json' })
  }
  linkNextPage(c, nextCursor)
  const file = await joinRows(rows, { start: csvHeader(columns), separator: '', end: '' })
  return c.body(file, 200, { 'Content-Type': 'text/csv; charset=utf-8' })
})
