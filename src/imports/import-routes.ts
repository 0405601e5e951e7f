import { createRoute, z } from '@hono/zod-openapi'
import { waitUntil } from 'cloudflare:workers'
import { byKey } from '../accounts/audit.ts'
import * as fields from './import-fields.ts'
import type { importSchema, storedImportSchema } from './import-fields.ts'
import { toRetryResponse } from '../garments/failure.ts'
import { toIso } from '../time.ts'
import {
  countLines,
  type getImport,
  type ImportRow,
  type LineFilter,
  listImports,
  storedAttribute,
  walkImport,
  workOfLine,
} from './get-import.ts'
import { createPageBudget } from '../platform/limits/step-size.ts'
import { createYieldAfter } from '../platform/limits/yield-to-event-loop.ts'
import type { Database } from '../platform/db/database.ts'
import { gated, gatedJson, tenantGate } from '../accounts/gate.ts'
import { jsonRequest } from '../platform/http/body.ts'
import { ok, responses } from '../platform/http/envelope.ts'
import { invalidQuery, noRoom } from '../platform/http/errors.ts'
import { byApiKey, createRouter } from '../platform/http/router.ts'
import { quotaExceeded } from '../accounts/quotas.ts'
import { settingsOf } from '../settings.ts'
import * as errors from './import-errors.ts'
import { nameOf, parseGiven } from '../garments/pictures/garment-picture.ts'
import { pauseImport, wakeImporter } from './wake-importer.ts'
import { lineFormat, linesBody, readLinesFile, withCsvSlot } from './receive-import-file.ts'
import { storeLines } from './store-import-lines.ts'

const csv = 'uuid,image_url,Brand\n12345,https://example.com/shirt.jpg,Ann\n'

const jsonLines = `${JSON.stringify({
  uuid: '12345',
  image_url: 'https://example.com/shirt.jpg',
  attribute: { Brand: 'Ann' },
})}\n`

const storedImport: z.infer<typeof storedImportSchema> = {
  id: '01890a5d-ac96-774b-bcce-b302099a805c',
  accepted: 1,
  refused: 1,
  ignored: [],
}

const importWithLines: z.infer<typeof importSchema> = {
  id: storedImport.id,
  name: 'stock.csv',
  paused: false,
  done: false,
  totals: {
    lines: 2,
    waiting: 0,
    tagging: 1,
    complete: 0,
    failed: 0,
    unchanged: 0,
    refused: 1,
    asking: 0,
    unmatched: 0,
  },
  created_at: '2026-11-21T12:00:00.000Z',
  ended_at: null,
  lines: [
    {
      line: 3,
      uuid: '12346',
      image_url: 'ftp://example.com/coat.jpg',
      images: [],
      attribute: { Brand: 'Ann' },
      status: 'refused',
      problem: 'image_url: must be an http or https URL',
    },
  ],
  next_cursor: null,
}

export type ImportResponse = z.infer<typeof importSchema>

const totalsOf = ({ waiting, tagging, complete, failed, unchanged, refused, asking, unmatched }: ImportRow) => ({
  waiting,
  tagging,
  complete,
  failed,
  unchanged,
  refused,
  asking,
  unmatched,
})

function toImportSummary(row: ImportRow) {
  return {
    id: row.id,
    name: row.name,
    paused: row.paused,
    done: row.endedAt !== null,
    totals: { lines: countLines(row), ...totalsOf(row) },
    created_at: toIso(row.createdAt),
    ended_at: row.endedAt === null ? null : toIso(row.endedAt),
  }
}

export function toImportResponse({
  import: row,
  lines,
  nextAfter,
}: Awaited<ReturnType<typeof getImport>>): ImportResponse {
  return {
    ...toImportSummary(row),
    lines: lines.map(({ line, uuid, pictures, attribute, status, problem, failedTry }) => {
      const retry = toRetryResponse(failedTry)
      const [first = '', ...images] = parseGiven(pictures ?? '[]').map(nameOf)
      return {
        line,
        uuid,
        image_url: first,
        images,
        attribute: storedAttribute(attribute),
        status,
        problem,
        ...(retry && { retry }),
      }
    }),
    next_cursor: nextAfter === null ? null : String(nextAfter),
  }
}

/** Returns an import with a page of lines: fewer than `limit` if they exceed the page's byte budget. */
async function readImportPage(db: Database, tenantId: string, id: string, filter: LineFilter): Promise<ImportResponse> {
  const encoder = new TextEncoder()
  const isOfPage = createPageBudget()
  const yieldAfter = createYieldAfter()
  const lines: ImportResponse['lines'] = []
  let page: ImportResponse | undefined
  for await (const found of walkImport(db, tenantId, id, filter)) {
    const step = toImportResponse(found)
    page ??= step
    for (const line of step.lines) {
      const bytes = encoder.encode(JSON.stringify(line))
      if (!isOfPage(bytes)) return { ...page, lines, next_cursor: String(lines.at(-1)?.line) }
      lines.push(line)
      await yieldAfter(workOfLine + bytes.length)
    }
    page = { ...page, lines, next_cursor: step.next_cursor }
  }
  if (page === undefined) throw new Error('A walk through an import has no step')
  return page
}

const path = '/garment-tagging/import'
const importRoute = createRoute({
  method: 'post',
  path,
  operationId: 'importGarments',
  summary: 'Import many garments',
  description:
    'The body is CSV or JSON lines, at most 10,000 lines and 8 MiB. The first line of CSV names the columns: `uuid`, ' +
    '`image_url`, optionally `number`, and any attributes. Further pictures go in the same cell or in `image_url_2` to `image_url_8`, and ' +
    '`kinds` lists what the pictures show, separated by commas. Each JSON line is an upload body. Headers in the five ' +
    'languages and of shop exports are recognised.\n\n' +
    'CSV is also accepted as `application/octet-stream`, for generated clients that cannot send `text/csv`.\n\n' +
    "Lines are stored before the response and uploaded in the background, as fast as the tenant's waiting garments " +
    'allow. Lines with errors are listed; the rest are imported. The request counts once against the rate limit, and ' +
    'each line counts against the quotas.\n\n' +
    'A line names its garment by uuid, by an SKU that only one garment has, or by a stock number such as `G-1042`. If ' +
    'several garments have the SKU, the line is refused. A reserved `number` becomes the number of a new or failed garment.\n\n' +
    'A line edits its complete garment if it names the same picture or none. Importing our own export also ' +
    'corrects tags and measurements. A line that is older than a later change of its garment ends as `asking`. Importing ' +
    'a file again only repeats the tagging of failed garments.',
  security: byApiKey,
  middleware: [tenantGate, linesBody] as const,
  request: {
    query: fields.newImportQuery,
    body: {
      required: true,
      content: {
        'text/csv': { schema: { type: 'string' as const }, example: csv },
        'application/x-ndjson': { schema: { type: 'string' as const }, example: jsonLines },
        'application/octet-stream': { schema: { type: 'string' as const, format: 'binary' }, example: csv },
      },
    },
  },
  responses: responses(fields.storedImportSchema, storedImport, [
    errors.unusableFile('line 1: There is no column uuid.'),
    errors.importTooLarge(),
    quotaExceeded('row_bytes', 200_000_000),
    errors.notLines(),
    errors.tooManyImports(),
    quotaExceeded('import_lines', 200_000),
    noRoom(),
  ]),
})

const getImportRoute = createRoute({
  method: 'get',
  path,
  operationId: 'getImport',
  summary: 'List imports, or get the progress of an import and a page of its lines',
  description:
    'Without `id`, the imports are listed, newest first. With `id`, the answer is one import with its lines.\n\n' +
    'The totals count all lines; `status` filters the lines of the page. A refused line shows what was sent, at most ' +
    '16 KiB of its attributes, with the reason in `problem`. A page of more than 4 MiB has fewer lines than `limit`. ' +
    '`next_cursor` is null after the last line.',
  ...gated,
  request: { query: fields.importQuery },
  responses: responses(z.union([fields.importSchema, fields.importListSchema]), importWithLines, ['import_not_found']),
})

const pauseRoute = createRoute({
  method: 'put',
  path,
  operationId: 'pauseImport',
  summary: 'Pause or resume an import',
  description: 'A paused import uploads no more lines. Garments uploaded before are still tagged.',
  ...gatedJson,
  request: { body: jsonRequest(fields.pauseRequest, { id: storedImport.id, paused: true }) },
  responses: responses(fields.pauseRequest, { id: storedImport.id, paused: true }, ['import_not_found']),
})

export const importRoutes = createRouter()
  .openapi(importRoute, async (c) => {
    const { name, overwrite, columns: chosen } = c.req.valid('query')
    const format = lineFormat(c.req.header('content-type'))
    const { tenantId } = c.var
    const { origin } = new URL(c.req.url)
    const bytes = new Uint8Array(await c.req.arrayBuffer())
    const stored = await withCsvSlot(tenantId, async () => {
      const deps = { db: c.var.db, settings: settingsOf(c.env) }
      const by = byKey(c.var.apiKeyId)
      const text = readLinesFile(bytes, 'body')
      const file = { name, format, text, by, chosen, overwrites: overwrite === 'true', origin }
      return await storeLines(deps, tenantId, file, Date.now())
    })
    waitUntil(wakeImporter(c.env, tenantId))
    return ok(c, stored)
  })
  .openapi(getImportRoute, async (c) => {
    const { id, status, cursor, limit } = c.req.valid('query')
    const { tenantId } = c.var
    const db = c.var.db
    if (id === undefined) {
      const { rows, nextCursor } = await listImports(db, tenantId, { limit, cursor })
      return ok(c, { imports: rows.map(toImportSummary), next_cursor: nextCursor })
    }
    if (cursor !== undefined && !/^\d{1,7}$/.test(cursor))
      throw invalidQuery(['cursor: must be the next_cursor of the previous page'])
    return ok(c, await readImportPage(db, tenantId, id, { status, after: Number(cursor ?? 0), limit }))
  })
  .openapi(pauseRoute, async (c) => {
    const pause = c.req.valid('json')
    await pauseImport({ env: c.env, db: c.var.db }, c.var.tenantId, pause)
    return ok(c, pause)
  })
