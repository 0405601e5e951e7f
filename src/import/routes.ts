import { waitUntil } from 'cloudflare:workers'
import { createRoute } from '@hono/zod-openapi'
import { tenantDatabase } from '../db/databases/find-database.ts'
import { tenantGate } from '../gate/middleware.ts'
import { jsonBody, jsonRequest } from '../http/body.ts'
import { ok, responses } from '../http/envelope.ts'
import { noRoom } from '../http/errors.ts'
import { byApiKey } from '../http/openapi/security.ts'
import { createRouter } from '../http/router.ts'
import { quotaExceeded } from '../quota/errors.ts'
import { settingsOf } from '../settings.ts'
import * as errors from './errors.ts'
import * as examples from './examples.ts'
import * as fields from './fields.ts'
import { pauseImport } from './pause-import.ts'
import { lineFormat, linesBody, readLinesFile } from './lines-body.ts'
import { readImportPage } from './read-import-page.ts'
import { wakeImporter } from './run/wake-importer.ts'
import { withCsvSlot } from './store/csv-slot.ts'
import { storeLines } from './store/store-lines.ts'

const path = '/garment-tagging/import'
const tags = ['Imports']
const security = byApiKey

const importRoute = createRoute({
  method: 'post',
  path,
  operationId: 'importGarments',
  summary: 'Import many garments',
  description:
    'CSV whose first line names the columns `uuid`, `image_url` and any attributes, or one JSON object a line, as the ' +
    'body of an upload; at most 10,000 lines and 8 MiB. The lines are stored at once and uploaded in the background, as ' +
    "fast as the tenant's waiting garments allow. Lines with a mistake are refused, the others are taken. This counts " +
    'once against the rate limit, and the lines against the quotas. The same file again changes nothing but failed ' +
    'garments, which are tagged again.',
  tags,
  security,
  middleware: [tenantGate, linesBody] as const,
  request: {
    query: fields.newImportQuery,
    body: {
      required: true,
      content: {
        'text/csv': { schema: { type: 'string' as const }, example: examples.csv },
        'application/x-ndjson': { schema: { type: 'string' as const }, example: examples.jsonLines },
      },
    },
  },
  responses: responses(fields.storedImportSchema, examples.storedImport, [
    errors.unusableFile('line 1: There is no column image_url.'),
    errors.importTooLarge(),
    quotaExceeded('text_bytes', 200_000_000),
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
  summary: 'Get the progress of an import, and a page of its lines',
  description:
    'The totals are of all lines; `status` filters those of the page. A line that was refused has what was sent, as far as ' +
    'it could be read and at most 16 KiB of its attributes, with the reason in `problem`. A page has fewer lines than ' +
    '`limit` where they have more than 4 MiB; `next_cursor` is null only after the last line.',
  tags,
  security,
  middleware: [tenantGate] as const,
  request: { query: fields.importQuery },
  responses: responses(fields.importSchema, examples.importWithLines, [errors.importNotFound()]),
})

const pauseRoute = createRoute({
  method: 'put',
  path,
  operationId: 'pauseImport',
  summary: 'Pause or resume an import',
  description: 'A paused import uploads nothing more. What it has uploaded is still tagged.',
  tags,
  security,
  middleware: [tenantGate, jsonBody] as const,
  request: { body: jsonRequest(fields.pauseRequest, { id: examples.storedImport.id, paused: true }) },
  responses: responses(fields.pauseRequest, { id: examples.storedImport.id, paused: true }, [errors.importNotFound()]),
})

export const importRoutes = createRouter()
  .openapi(importRoute, async (c) => {
    const { name } = c.req.valid('query')
    const format = lineFormat(c.req.header('content-type'))
    const { tenantId } = c.var
    const { origin } = new URL(c.req.url)
    const bytes = new Uint8Array(await c.req.arrayBuffer())
    const stored = await withCsvSlot(tenantId, async () => {
      const deps = { db: tenantDatabase(c.env, tenantId), settings: settingsOf(c.env) }
      const file = { name, format, text: readLinesFile(bytes, 'body'), origin }
      return await storeLines(deps, tenantId, file, Date.now())
    })
    waitUntil(wakeImporter(c.env, tenantId))
    return ok(c, stored)
  })
  .openapi(getImportRoute, async (c) => {
    const { id, status, cursor = '0', limit } = c.req.valid('query')
    const filter = { status, after: Number(cursor), limit }
    const { tenantId } = c.var
    return ok(c, await readImportPage(tenantDatabase(c.env, tenantId), tenantId, id, filter))
  })
  .openapi(pauseRoute, async (c) => {
    const pause = c.req.valid('json')
    await pauseImport(c.env, c.var.tenantId, pause)
    return ok(c, pause)
  })
