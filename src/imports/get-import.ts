import { and, asc, desc, eq, getTableColumns, gt, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { ApiError } from '../platform/http/errors.ts'
import { type Database, runBatch } from '../platform/db/database.ts'
import { cutPage, olderThan, type PageRequest, parseCursor } from '../platform/db/page.ts'
import { garments, importLines, importLineStatuses, imports } from '../platform/db/schema.ts'
import { maxColumns } from './import-errors.ts'
import { problemText } from './import-line-problem.ts'
import { readInSteps } from '../platform/limits/step-size.ts'
import { createYieldAfter } from '../platform/limits/yield-to-event-loop.ts'
import { writeRow } from '../platform/csv/write-csv.ts'
import { parseImages } from '../garments/pictures/images.ts'
import { uploadedFileName } from '../garments/pictures/uploaded-file.ts'
import { streamText } from '../platform/http/stream-text.ts'
import { kindsColumn, reportColumns } from './import-columns.ts'

export type ImportRow = typeof imports.$inferSelect

/** All lines of an import that have arrived. */
export const linesOf = (row: ImportRow) => importLineStatuses.reduce((sum, status) => sum + row[status], 0)

/** Not of one in the bin, nor of one that was deleted, whose lines are still being removed. */
const isKept = and(or(isNotNull(imports.storedAt), isNull(imports.endedAt)), isNull(imports.removeAt))

/** A page of a tenant's imports, newest first. */
export async function listImports(db: Database, tenantId: string, { limit, cursor }: PageRequest) {
  const position = parseCursor(cursor)
  const rows = await db
    .select()
    .from(imports)
    .where(and(eq(imports.tenantId, tenantId), isKept, position && olderThan(imports.createdAt, imports.id, position)))
    .orderBy(desc(imports.createdAt), desc(imports.id))
    .limit(limit + 1)
  return cutPage(rows, limit, ({ createdAt, id }) => ({ at: createdAt, id }))
}

/** The latest of a tenant's imports in the bin. */
export const binnedImportsQuery = (db: Database, tenantId: string, limit: number, nowMs: number) =>
  db
    .select()
    .from(imports)
    .where(and(eq(imports.tenantId, tenantId), gt(imports.removeAt, nowMs), isNotNull(imports.storedAt)))
    .orderBy(desc(imports.removeAt), desc(imports.id))
    .limit(limit)

const attributeRecord = z.record(z.string(), z.string())

/** The attributes of a line; those of a refused one need not be valid. */
export const storedAttribute = (attribute: string) => attributeRecord.parse(JSON.parse(attribute))

export type ImportLineRow = typeof importLines.$inferSelect

export interface LineFilter {
  readonly status?: ImportLineRow['status'] | undefined
  /** The lines after this one. */
  readonly after: number
  readonly limit: number
}

/** The failure of the last try, if the line's garment waits for another one; otherwise null. */
const failedTry = sql<string | null>`iif(status = 'tagging', (
  SELECT tried.failure_reason FROM ${garments} AS tried
  WHERE tried.tenant_id = import_lines.tenant_id AND tried.uuid = import_lines.uuid
    AND tried.picture_id = import_lines.picture_id AND tried.status = 'queuing'), NULL)`

/** An import with a page of its lines, in one round trip. Throws 404; another tenant's import is not found either. */
export async function getImport(db: Database, tenantId: string, id: string, { status, after, limit }: LineFilter) {
  const {
    found: [found],
    rows,
  } = await runBatch(db, {
    found: db
      .select()
      .from(imports)
      .where(and(eq(imports.tenantId, tenantId), eq(imports.id, id), isKept)),
    rows: db
      .select({ ...getTableColumns(importLines), failedTry })
      .from(importLines)
      .where(
        and(
          eq(importLines.tenantId, tenantId),
          eq(importLines.importId, id),
          // `likelihood` leads SQLite to the index by status, instead of past all lines that have another.
          status && sql`likelihood(${eq(importLines.status, status)}, 0.01)`,
          gt(importLines.line, after),
        ),
      )
      .orderBy(asc(importLines.line))
      .limit(limit + 1),
  })
  if (found === undefined) throw new ApiError('import_not_found')
  const lines = rows.slice(0, limit).map((line) => ({ ...line, problem: problemText(line.problem) }))
  return { import: found, lines, nextAfter: rows.length > limit ? (lines.at(-1)?.line ?? null) : null }
}

const maxLinesInStep = 50

/** The cost of reading a line, beyond its characters. */
export const workOfLine = 500

/**
 * Yields an import with its lines in at least one step, each of few enough lines to hold them in memory. All 10,000
 * lines of a file take some 240 steps at most, because a file has 8 MiB. Throws 404 as `getImport` does.
 */
export const walkImport = (db: Database, tenantId: string, id: string, { status, after, limit }: LineFilter) =>
  readInSteps(
    { limit, cursor: after, maxRows: maxLinesInStep },
    async (next, rows) => {
      const step = await getImport(db, tenantId, id, { status, after: next, limit: rows })
      return { ...step, rows: step.lines, nextCursor: step.nextAfter }
    },
    ({ imageUrl, images, attribute }) => imageUrl.length + images.length + attribute.length,
  )

/**
 * The lines of an import as a CSV file, as they were sent, each with its number, status and problem. After correction,
 * the file can be imported again. It is written step by step as it is read. Throws as `streamText` does.
 */
export async function streamReport(db: Database, tenantId: string, id: string): Promise<ReadableStream<Uint8Array>> {
  async function* chunks() {
    const names = await findColumns(db, tenantId, id)
    yield writeRow(['uuid', 'image_url', ...names, ...reportColumns])
    const yieldAfter = createYieldAfter()
    for await (const { lines } of walkImport(db, tenantId, id, { after: 0, limit: Infinity })) {
      let text = ''
      for (const line of lines) {
        const row = writeRow(cellsOf(line, names))
        text += row
        await yieldAfter(workOfLine + row.length)
      }
      yield text
    }
  }
  return await streamText(tenantId, chunks())
}

function cellsOf({ line, uuid, attribute, status, problem, ...row }: ImportLineRow, names: readonly string[]) {
  const images = parseImages(row)
  const kinds = images.map(({ kind }) => kind).join(',')
  const values: Record<string, string> = { [kindsColumn]: kinds, ...storedAttribute(attribute) }
  const cells = names.map((name) => values[name] ?? '')
  const urls = images.map(({ url }) => uploadedFileName(url) ?? url)
  return [uuid, urls.join('\n'), ...cells, String(line), status, problem]
}

/** The columns of attributes, and of kinds where a line has some, those first that were filled first. */
async function findColumns(db: Database, tenantId: string, id: string): Promise<string[]> {
  const hasKinds = sql`EXISTS (
    SELECT 1 FROM json_each(iif(${importLines.images} = '', '[]', ${importLines.images})) WHERE value ->> 1 <> '')`
  const named = sql`iif(${hasKinds}, json_set(${importLines.attribute}, ${`$.${kindsColumn}`}, ''), ${importLines.attribute})`
  const rows = await db
    .select({ name: sql<string>`attribute.key` })
    .from(sql`${importLines}, json_each(${named}) AS attribute`)
    .where(and(eq(importLines.tenantId, tenantId), eq(importLines.importId, id)))
    .groupBy(sql`attribute.key`)
    .orderBy(asc(sql`min(${importLines.line})`), asc(sql`attribute.key`))
    .limit(maxColumns)
  return rows.map(({ name }) => name)
}
