import { and, eq, not, sql } from 'drizzle-orm'
import { garments, importLines, imports, tenantState } from '../platform/db/schema.ts'
import { addToDailyCount, dailyCount } from '../platform/db/daily-counts.ts'
import { maxOpenImports, tooManyImports, tooManyLinesToday, unusableFile } from './import-errors.ts'
import { createYieldAfter } from '../platform/limits/yield-to-event-loop.ts'
import type { Corrector } from '../garments/corrections/correction.ts'
import { CsvFileError } from '../platform/csv/read-csv.ts'
import { type Database, hasChanged, hasRow, inValues, newId, runBatch } from '../platform/db/database.ts'
import { parseExportRecords } from '../garments/export-record.ts'
import { formatGiven, parsePictures, selectPictures } from '../garments/pictures/garment-picture.ts'
import { newRevision, uploadedBytes } from '../garments/upload-garment.ts'
import { sleep } from '../time.ts'
import { retryFault } from '../platform/queue/settle.ts'
import { addRequired, fixedRowBytes } from '../platform/db/count-rows.ts'
import { boundText } from '../platform/limits/bound-text.ts'
import { addStored, limitsQuery, type Quotas, quotasOf, toLimits, withinQuotas } from '../accounts/quotas.ts'
import type { Settings } from '../settings.ts'
import { type Columns, exportedAt, isImage, isOfReport, kindsColumn } from './import-columns.ts'
import { matchGarments } from './match-garments.ts'
import {
  type LineSource,
  openJsonLines,
  openRows,
  type NewImportLine,
  readLines,
  type Row,
} from './read-import-lines.ts'

const maxNamesInEntry = 12

const maxSummaryLength = 300

function summaryOf(read: Columns | undefined, { name, removed }: LinesFile): string {
  if (read === undefined || removed !== undefined) return name
  const targets = read.columns.flatMap(({ target }) =>
    target === null || isImage(target) || ['uuid', kindsColumn, exportedAt].includes(target)
      ? []
      : [target.replace(/^(tag|measurements)\./, '')],
  )
  const more = targets.length - maxNamesInEntry
  const named = [...targets.slice(0, maxNamesInEntry), ...(more > 0 ? [`and ${more} more`] : [])]
  return boundText(`${named.join(', ')} (${name})`, maxSummaryLength)
}

type NewImport = Pick<typeof imports.$inferSelect, 'tenantId' | 'id' | 'name' | 'origin' | 'storedAt'>

/** Counts the open imports and inserts in one statement, so that concurrent calls cannot exceed the limit. */
export const newImportStatements = ({ tenantId, id, name, origin, storedAt }: NewImport, nowMs: number) => ({
  created: sql<{ id: string }>`
  INSERT INTO ${imports} (tenant_id, id, name, origin, created_at, stored_at)
  SELECT ${tenantId}, ${id}, ${name}, ${origin}, ${nowMs}, ${storedAt}
  WHERE EXISTS (SELECT 1 FROM ${tenantState} WHERE tenant_id = ${tenantId})
    AND (SELECT count(*) FROM ${imports} WHERE tenant_id = ${tenantId} AND ended_at IS NULL) < ${maxOpenImports}
  ON CONFLICT DO NOTHING
  RETURNING id`,
  countedImport: addRequired(tenantId, fixedRowBytes.imports, hasChanged),
})

/** Creates an import without lines, and returns its id. Throws 429 as `checkDailyLines`, and if too many are open. */
export async function createImport(
  db: Database,
  { tenantId, name, origin }: Pick<NewImport, 'tenantId' | 'name' | 'origin'>,
  quotas: Quotas,
): Promise<string> {
  await checkDailyLines(db, tenantId, quotas)
  const created = { tenantId, id: newId(), name, origin, storedAt: null }
  const { created: rows } = await runBatch(db, newImportStatements(created, quotas.nowMs))
  if (rows.length === 0) throw tooManyImports()
  return created.id
}

/**
 * Throws 429 if the tenant has imported as many lines today (UTC) as it may store. Deleting an import makes room for
 * other lines, but does not reduce this count, so that nobody can fill and empty the table all day.
 */
async function checkDailyLines(db: Database, tenantId: string, quotas: Quotas): Promise<void> {
  const { limits, today } = await runBatch(db, {
    limits: limitsQuery(tenantId, quotas),
    today: sql<{ count: number }>`SELECT ${dailyCount(tenantId, 'import_line', quotas.nowMs)} AS count`,
  })
  const most = toLimits(limits).import_lines
  if ((today[0]?.count ?? 0) >= most) throw tooManyLinesToday(most, quotas.nowMs)
}

const countTodaysLines = (db: Database, tenantId: string, nowMs: number) =>
  addToDailyCount(db, tenantId, 'import_line', sql`changes()`, nowMs)

/** These limits keep each statement below 50 ms, since the database runs one at a time, and its JSON far below 2 MB. */
const maxLinesInChunk = 500
const maxBytesInChunk = 500_000

const workOfRow = 500

const faultPausesMs = [100, 500, 2000]

export type LineFormat = 'csv' | 'json lines'

export interface LinesFile {
  readonly name: string
  readonly format?: LineFormat
  readonly text: string
  readonly by: Corrector
  readonly chosen?: Readonly<Record<string, string>>
  /** For bulk edits from the garment list: names of attributes that every line removes. */
  readonly removed?: readonly string[]
  readonly overwrites?: boolean
  /** True to ask about rows that match no garment for certain. */
  readonly asks?: boolean
  readonly origin: string
}

/**
 * Stores a file as an import: valid lines as waiting, invalid lines as refused, and lines to ask about as unmatched.
 * Throws 400 if the whole file is unusable, and 429 if the tenant has too many unfinished imports or lines of today.
 */
export async function storeLines(
  { db, settings }: { readonly db: Database; readonly settings: Settings },
  tenantId: string,
  file: LinesFile,
  nowMs: number,
) {
  const { name, text, format = 'csv', by, chosen, removed, overwrites = false, asks = false, origin } = file
  // Reads the file twice: an unusable file must not be stored in part, and the rows of a file do not fit in memory.
  const open = () => (format === 'csv' ? openRows(text, chosen) : openJsonLines(text))
  const read = await checkFile(open)
  const quotas = quotasOf(settings, nowMs)
  const id = await createImport(db, { tenantId, name, origin }, quotas)
  const counts = { waiting: 0, refused: 0, unmatched: 0 }
  const source = { policy: { settings, ownOrigin: origin }, read, removed }
  const lookups: Lookups = {
    find: async (uuids) => await findGarments(db, tenantId, uuids),
    match: async (rows) =>
      read === undefined ? rows : await matchGarments(db, tenantId, rows, { hasUuid: read.hasUuid, asks }),
  }
  for await (const chunk of chunksOf(open(), source, lookups)) {
    // If a quota is reached, the sweep removes the lines stored so far, as for any interrupted import.
    await withinQuotas({ db, tenantId }, quotas, async () =>
      retryFault(async () => await storeChunk(db, { tenantId, id }, chunk, quotas), faultPausesMs, sleep),
    )
    for (const { status } of chunk) counts[status]++
  }
  const { waiting, refused } = counts
  const stored = { ...counts, storedAt: nowMs, endedAt: waiting === 0 ? nowMs : null, overwrites }
  await db
    .update(imports)
    .set({ ...stored, madeBy: JSON.stringify(by), summary: summaryOf(read, file) })
    .where(and(eq(imports.tenantId, tenantId), eq(imports.id, id)))
  const ignored =
    read?.columns.filter((column) => column.target === null && !isOfReport(column.name)).map((column) => column.name) ??
    []
  return { id, accepted: waiting, refused, ignored }
}

export async function findGarments(db: Database, tenantId: string, uuids: readonly string[]) {
  const rows = await db
    .select({
      uuid: garments.uuid,
      pictures: selectPictures('garments'),
      status: garments.status,
      exports: garments.exports,
    })
    .from(garments)
    .where(and(eq(garments.tenantId, tenantId), inValues(garments.uuid, uuids)))
  return new Map(
    rows.map((row) => [
      row.uuid,
      { pictures: parsePictures(row), exports: parseExportRecords(row.exports), isComplete: row.status === 'complete' },
    ]),
  )
}

interface OpenFile {
  readonly read?: Columns
  readonly rows: Iterable<Row>
  readonly work: { readonly characters: number }
}

async function checkFile(open: () => OpenFile): Promise<Columns | undefined> {
  try {
    const { read, rows, work } = open()
    const yieldAfter = createYieldAfter()
    let [count, characters] = [0, 0]
    for (const _ of rows) {
      count++
      await yieldAfter(workOfRow + work.characters - characters)
      characters = work.characters
    }
    if (count === 0) throw unusableFile('The file has no line with a garment.')
    return read
  } catch (error) {
    throw error instanceof CsvFileError ? unusableFile(`line ${error.line}: ${error.message}`) : error
  }
}

export type StoredLine = ReturnType<typeof toStoredLine>

export const toStoredLine = (line: NewImportLine) => ({
  ...line,
  pictures: line.pictures && formatGiven(line.pictures),
  rowBytes: uploadedBytes({ ...line, pictures: line.pictures ?? [] }, 'import_lines'),
  revision: newRevision(),
})

/** Stores lines of an import, unless the first of them is stored already. */
export async function storeChunk(
  db: Database,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
  lines: readonly StoredLine[],
  quotas: Quotas,
): Promise<void> {
  const ofImport = and(eq(importLines.tenantId, tenantId), eq(importLines.importId, id))
  const isNew = and(
    hasRow(imports, and(eq(imports.tenantId, tenantId), eq(imports.id, id))),
    not(hasRow(importLines, and(ofImport, eq(importLines.line, lines[0]?.line ?? 0)))),
  )
  const amounts = { import_lines: lines.length, row_bytes: lines.reduce((sum, { rowBytes }) => sum + rowBytes, 0) }
  // One parameter, because a statement takes at most 100.
  const json = JSON.stringify(lines)
  await runBatch(db, {
    counted: addStored(tenantId, amounts, quotas, isNew),
    lines: sql`
      INSERT OR IGNORE INTO ${importLines}
        (tenant_id, import_id, line, uuid, pictures, attribute, number, row_bytes, revision, problem, status)
      SELECT ${tenantId}, ${id}, value ->> 'line', value ->> 'uuid', value ->> 'pictures', value ->> 'attribute',
        value ->> 'number', value ->> 'rowBytes', value ->> 'revision', value ->> 'problem', value ->> 'status'
      FROM json_each(${json}) WHERE ${hasChanged}`,
    countedToday: countTodaysLines(db, tenantId, quotas.nowMs),
  })
}

interface Lookups {
  readonly find: (uuids: readonly string[]) => Promise<NonNullable<LineSource['found']>>
  readonly match: (rows: readonly Row[]) => Promise<readonly Row[]>
}

async function* chunksOf(
  file: OpenFile,
  source: Omit<LineSource, 'found' | 'lineOfUuid'>,
  { find, match }: Lookups,
): AsyncGenerator<readonly StoredLine[]> {
  const yieldAfter = createYieldAfter()
  const lineOfUuid = new Map<string, number>()
  let chunk: StoredLine[] = []
  let length = 0
  for await (const rows of batchesOf(file, yieldAfter)) {
    const matched = await match(rows)
    const found = await find(matched.map(({ uuid = '' }) => uuid))
    for (const newLine of readLines(matched, { ...source, found, lineOfUuid })) {
      const line = toStoredLine(newLine)
      if (chunk.length === maxLinesInChunk || length + line.rowBytes > maxBytesInChunk) {
        yield chunk
        chunk = []
        length = 0
      }
      chunk.push(line)
      length += line.rowBytes
      await yieldAfter(line.rowBytes)
    }
  }
  yield chunk
}

const maxRowsInBatch = 2000
const maxCharactersInBatch = 1_000_000

async function* batchesOf({ rows, work }: OpenFile, yieldAfter: ReturnType<typeof createYieldAfter>) {
  let batch: Row[] = []
  let [start, characters] = [0, 0]
  for (const row of rows) {
    batch.push(row)
    await yieldAfter(workOfRow + work.characters - characters)
    characters = work.characters
    if (batch.length < maxRowsInBatch && characters - start < maxCharactersInBatch) continue
    yield batch
    ;[batch, start] = [[], characters]
  }
  if (batch.length > 0) yield batch
}
