import { sql } from 'drizzle-orm'
import { runBatch } from '../platform/db/database.ts'
import { importLines, imports, unreferencedFiles } from '../platform/db/schema.ts'
import { sortedJson } from '../garments/upload-garment.ts'
import { areFilesKept, beingRemoved, contentOf, removeFile } from '../garments/pictures/uploaded-file.ts'
import { imageColumns } from '../garments/pictures/images.ts'
import { invalidBody } from '../platform/http/errors.ts'
import { fieldSentences } from '../platform/http/validation.ts'
import { type FileDependencies, storeImages } from '../garments/pictures/store-image.ts'
import type { MultipartFile } from '../platform/http/multipart.ts'
import { addStored, type Quotas, quotasOf, textBytesOf, withinQuotas } from '../accounts/quotas.ts'
import type { Attribute } from '../vision/tagging.ts'
import { maxLines, tooManyFiles, tooManyImports } from './import-errors.ts'
import { newImportStatement } from './store-import-lines.ts'

export interface NewFile {
  /** The import is created with its first file. */
  readonly importId: string
  readonly uuid: string
  readonly attribute: Attribute
  /** The garment's picture, or several pictures as `parts`. */
  readonly file: MultipartFile
  /** Number of garments that the import will have; 0 if unknown. */
  readonly expectedFiles?: number
  /** Scheme and host of the request. */
  readonly origin: string
}

/**
 * Stores a garment's picture files as the next line of an import, and returns the line's number. Throws as `storeImages`
 * does, 400 for a repeated file, and 429 if the tenant has too many imports or this import too many lines.
 */
export async function storeFile(
  { db, pictures, settings }: FileDependencies,
  tenantId: string,
  { importId, uuid, attribute, file, origin, expectedFiles = 0 }: NewFile,
  nowMs: number,
): Promise<number> {
  const stored = await storeImages({ db, pictures, settings }, tenantId, file, nowMs)
  const remove = async () => {
    for (const { id } of stored) await removeFile({ db, pictures }, tenantId, id)
  }
  if (new Set(stored.map(({ imageUrl }) => contentOf(imageUrl))).size < stored.length) {
    await remove()
    throw invalidBody([`image: ${fieldSentences.image_twice()}`])
  }
  const quotas = quotasOf(settings, nowMs)
  const newLine = {
    tenantId,
    importId,
    uuid,
    ...imageColumns(stored.map(({ imageUrl }) => ({ url: imageUrl, kind: '' }))),
    attribute: sortedJson(attribute),
    pictureId: stored[0]?.id ?? '',
    fileIds: JSON.stringify(stored.map(({ id }) => id)),
    expectedFiles,
  }
  const created = { tenantId, id: importId, name: 'Files from a device', origin, storedAt: nowMs }
  const {
    lines: [line],
  } = await withinQuotas({ db, tenantId }, quotas, async () =>
    runBatch(db, { import: newImportStatement(created, nowMs), ...fileStatements(newLine, quotas) }),
  )
  if (line !== undefined) return line.line
  await remove()
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
  'tenantId' | 'importId' | 'uuid' | 'imageUrl' | 'images' | 'attribute' | 'pictureId'
> &
  Required<Pick<NewFile, 'expectedFiles'>> & {
    /** JSON array. */
    readonly fileIds: string
  }

/** Inserts the line, counts it and marks its files as referenced. Later statements check that the line was inserted. */
function fileStatements(
  { tenantId, importId, uuid, imageUrl, images, attribute, pictureId, fileIds, expectedFiles }: FileLine,
  quotas: Quotas,
) {
  // Uses the maximum, not the count, because the import may come from a CSV file, whose numbering has gaps.
  const nextLine = sql`1 + coalesce((
    SELECT max(line) FROM ${importLines} WHERE tenant_id = ${tenantId} AND import_id = ${importId}), 0)`
  const isStored = sql`EXISTS (
    SELECT 1 FROM (
      SELECT picture_id FROM ${importLines}
      WHERE tenant_id = ${tenantId} AND import_id = ${importId} ORDER BY line DESC LIMIT 1
    ) WHERE picture_id = ${pictureId})`
  return {
    lines: sql<{ line: number }>`
      INSERT INTO ${importLines} (tenant_id, import_id, line, uuid, image_url, images, attribute, picture_id, status)
      SELECT tenant_id, id, ${nextLine}, ${uuid}, ${imageUrl}, ${images}, ${attribute}, ${pictureId}, 'waiting'
      FROM ${imports}
      WHERE tenant_id = ${tenantId} AND id = ${importId} AND ${total} < ${maxLines} AND stored_at IS NOT NULL
        AND ${areFilesKept(tenantId, fileIds)}
      RETURNING line`,
    counted: addStored(
      tenantId,
      { import_lines: 1, text_bytes: textBytesOf(uuid, imageUrl, images, attribute) },
      quotas,
      isStored,
    ),
    waiting: sql`
      UPDATE ${imports} SET waiting = waiting + 1, ended_at = NULL,
        expected_files = max(expected_files, ${expectedFiles})
      WHERE tenant_id = ${tenantId} AND id = ${importId} AND ${isStored}`,
    file: sql`
      DELETE FROM ${unreferencedFiles}
      WHERE tenant_id = ${tenantId} AND picture_id IN (SELECT value FROM json_each(${fileIds}))
        AND since > ${beingRemoved} AND ${isStored}`,
  }
}
