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
  /** Created with its first file. */
  readonly importId: string
  readonly uuid: string
  readonly attribute: Attribute
  /** The garment's picture, or several as `parts`. */
  readonly file: MultipartFile
  /** The number of garments that the import will have; 0 if unknown. */
  readonly expectedFiles?: number
  /** Scheme and host that the client called. */
  readonly origin: string
}

/**
 * Stores the image files of a garment as the next line of an import, whose number it returns. Throws what `storeImages`
 * throws, 400 for one file twice, and 429 if there are too many imports or too many lines in this one.
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
    /** JSON. */
    readonly fileIds: string
  }

/** Adds the line, counts it and marks its files as needed. Each statement depends on the one before by `picture_id`. */
function fileStatements(
  { tenantId, importId, uuid, imageUrl, images, attribute, pictureId, fileIds, expectedFiles }: FileLine,
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
