import { and, eq, sql } from 'drizzle-orm'
import { garments, importLines, imports, tenantState } from '../platform/db/schema.ts'
import { addToDailyCount, dailyCount } from '../events/end-deliveries.ts'
import { maxOpenImports, tooManyImports, tooManyLinesToday, unusableFile } from './import-errors.ts'
import { createYieldAfter } from '../platform/limits/yield-to-event-loop.ts'
import type { Corrector } from '../garments/corrections/correction.ts'
import { CsvFileError } from '../platform/csv/read-csv.ts'
import { type Database, hasChanged, newId, runBatch } from '../platform/db/database.ts'
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
import { type LineSource, openJsonLines, openRows, readLines, type Row } from './read-import-lines.ts'

const maxNamesInEntry = 12

const maxSummaryLength = 300

/** Describes the import in the audit log: the changed attributes and the file's name. */
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

/**
 * Returns the statements that create and count an import unless it exists. One statement counts the open imports and
 * inserts, so that concurrent calls cannot exceed the limit.
 */
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

/**
 * Throws 429 if the tenant has imported as many lines today (UTC) as it may store. Deleting an import makes room for
 * other lines, but does not reduce this count, so that nobody can fill and empty the table all day.
 */
export async function checkDailyLines(db: Database, tenantId: string, quotas: Quotas): Promise<void> {
  const { limits, today } = await runBatch(db, {
    limits: limitsQuery(tenantId, quotas),
    today: sql<{ count: number }>`SELECT ${dailyCount(tenantId, 'import_line', quotas.nowMs)} AS count`,
  })
  const most = toLimits(limits).import_lines
  if ((today[0]?.count ?? 0) >= most) throw tooManyLinesToday(most, quotas.nowMs)
}

/** Returns the statement that counts the lines inserted by the statement before it. */
export const countTodaysLines = (db: Database, tenantId: string, nowMs: number) =>
  addToDailyCount(db, tenantId, 'import_line', sql`changes()`, nowMs)

/** These limits keep each statement below 50 ms, since the database runs one at a time, and its JSON far below 2 MB. */
const maxLinesInChunk = 500
const maxCharactersInChunk = 250_000

/** CPU cost of checking a row, in characters, added to its length. */
const workOfRow = 500

const faultPausesMs = [100, 500, 2000]

export type LineFormat = 'csv' | 'json lines'

export interface LinesFile {
  readonly name: string
  readonly format?: LineFormat
  readonly text: string
  readonly by: Corrector
  /** For CSV, maps a header to the attribute that the user chose for it. */
  readonly chosen?: Readonly<Record<string, string>>
  /** For bulk edits from the garment list: names of attributes that every line removes. */
  readonly removed?: readonly string[]
  /** True to overwrite changes that are newer than the file. */
  readonly overwrites?: boolean
  readonly origin: string
}

/**
 * Stores a file as an import: valid lines as waiting, invalid lines as refused with their problems. The importer
 * uploads the lines later. Returns the numbers of accepted and refused lines, and the ignored columns. Throws 400 if
 * the whole file is unusable, and 429 if the tenant has too many unfinished imports or too many lines of today.
 */
export async function storeLines(
  { db, settings }: { readonly db: Database; readonly settings: Settings },
  tenantId: string,
  file: LinesFile,
  nowMs: number,
) {
  const { name, text, format = 'csv', by, chosen, removed, overwrites = false, origin } = file
  // Reads the file twice: an unusable file must not be stored in part, and the rows of a file do not fit in memory.
  const open = () => (format === 'csv' ? openRows(text, chosen) : openJsonLines(text))
  const read = await checkFile(open)
  const quotas = quotasOf(settings, nowMs)
  await checkDailyLines(db, tenantId, quotas)
  const id = newId()
  const { created } = await runBatch(db, newImportStatements({ tenantId, id, name, origin, storedAt: null }, nowMs))
  if (created.length === 0) throw tooManyImports()
  let [waiting, refused] = [0, 0]
  const source = { policy: { settings, ownOrigin: origin }, read, removed }
  const lookups: Lookups = {
    find: async (uuids) => await findGarments(db, tenantId, uuids),
    match: async (rows) => await matchGarments(db, tenantId, rows),
  }
  for await (const chunk of chunksOf(open(), source, lookups)) {
    // If a quota is reached, the sweep removes the lines stored so far, as for any interrupted import.
    await withinQuotas({ db, tenantId }, quotas, async () =>
      retryFault(async () => await storeChunk(db, { tenantId, id }, chunk, quotas), faultPausesMs, sleep),
    )
    waiting += chunk.waiting
    refused += chunk.refused
  }
  const stored = { waiting, refused, storedAt: nowMs, endedAt: waiting === 0 ? nowMs : null, overwrites }
  await db
    .update(imports)
    .set({ ...stored, madeBy: JSON.stringify(by), summary: summaryOf(read, file) })
    .where(and(eq(imports.tenantId, tenantId), eq(imports.id, id)))
  const ignored =
    read?.columns.filter((column) => column.target === null && !isOfReport(column.name)).map((column) => column.name) ??
    []
  return { id, accepted: waiting, refused, ignored }
}

async function findGarments(db: Database, tenantId: string, uuids: readonly string[]) {
  const rows = await db
    .select({
      uuid: garments.uuid,
      pictures: selectPictures('garments'),
      status: garments.status,
      exports: garments.exports,
    })
    .from(garments)
    .where(
      and(
        eq(garments.tenantId, tenantId),
        sql`${garments.uuid} IN (SELECT value FROM json_each(${JSON.stringify(uuids)}))`,
      ),
    )
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

/** Reads the whole file once and returns its columns. Throws 400 if the file is unusable. */
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

/** Safe to repeat after a lost response, because a stored chunk is not stored again. */
async function storeChunk(
  db: Database,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
  { json, firstLine, waiting, refused }: Chunk,
  quotas: Quotas,
): Promise<void> {
  // Checks that the import exists, because the tenant may have been deleted meanwhile.
  const isNew = sql`EXISTS (SELECT 1 FROM ${imports} WHERE tenant_id = ${tenantId} AND id = ${id}) AND NOT EXISTS (
    SELECT 1 FROM ${importLines} WHERE tenant_id = ${tenantId} AND import_id = ${id} AND line = ${firstLine})`
  const rowBytes = sql`(SELECT sum(value ->> 'rowBytes') FROM json_each(${json}))`
  await runBatch(db, {
    counted: addStored(tenantId, { import_lines: waiting + refused, row_bytes: rowBytes }, quotas, isNew),
    lines: sql`
      INSERT OR IGNORE INTO ${importLines} 
        (tenant_id, import_id, line, uuid, pictures, attribute, row_bytes, revision, problem, status)
      SELECT ${tenantId}, ${id}, value ->> 'line', value ->> 'uuid', value ->> 'pictures', value ->> 'attribute',
        value ->> 'rowBytes', value ->> 'revision', value ->> 'problem',
        iif(value ->> 'problem' = '', 'waiting', 'refused')
      FROM json_each(${json}) WHERE changes() > 0`,
    countedToday: countTodaysLines(db, tenantId, quotas.nowMs),
  })
}

interface Chunk {
  /** All lines as one parameter, because a statement takes at most 100. */
  readonly json: string
  readonly firstLine: number
  readonly waiting: number
  readonly refused: number
}

interface Lookups {
  /** Finds stored garments by uuid, which decide whether a row is an edit or an upload. */
  readonly find: (uuids: readonly string[]) => Promise<NonNullable<LineSource['found']>>
  /** Gives rows of a shop's file the uuids of the garments that they mean. */
  readonly match: (rows: readonly Row[]) => Promise<Row[]>
}

async function* chunksOf(
  file: OpenFile,
  source: Omit<LineSource, 'found' | 'lineOfUuid'>,
  { find, match }: Lookups,
): AsyncGenerator<Chunk> {
  const yieldAfter = createYieldAfter()
  const lineOfUuid = new Map<string, number>()
  let texts: string[] = []
  let [length, firstLine, waiting, refused] = [0, 0, 0, 0]
  const chunk = (): Chunk => ({ json: `[${texts.join(',')}]`, firstLine, waiting, refused })
  for await (const rows of batchesOf(file, yieldAfter)) {
    const matched = source.read?.hasUuid === false ? await match(rows) : rows
    const found = await find(matched.map(({ uuid = '' }) => uuid))
    for (const newLine of readLines(matched, { ...source, found, lineOfUuid })) {
      const { line, uuid, pictures, attribute, problem } = newLine
      const text = JSON.stringify({
        ...newLine,
        pictures: pictures && formatGiven(pictures),
        rowBytes: uploadedBytes({ uuid, pictures: pictures ?? [], attribute }, 'import_lines'),
        revision: newRevision(),
      })
      if (texts.length === maxLinesInChunk || length + text.length > maxCharactersInChunk) {
        yield chunk()
        texts = []
        ;[length, waiting, refused] = [0, 0, 0]
      }
      if (texts.length === 0) firstLine = line
      texts.push(text)
      length += text.length
      if (problem === '') waiting++
      else refused++
      await yieldAfter(text.length)
    }
  }
  yield chunk()
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
