import { sql } from 'drizzle-orm'
import { runBatch } from '../platform/db/database.ts'
import { importLines, imports, unreferencedFiles } from '../platform/db/schema.ts'
import { sortedJson } from '../garments/upload-garment.ts'
import { beingRemoved, areFilesKept, removeFile } from '../garments/pictures/uploaded-file.ts'
import { type FileDependencies, storeImage } from '../garments/pictures/store-image.ts'
import type { MultipartFile } from '../platform/http/multipart.ts'
import { addStored, type Quotas, quotasOf, textBytesOf, withinQuotas } from '../accounts/quotas.ts'
import type { Attribute } from '../vision/tagging.ts'
import { maxLines, tooManyFiles, tooManyImports } from './errors.ts'
import { newImportStatement } from './store-lines.ts'

export interface NewFile {
  /** Created with its first file. */
  readonly importId: string
  readonly uuid: string
  readonly attribute: Attribute
  readonly file: MultipartFile
  /** The number of files that the import will have; 0 if unknown. */
  readonly expectedFiles?: number
  /** Scheme and host that the client called. */
  readonly origin: string
}

/**
 * Stores an image file as the next line of an import, whose number it returns. Throws what `storeImage` throws, and 429
 * if there are too many imports or too many files in this one.
 */
export async function storeFile(
  { db, pictures, settings }: FileDependencies,
  tenantId: string,
  { importId, uuid, attribute, file, origin, expectedFiles = 0 }: NewFile,
  nowMs: number,
): Promise<number> {
  const { id: pictureId, imageUrl } = await storeImage({ db, pictures, settings }, tenantId, file, nowMs)
  const quotas = quotasOf(settings, nowMs)
  const newLine = {
    tenantId,
    importId,
    uuid,
    imageUrl,
    attribute: sortedJson(attribute),
    pictureId,
    expectedFiles,
  }
  const created = { tenantId, id: importId, name: 'Files from a device', origin, storedAt: nowMs }
  const {
    lines: [line],
  } = await withinQuotas({ db, tenantId }, quotas, async () =>
    runBatch(db, { import: newImportStatement(created, nowMs), ...fileStatements(newLine, quotas) }),
  )
  if (line !== undefined) return line.line
  await removeFile({ db, pictures }, tenantId, pictureId)
  const [full] = await db
    .select(count)
    .from(imports)
    .where(sql`tenant_id = ${tenantId} AND id = ${importId}`)
  if (full === undefined) throw tooManyImports()
  throw tooManyFiles()
}

const total = sql<number>`(waiting + tagging + complete + failed + unchanged + refused + asking)`

const count = { total }

type FileLine = Pick<
  typeof importLines.$inferSelect,
  'tenantId' | 'importId' | 'uuid' | 'imageUrl' | 'attribute' | 'pictureId'
> &
  Required<Pick<NewFile, 'expectedFiles'>>

/** Adds the line, counts it, and marks its file as needed. Each statement depends on the one before by `picture_id`. */
function fileStatements(
  { tenantId, importId, uuid, imageUrl, attribute, pictureId, expectedFiles }: FileLine,
  quotas: Quotas,
) {
  // Not their number: a form may name an import of a CSV file, whose lines are numbered differently.
  const nextLine = sql`1 + coalesce((
    SELECT max(line) FROM ${importLines} WHERE tenant_id = ${tenantId} AND import_id = ${importId}), 0)`
  const isStored = sql`EXISTS (
    SELECT 1 FROM (
      SELECT picture_id FROM ${importLines}
      WHERE tenant_id = ${tenantId} AND import_id = ${importId} ORDER BY line DESC LIMIT 1
    ) WHERE picture_id = ${pictureId})`
  return {
    lines: sql<{ line: number }>`
      INSERT INTO ${importLines} (tenant_id, import_id, line, uuid, image_url, attribute, picture_id, status)
      SELECT tenant_id, id, ${nextLine}, ${uuid}, ${imageUrl}, ${attribute}, ${pictureId}, 'waiting'
      FROM ${imports}
      WHERE tenant_id = ${tenantId} AND id = ${importId} AND ${total} < ${maxLines} AND stored_at IS NOT NULL
        AND ${areFilesKept(tenantId, JSON.stringify([pictureId]))}
      RETURNING line`,
    counted: addStored(
      tenantId,
      { import_lines: 1, text_bytes: textBytesOf(uuid, imageUrl, attribute) },
      quotas,
      isStored,
    ),
    waiting: sql`
      UPDATE ${imports} SET waiting = waiting + 1, ended_at = NULL,
        expected_files = max(expected_files, ${expectedFiles})
      WHERE tenant_id = ${tenantId} AND id = ${importId} AND ${isStored}`,
    file: sql`
      DELETE FROM ${unreferencedFiles}
      WHERE tenant_id = ${tenantId} AND picture_id = ${pictureId} AND since > ${beingRemoved} AND ${isStored}`,
  }
}
