import { and, eq, sql } from 'drizzle-orm'
import { runBatch } from '../platform/db/database.ts'
import { importLines, imports } from '../platform/db/schema.ts'
import { newRevision, sortedJson, uploadedBytes } from '../garments/upload-garment.ts'
import { areFilesUsable, removeFile, unmarkUnreferenced } from '../garments/pictures/uploaded-file.ts'
import { formatGiven } from '../garments/pictures/garment-picture.ts'
import { invalidBody } from '../platform/http/errors.ts'
import { fieldSentences } from '../platform/http/validation.ts'
import { type FileDependencies, storeImages } from '../garments/pictures/store-image.ts'
import type { MultipartFile } from '../platform/http/multipart.ts'
import { addStored, type Quotas, quotasOf, withinQuotas } from '../accounts/quotas.ts'
import type { Attribute } from '../vision/tagging.ts'
import { maxLines, tooManyFiles, tooManyImports } from './import-errors.ts'
import { newImportStatements } from './store-import-lines.ts'

export interface NewFile {
  readonly importId: string
  readonly uuid: string
  readonly attribute: Attribute
  readonly number?: number | undefined
  readonly file: MultipartFile
  readonly expectedFiles?: number
  readonly origin: string
}

/**
 * Stores a garment's picture files as the next line of an import, and returns the line's number. Throws as
 * `storeImages` does, 400 for a repeated file, and 429 if the tenant has too many imports or this import too many
 * lines.
 */
export async function storeFile(
  { db, pictures, settings }: FileDependencies,
  tenantId: string,
  { importId, uuid, attribute, number, file, origin, expectedFiles = 0 }: NewFile,
  nowMs: number,
): Promise<number> {
  const stored = await storeImages({ db, pictures, settings }, tenantId, file, nowMs)
  const remove = async () => {
    for (const { id } of stored) await removeFile({ db, pictures }, tenantId, id)
  }
  if (new Set(stored.map(({ digest }) => digest)).size < stored.length) {
    await remove()
    throw invalidBody([`image: ${fieldSentences.image_twice()}`])
  }
  const quotas = quotasOf(settings, nowMs)
  const given = stored.map((each) => ({ url: null, file: each, kind: null }))
  const content = { uuid, pictures: given, attribute: sortedJson(attribute) }
  const newLine = {
    ...content,
    tenantId,
    importId,
    pictures: formatGiven(given),
    rowBytes: uploadedBytes(content, 'import_lines'),
    number: number ?? null,
    revision: newRevision(),
    fileIds: JSON.stringify(stored.map(({ id }) => id)),
    expectedFiles,
  }
  const created = { tenantId, id: importId, name: 'Files from a device', origin, storedAt: nowMs }
  const {
    lines: [line],
  } = await withinQuotas({ db, tenantId }, quotas, async () =>
    runBatch(db, { ...newImportStatements(created, nowMs), ...fileStatements(newLine, quotas) }),
  )
  if (line !== undefined) return line.line
  await remove()
  const [full] = await db
    .select({ id: imports.id })
    .from(imports)
    .where(and(eq(imports.tenantId, tenantId), eq(imports.id, importId)))
  if (full === undefined) throw tooManyImports()
  throw tooManyFiles()
}

const total = sql`(waiting + tagging + complete + failed + unchanged + refused + asking + unmatched)`

type FileLine = Pick<
  typeof importLines.$inferSelect,
  'tenantId' | 'importId' | 'uuid' | 'pictures' | 'attribute' | 'number' | 'rowBytes' | 'revision'
> &
  Required<Pick<NewFile, 'expectedFiles'>> & {
    /** A JSON list. */
    readonly fileIds: string
  }

/** Inserts the line, counts it and marks its files as referenced. Later statements check that the line was inserted. */
function fileStatements(
  { tenantId, importId, uuid, pictures, attribute, number, rowBytes, revision, fileIds, expectedFiles }: FileLine,
  quotas: Quotas,
) {
  // Uses the maximum, not the count, because the import may come from a CSV file, whose numbering has gaps.
  const nextLine = sql`1 + coalesce((
    SELECT max(line) FROM ${importLines} WHERE tenant_id = ${tenantId} AND import_id = ${importId}), 0)`
  const isStored = sql`EXISTS (
    SELECT 1 FROM (
      SELECT revision FROM ${importLines}
      WHERE tenant_id = ${tenantId} AND import_id = ${importId} ORDER BY line DESC LIMIT 1
    ) WHERE revision = ${revision})`
  return {
    lines: sql<{ line: number }>`
      INSERT INTO ${importLines}
        (tenant_id, import_id, line, uuid, pictures, attribute, number, row_bytes, revision, status)
      SELECT tenant_id, id, ${nextLine}, ${uuid}, ${pictures}, ${attribute}, ${number}, ${rowBytes}, ${revision}, 'waiting'
      FROM ${imports}
      WHERE tenant_id = ${tenantId} AND id = ${importId} AND ${total} < ${maxLines} AND stored_at IS NOT NULL
        AND ${areFilesUsable(tenantId, fileIds)}
      RETURNING line`,
    counted: addStored(tenantId, { import_lines: 1, row_bytes: rowBytes }, quotas, isStored),
    waiting: sql`
      UPDATE ${imports} SET waiting = waiting + 1, ended_at = NULL,
        expected_files = max(expected_files, ${expectedFiles})
      WHERE tenant_id = ${tenantId} AND id = ${importId} AND ${isStored}`,
    file: unmarkUnreferenced(tenantId, fileIds, isStored),
  }
}
