import { and, eq, sql } from 'drizzle-orm'
import { garments, importLines, imports, tenantState } from '../platform/db/schema.ts'
import { maxOpenImports, tooManyImports, unusableFile } from './import-errors.ts'
import { createYieldAfter } from '../platform/limits/yield-to-event-loop.ts'
import type { Corrector } from '../garments/corrections/correction.ts'
import { CsvFileError } from '../platform/csv/read-csv.ts'
import { type Database, newId, runBatch } from '../platform/db/database.ts'
import { newPictureId } from '../garments/pictures/annotated-picture.ts'
import { sleep } from '../time.ts'
import { retryFault } from '../platform/queue/settle.ts'
import { addStored, type Quotas, quotasOf, textBytesOf, withinQuotas } from '../accounts/quotas.ts'
import type { Settings } from '../settings.ts'
import { type Columns, exportedAt, isImage, isOfReport, kindsColumn } from './import-columns.ts'
import { type LineSource, openJsonLines, openRows, readLines, type Row } from './read-import-lines.ts'

const maxNamesInEntry = 12

/** One entry of the log for all garments: what is changed, and from where. */
function summaryOf(read: Columns | undefined, { name, removed }: LinesFile): string {
  if (read === undefined || removed !== undefined) return name
  const targets = read.columns.flatMap(({ target }) =>
    target === null || isImage(target) || ['uuid', kindsColumn, exportedAt].includes(target)
      ? []
      : [target.replace(/^(tag|measurements)\./, '')],
  )
  const more = targets.length - maxNamesInEntry
  const named = [...targets.slice(0, maxNamesInEntry), ...(more > 0 ? [`and ${more} more`] : [])]
  return `${named.join(', ')} (${name})`
}

type NewImport = Pick<typeof imports.$inferSelect, 'tenantId' | 'id' | 'name' | 'origin' | 'storedAt'>

/** Creates an import unless it exists. A single statement, so that two at once cannot exceed the limit. */
export const newImportStatement = ({ tenantId, id, name, origin, storedAt }: NewImport, nowMs: number) => sql`
  INSERT INTO ${imports} (tenant_id, id, name, origin, created_at, stored_at)
  SELECT ${tenantId}, ${id}, ${name}, ${origin}, ${nowMs}, ${storedAt}
  WHERE EXISTS (SELECT 1 FROM ${tenantState} WHERE tenant_id = ${tenantId})
    AND (SELECT count(*) FROM ${imports} WHERE tenant_id = ${tenantId} AND ended_at IS NULL) < ${maxOpenImports}
  ON CONFLICT DO NOTHING
  RETURNING id`

/** Keep each statement below 50 ms, since the database runs one at a time, and its JSON far below 2 MB. */
const maxLinesInChunk = 500
const maxCharactersInChunk = 250_000

/** The cost of checking a row, beyond its characters. */
const workOfRow = 500

const faultPausesMs = [100, 500, 2000]

export type LineFormat = 'csv' | 'json lines'

export interface LinesFile {
  readonly name: string
  /** CSV if absent. */
  readonly format?: LineFormat
  readonly text: string
  /** Who changes the garments that are there already. */
  readonly by: Corrector
  /** What a person has chosen for columns of CSV, by their names. */
  readonly chosen?: Readonly<Record<string, string>>
  /** For changes from a list instead of a file: the names of the values that every line removes. */
  readonly removed?: readonly string[]
  /** Whether rows go before changes that were made later than they were written. */
  readonly overwrites?: boolean
  /** Scheme and host that the client called. */
  readonly origin: string
}

/**
 * Stores the lines of a file as an import, bad ones with their problem, and counts them. Nothing is uploaded
 * yet. Returns how many lines were accepted and refused, and the columns of which nothing was read. Throws 400 if the
 * file as a whole cannot be used, and 429 if too many imports of the tenant have not ended.
 */
export async function storeLines(
  { db, settings }: { readonly db: Database; readonly settings: Settings },
  tenantId: string,
  file: LinesFile,
  nowMs: number,
) {
  const { name, text, format = 'csv', by, chosen, removed, overwrites = false, origin } = file
  // Reads the file twice, because nothing may be stored of an unusable file, and its rows do not fit in memory.
  const open = () => (format === 'csv' ? openRows(text, chosen) : openJsonLines(text))
  const read = await checkFile(open)
  const id = newId()
  const created = await db.all(newImportStatement({ tenantId, id, name, origin, storedAt: null }, nowMs))
  if (created.length === 0) throw tooManyImports()
  const quotas = quotasOf(settings, nowMs)
  let [waiting, refused] = [0, 0]
  const source = { policy: { settings, ownOrigin: origin }, read, removed }
  const find = async (uuids: readonly string[]) => await findGarments(db, tenantId, uuids)
  for await (const chunk of chunksOf(open(), source, find)) {
    // What was stored before a quota was reached is removed like any import that was broken off.
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

/** The garments among these that are stored. */
async function findGarments(db: Database, tenantId: string, uuids: readonly string[]) {
  const rows = await db
    .select({ uuid: garments.uuid, imageUrl: garments.imageUrl, images: garments.images, status: garments.status })
    .from(garments)
    .where(
      and(
        eq(garments.tenantId, tenantId),
        sql`${garments.uuid} IN (SELECT value FROM json_each(${JSON.stringify(uuids)}))`,
      ),
    )
  return new Map(rows.map(({ uuid, status, ...images }) => [uuid, { ...images, isComplete: status === 'complete' }]))
}

interface OpenFile {
  /** Only in CSV. */
  readonly read?: Columns
  readonly rows: Iterable<Row>
  readonly work: { readonly characters: number }
}

/** Throws 400 if the file as a whole cannot be used. Returns its columns. */
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
    if (count === 0) throw unusableFile('There is no line with a garment.')
    return read
  } catch (error) {
    throw error instanceof CsvFileError ? unusableFile(`line ${error.line}: ${error.message}`) : error
  }
}

/** Safe to repeat if the answer was lost. */
async function storeChunk(
  db: Database,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
  { json, firstLine, waiting, refused }: Chunk,
  quotas: Quotas,
): Promise<void> {
  // The tenant may have been deleted since, and its imports with it.
  const isNew = sql`EXISTS (SELECT 1 FROM ${imports} WHERE tenant_id = ${tenantId} AND id = ${id}) AND NOT EXISTS (
    SELECT 1 FROM ${importLines} WHERE tenant_id = ${tenantId} AND import_id = ${id} AND line = ${firstLine})`
  const bytesOfLine = textBytesOf(sql`value ->> 1`, sql`value ->> 2`, sql`value ->> 3`, sql`value ->> 6`)
  const textBytes = sql`(SELECT sum(${bytesOfLine}) FROM json_each(${json}))`
  await runBatch(db, {
    counted: addStored(tenantId, { import_lines: waiting + refused, text_bytes: textBytes }, quotas, isNew),
    lines: sql`
      INSERT OR IGNORE INTO ${importLines} (tenant_id, import_id, line, uuid, image_url, attribute, picture_id, problem, images, status)
      SELECT ${tenantId}, ${id}, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6,
        iif(value ->> 5 = '', 'waiting', 'refused')
      FROM json_each(${json}) WHERE changes() > 0`,
  })
}

interface Chunk {
  /** Many lines as one parameter, because a statement has at most 100. */
  readonly json: string
  readonly firstLine: number
  readonly waiting: number
  readonly refused: number
}

/** @param find the stored garments among some, on which it depends whether a row adds one */
async function* chunksOf(
  file: OpenFile,
  source: Omit<LineSource, 'found' | 'lineOfUuid'>,
  find: (uuids: readonly string[]) => Promise<NonNullable<LineSource['found']>>,
): AsyncGenerator<Chunk> {
  const yieldAfter = createYieldAfter()
  const lineOfUuid = new Map<string, number>()
  let texts: string[] = []
  let [length, firstLine, waiting, refused] = [0, 0, 0, 0]
  const chunk = (): Chunk => ({ json: `[${texts.join(',')}]`, firstLine, waiting, refused })
  for await (const rows of batchesOf(file, yieldAfter)) {
    const found = await find(rows.map(({ uuid = '' }) => uuid))
    for (const { line, uuid, imageUrl, images, attribute, problem } of readLines(rows, {
      ...source,
      found,
      lineOfUuid,
    })) {
      const text = JSON.stringify([line, uuid, imageUrl, attribute, newPictureId(), problem, images])
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

/** Rows whose garments are looked up together. */
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
