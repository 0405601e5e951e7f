import { and, asc, desc, eq, getTableColumns, gt, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
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
import { listedQuery, toListed } from '../garments/list/list-garments.ts'
import { selectSame } from '../garments/duplicates.ts'
import { nameOf, parseGiven } from '../garments/pictures/garment-picture.ts'
import { streamFile } from '../platform/http/stream-file.ts'
import { kindsColumn, reportColumns } from './import-columns.ts'

export type ImportRow = typeof imports.$inferSelect

export const countLines = (row: ImportRow) => importLineStatuses.reduce((sum, status) => sum + row[status], 0)

/** Excludes binned imports, and deleted imports whose lines are still being removed. */
const isKept = and(or(isNotNull(imports.storedAt), isNull(imports.endedAt)), isNull(imports.removeAt))

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

export const binnedImportsQuery = (db: Database, tenantId: string, limit: number, nowMs: number) =>
  db
    .select()
    .from(imports)
    .where(and(eq(imports.tenantId, tenantId), gt(imports.removeAt, nowMs), isNotNull(imports.storedAt)))
    .orderBy(desc(imports.removeAt), desc(imports.id))
    .limit(limit)

const attributeRecord = z.record(z.string(), z.string())

/** Parses an import line's attributes. Those of a refused line may break the limits of an upload. */
export const storedAttribute = (attribute: string) => attributeRecord.parse(JSON.parse(attribute))

export type ImportLineRow = typeof importLines.$inferSelect

export interface LineFilter {
  readonly status?: ImportLineRow['status'] | undefined
  readonly after: number
  readonly limit: number
  readonly withSame?: boolean
}

/** `likelihood` makes SQLite use the index on status instead of scanning lines of every status. */
export const hasStatus = (status: ImportLineRow['status']) => sql`likelihood(${eq(importLines.status, status)}, 0.01)`

/** The failure of the garment's last try while the garment waits for a retry, otherwise null. */
const failedTry = sql<string | null>`iif(status = 'tagging', (
  SELECT tried.failure FROM ${garments} AS tried
  WHERE tried.tenant_id = import_lines.tenant_id AND tried.uuid = import_lines.uuid
    AND tried.revision = import_lines.revision AND tried.status = 'queuing'), NULL)`

/** The garment with the same picture as a complete line's garment, as `parseSame` reads it. */
const sameGarment = sql<string | null>`iif(status = 'complete', (
  SELECT ${selectSame} FROM ${garments}
  WHERE garments.tenant_id = import_lines.tenant_id AND garments.uuid = import_lines.uuid), NULL)`

/** Returns an import with a page of its lines, in one round trip. Throws 404 if the tenant has no such import. */
export async function getImport(db: Database, tenantId: string, id: string, filter: LineFilter) {
  return toImport(await runBatch(db, importQueries(db, tenantId, id, filter)), filter)
}

/** Returns an import like `getImport`, with the garments of the page's lines. */
export async function getImportWithGarments(db: Database, tenantId: string, id: string, filter: LineFilter) {
  const uuids = db
    .select({ uuid: importLines.uuid })
    .from(importLines)
    .where(isOfPage(tenantId, id, filter))
    .orderBy(asc(importLines.line))
    .limit(filter.limit)
  const { listed, ...read } = await runBatch(db, {
    ...importQueries(db, tenantId, id, filter),
    listed: listedQuery(db, tenantId, inArray(garments.uuid, uuids)),
  })
  return { ...toImport(read, filter), garments: listed.map(toListed) }
}

const isOfPage = (tenantId: string, id: string, { status, after }: LineFilter) =>
  and(
    eq(importLines.tenantId, tenantId),
    eq(importLines.importId, id),
    status && hasStatus(status),
    gt(importLines.line, after),
  )

const importQueries = (db: Database, tenantId: string, id: string, filter: LineFilter) => ({
  found: db
    .select()
    .from(imports)
    .where(and(eq(imports.tenantId, tenantId), eq(imports.id, id), isKept)),
  rows: db
    .select({
      ...getTableColumns(importLines),
      failedTry,
      same: filter.withSame === true ? sameGarment : sql<string | null>`NULL`,
    })
    .from(importLines)
    .where(isOfPage(tenantId, id, filter))
    .orderBy(asc(importLines.line))
    .limit(filter.limit + 1),
})

interface ReadImport {
  readonly found: readonly ImportRow[]
  readonly rows: readonly (ImportLineRow & { readonly failedTry: string | null; readonly same: string | null })[]
}

function toImport({ found: [found], rows }: ReadImport, { limit }: LineFilter) {
  if (found === undefined) throw new ApiError('import_not_found')
  const lines = rows.slice(0, limit).map((line) => ({ ...line, problem: problemText(line.problem) }))
  return { import: found, lines, nextAfter: rows.length > limit ? (lines.at(-1)?.line ?? null) : null }
}

const maxLinesInStep = 50

/** CPU cost of reading an import line, in characters, added to its length. */
export const workOfLine = 500

/** Yields an import with its lines in steps that fit in memory, and at least one step. Throws 404. */
export const walkImport = (db: Database, tenantId: string, id: string, { status, after, limit }: LineFilter) =>
  readInSteps(
    { limit, cursor: after, maxRows: maxLinesInStep },
    async (next, rows) => {
      const step = await getImport(db, tenantId, id, { status, after: next, limit: rows })
      return { ...step, rows: step.lines, nextCursor: step.nextAfter }
    },
    ({ pictures, attribute }) => (pictures?.length ?? 0) + attribute.length,
  )

/**
 * Streams an import's lines as a CSV file: the columns of the sent file, then line number, status and problem. After
 * corrections, the file can be imported again. Throws as `streamFile` does.
 */
export async function streamReport(db: Database, tenantId: string, id: string): Promise<ReadableStream<Uint8Array>> {
  const walkLines = () => walkImport(db, tenantId, id, { after: 0, limit: Infinity })
  async function* chunks() {
    const yieldAfter = createYieldAfter()
    const names = new Set<string>()
    for await (const { lines } of walkLines())
      for (const line of lines) {
        for (const [name, value] of valuesOf(line))
          if (names.size < maxColumns && (name !== kindsColumn || /[^,]/.test(value))) names.add(name)
        await yieldAfter(workOfLine + line.attribute.length)
      }
    yield writeRow(['uuid', 'image_url', ...names, ...reportColumns])
    for await (const { lines } of walkLines()) {
      let text = ''
      for (const line of lines) {
        const row = writeRow(cellsOf(line, names))
        text += row
        await yieldAfter(workOfLine + row.length)
      }
      yield text
    }
  }
  return await streamFile(tenantId, chunks())
}

function valuesOf({ attribute, pictures }: ImportLineRow): ReadonlyMap<string, string> {
  const kinds = parseGiven(pictures ?? '[]').map(({ kind }) => kind)
  return new Map([[kindsColumn, kinds.join(',')], ...Object.entries(storedAttribute(attribute))])
}

function cellsOf(row: ImportLineRow, names: ReadonlySet<string>): string[] {
  const { line, uuid, status, problem } = row
  const values = valuesOf(row)
  const pictures = parseGiven(row.pictures ?? '[]').map(nameOf)
  return [uuid, pictures.join('\n'), ...[...names].map((name) => values.get(name) ?? ''), String(line), status, problem]
}
