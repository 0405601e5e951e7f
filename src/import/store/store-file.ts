import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { boundText } from '../../bounds/bound-text.ts'
import { batchRaw } from '../../db/batch-raw.ts'
import type { Database } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import { importLines, imports, looseFiles, storedFiles } from '../../db/schema.ts'
import { sortedJson } from '../../garment/upload-garment.ts'
import { fileKey, uploadedFileUrl } from '../../garment/uploaded-file.ts'
import type { MultipartFile } from '../../http/multipart.ts'
import { withinQuotas } from '../../quota/errors.ts'
import { quotasOf, type Quotas } from '../../quota/quotas.ts'
import { addStored } from '../../quota/statements.ts'
import type { Settings } from '../../settings.ts'
import { findFormat, formatNames, signatureBytes, supportedSignatureBytes } from '../../vision/image/formats.ts'
import { findUnsupportedFormat } from '../../vision/image/unsupported-formats.ts'
import type { Attribute } from '../../vision/tagging.ts'
import { tooManyFiles, tooManyImports, unsupportedFile } from '../errors.ts'
import { maxLines } from './limits.ts'
import { newImportStatement } from './new-import.ts'
import { peek } from './peek.ts'

const maxNameLength = 200

const storedLines = z.array(z.object({ line: z.int() }))

export interface NewFile {
  /** Created with its first file. */
  readonly importId: string
  readonly uuid: string
  readonly attribute: Attribute
  readonly file: MultipartFile
  /** Scheme and host that the client called. */
  readonly origin: string
}

interface FileDependencies {
  readonly db: Database
  readonly pictures: R2Bucket
  readonly settings: Settings
}

/**
 * Stores an image file as the next line of an import, whose number it returns. The file is written to storage as it
 * arrives. Throws 415 if it is no image, 429 if there are too many imports or too many files in this one, and
 * 429 or 413 above the tenant's quotas.
 */
export async function storeFile(
  { db, pictures, settings }: FileDependencies,
  tenantId: string,
  { importId, uuid, attribute, file, origin }: NewFile,
  nowMs: number,
): Promise<number> {
  const { start, whole } = await peek(file.body, supportedSignatureBytes)
  const format = findFormat(start)
  if (format === undefined) {
    const { start: more, whole: rest } = await peek(whole, signatureBytes)
    // A browser shows the answer only if the service has read the whole request.
    await rest.pipeTo(new WritableStream())
    throw unsupportedFile(formatNames, findUnsupportedFormat(more))
  }
  const pictureId = newId()
  const quotas = quotasOf(settings)
  // First, so that the file is counted, and is removed again should anything below fail.
  try {
    await withinQuotas(quotas, async () =>
      batchRaw(db, arrivingFile({ tenantId, pictureId }, file.size, quotas, nowMs)),
    )
  } catch (error) {
    await whole.pipeTo(new WritableStream())
    throw error
  }
  const sized = new FixedLengthStream(file.size)
  const sending = whole.pipeTo(sized.writable)
  const [{ etag: digest }] = await Promise.all([
    pictures.put(fileKey(tenantId, pictureId), sized.readable, {
      httpMetadata: { contentType: format.contentType },
    }),
    sending,
  ])
  const newLine = {
    tenantId,
    importId,
    uuid,
    imageUrl: uploadedFileUrl({ id: pictureId, digest, name: boundText(file.name, maxNameLength) }),
    attribute: sortedJson(attribute),
    pictureId,
  }
  const created = { tenantId, id: importId, name: 'Files from a device', origin, storedAt: nowMs }
  const [, stored] = await withinQuotas(quotas, async () =>
    batchRaw(db, [newImportStatement(created, nowMs), ...fileStatements(newLine, quotas)]),
  )
  const [line] = storedLines.parse(stored?.results ?? [])
  if (line !== undefined) return line.line
  const [full] = await db
    .select(count)
    .from(imports)
    .where(sql`tenant_id = ${tenantId} AND id = ${importId}`)
  if (full === undefined) throw tooManyImports()
  throw tooManyFiles()
}

const total = sql<number>`(waiting + tagging + complete + failed + unchanged + refused)`

const count = { total }

type FileLine = Pick<
  typeof importLines.$inferSelect,
  'tenantId' | 'importId' | 'uuid' | 'imageUrl' | 'attribute' | 'pictureId'
>

function arrivingFile(
  { tenantId, pictureId }: { readonly tenantId: string; readonly pictureId: string },
  bytes: number,
  quotas: Quotas,
  nowMs: number,
): SQL[] {
  return [
    addStored(tenantId, { files: 1, file_bytes: bytes }, quotas),
    sql`INSERT INTO ${storedFiles} (tenant_id, picture_id, bytes) VALUES (${tenantId}, ${pictureId}, ${bytes})`,
    sql`INSERT INTO ${looseFiles} (tenant_id, picture_id, since) VALUES (${tenantId}, ${pictureId}, ${nowMs})`,
  ]
}

/** Adds the line, counts it, and says that its file is needed. Each depends on the one before by `picture_id`. */
function fileStatements({ tenantId, importId, uuid, imageUrl, attribute, pictureId }: FileLine, quotas: Quotas): SQL[] {
  // Not their number: a form may name an import of a CSV file, whose lines are numbered otherwise.
  const nextLine = sql`1 + coalesce((
    SELECT max(line) FROM ${importLines} WHERE tenant_id = ${tenantId} AND import_id = ${importId}), 0)`
  const isStored = sql`EXISTS (
    SELECT 1 FROM (
      SELECT picture_id FROM ${importLines}
      WHERE tenant_id = ${tenantId} AND import_id = ${importId} ORDER BY line DESC LIMIT 1
    ) WHERE picture_id = ${pictureId})`
  const bytes = sql`octet_length(${uuid}) + octet_length(${imageUrl}) + octet_length(${attribute})`
  return [
    sql`
      INSERT INTO ${importLines} (tenant_id, import_id, line, uuid, image_url, attribute, picture_id, status)
      SELECT tenant_id, id, ${nextLine}, ${uuid}, ${imageUrl}, ${attribute}, ${pictureId}, 'waiting'
      FROM ${imports}
      WHERE tenant_id = ${tenantId} AND id = ${importId} AND ${total} < ${maxLines} AND stored_at IS NOT NULL
      RETURNING line`,
    addStored(tenantId, { import_lines: 1, text_bytes: bytes }, quotas, isStored),
    sql`
      UPDATE ${imports} SET waiting = waiting + 1, ended_at = NULL
      WHERE tenant_id = ${tenantId} AND id = ${importId} AND ${isStored}`,
    sql`
      DELETE FROM ${looseFiles} WHERE tenant_id = ${tenantId} AND picture_id = ${pictureId} AND ${isStored}`,
  ]
}
