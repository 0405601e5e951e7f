import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import { importLines, imports } from '../../db/schema.ts'
import { ApiError } from '../../http/errors.ts'
import { retryFault, sleep } from '../../queue/retry-fault.ts'
import type { Settings } from '../../settings.ts'
import { newImportStatement, tooManyImports } from './new-import.ts'
import { readLines, type NewLine } from './read-lines.ts'

/** Keep each statement below 50 ms, since the database runs one at a time, and its JSON far below 2 MB. */
const maxLinesInChunk = 500
const maxCharactersInChunk = 250_000

const faultPausesMs = [100, 500, 2000]

export interface CsvImport {
  readonly name: string
  readonly text: string
  /** Scheme and host that the client called. */
  readonly origin: string
}

/**
 * Stores the lines of a CSV file as an import, bad ones with their problem, and returns its id. Nothing is uploaded
 * yet. Throws 400 if the file as a whole cannot be used, and 429 if too many imports of the tenant have not ended.
 */
export async function storeCsv(
  { db, settings }: { readonly db: Database; readonly settings: Settings },
  tenantId: string,
  { name, text, origin }: CsvImport,
  nowMs: number,
): Promise<string> {
  const { lines, problem } = readLines(text, { settings, ownOrigin: origin })
  if (problem !== undefined)
    throw new ApiError(400, 'The file cannot be used', [`line ${problem.line}: ${problem.problem}`])
  if (lines.length === 0)
    throw new ApiError(400, 'The file cannot be used', ['There is no line below the names of the columns.'])
  const id = newId()
  const created = await db.all(newImportStatement({ tenantId, id, name, origin, storedAt: null }, nowMs))
  if (created.length === 0) throw tooManyImports()
  for (const chunk of chunksOf(lines))
    await retryFault(async () => await storeChunk(db, tenantId, id, chunk), faultPausesMs, sleep)
  const refused = lines.filter(({ problem }) => problem !== '').length
  const waiting = lines.length - refused
  await db
    .update(imports)
    .set({ waiting, refused, storedAt: nowMs, endedAt: waiting === 0 ? nowMs : null })
    .where(and(eq(imports.tenantId, tenantId), eq(imports.id, id)))
  return id
}

/** Safe to repeat, should the answer have been lost. */
async function storeChunk(db: Database, tenantId: string, importId: string, chunk: string): Promise<void> {
  await db.run(sql`
    INSERT OR IGNORE INTO ${importLines} (tenant_id, import_id, line, uuid, image_url, attribute, picture_id, problem, status)
    SELECT ${tenantId}, ${importId}, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
      iif(value ->> 5 = '', 'waiting', 'refused')
    FROM json_each(${chunk})`)
}

/** JSON of some lines each, because a statement has at most 100 parameters. */
function* chunksOf(lines: readonly NewLine[]): Generator<string> {
  let chunk: string[] = []
  let length = 0
  for (const { line, uuid, imageUrl, attribute, problem } of lines) {
    const text = JSON.stringify([line, uuid, imageUrl, attribute, newId(), problem])
    if (chunk.length === maxLinesInChunk || length + text.length > maxCharactersInChunk) {
      yield `[${chunk.join(',')}]`
      chunk = []
      length = 0
    }
    chunk.push(text)
    length += text.length
  }
  yield `[${chunk.join(',')}]`
}
