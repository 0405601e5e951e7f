import { sql } from 'drizzle-orm'
import { boundText } from '../../platform/limits/bound-text.ts'
import { ApiError, invalidBody, unauthorized } from '../../platform/http/errors.ts'
import { type Database, hasChanged, newId, runBatch } from '../../platform/db/database.ts'
import { storedFiles, unreferencedFiles } from '../../platform/db/schema.ts'
import { type MultipartFile, withImageNumber, streamAfter } from '../../platform/http/multipart.ts'
import { fixedRowBytes } from '../../platform/db/count-rows.ts'
import { addStored, forgetFiles, quotasOf, withinQuotas } from '../../accounts/quotas.ts'
import type { Settings } from '../../settings.ts'
import {
  findFormat,
  findUnsupportedFormat,
  formatNames,
  signatureBytes,
  supportedSignatureBytes,
} from '../../vision/image/formats.ts'
import { unsupportedFile } from '../garment-errors.ts'
import type { GivenPicture } from './garment-picture.ts'
import { fileKey, removeFile } from './uploaded-file.ts'

/** Returns the first `count` bytes of a stream, or fewer at its end, and a stream of all bytes. */
async function peek(stream: ReadableStream<Uint8Array>, count: number) {
  const reader = stream.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  while (length < count) {
    const { value, done } = await reader.read()
    if (done) break
    chunks.push(value)
    length += value.length
  }
  const start = Uint8Array.from(chunks.flatMap((chunk) => [...chunk.subarray(0, count)])).subarray(0, count)
  return { start, whole: streamAfter(chunks, reader) }
}

const maxNameLength = 200

export type StoredFile = NonNullable<GivenPicture['file']>

export interface FileDependencies {
  readonly db: Database
  readonly pictures: R2Bucket
  readonly settings: Settings
}

/**
 * The sweep removes the file unless a garment or an import line uses it. Throws 415 if it is not an image, 429 or
 * 413 above a quota, and 401 if the tenant was deleted.
 */
export async function storeImage(
  { db, pictures, settings }: FileDependencies,
  tenantId: string,
  file: MultipartFile,
  nowMs: number,
): Promise<StoredFile> {
  const { start, whole } = await peek(file.body, supportedSignatureBytes)
  const format = findFormat(start)
  if (format === undefined) {
    const { start: more, whole: rest } = await peek(whole, signatureBytes)
    // Browsers show the response only after the whole request was read.
    await rest.pipeTo(new WritableStream())
    throw unsupportedFile(formatNames, findUnsupportedFormat(more))
  }
  const id = newId()
  const quotas = quotasOf(settings, nowMs)
  // Counts the file before storing it. The sweep removes it if a later step fails.
  try {
    const { unreferenced } = await withinQuotas({ db, tenantId }, quotas, async () =>
      runBatch(db, {
        counted: addStored(
          tenantId,
          { files: 1, file_bytes: file.size, row_bytes: fixedRowBytes.stored_files },
          quotas,
        ),
        stored: sql`
          INSERT INTO ${storedFiles} (tenant_id, file_id, bytes)
          SELECT ${tenantId}, ${id}, ${file.size} WHERE ${hasChanged}`,
        unreferenced: sql`
          INSERT INTO ${unreferencedFiles} (tenant_id, file_id, since)
          SELECT ${tenantId}, ${id}, ${nowMs} WHERE ${hasChanged} RETURNING file_id`,
      }),
    )
    if (unreferenced.length === 0) throw unauthorized()
  } catch (error) {
    await whole.pipeTo(new WritableStream())
    throw error
  }
  const sized = new FixedLengthStream(file.size)
  const options = { httpMetadata: { contentType: format.contentType } }
  const put = pictures.put(fileKey(tenantId, id), sized.readable, options)
  try {
    const [{ etag: digest }] = await Promise.all([put, whole.pipeTo(sized.writable)])
    return { id, digest, name: boundText(file.name, maxNameLength) }
  } catch (error) {
    // If the form breaks off after the file's last byte, the file is stored.
    await put.catch(() => {})
    await removeFile({ db, pictures }, tenantId, id)
    throw error
  }
}

/**
 * Stores the files of a form. Storage requires each file's length, which a form does not state. So several files are
 * first stored as one object and then copied out of it, without buffering a whole file. If one file fails, the error
 * names its position and all files are removed. Throws like `storeImage`.
 */
export async function storeImages(
  deps: FileDependencies,
  tenantId: string,
  file: MultipartFile,
  nowMs: number,
): Promise<readonly StoredFile[]> {
  const arrived = await storeImage(deps, tenantId, file, nowMs).catch((error: unknown) => {
    // The object begins with the first file, so an unsupported type is the first file's.
    const isOfFirst = error instanceof ApiError && error.code === 'unsupported_media_type'
    throw isOfFirst && (file.parts?.().length ?? 1) > 1 ? withImageNumber(error, 0) : error
  })
  const parts = file.parts?.() ?? []
  const isOnlyFile = parts.length < 2 && (parts[0]?.length ?? file.size) === file.size
  if (isOnlyFile) return [arrived]
  const stored: StoredFile[] = []
  try {
    // Counts the files instead of the object. After an interruption, the sweep removes unused files.
    await runBatch(deps.db, { arrived: forgetFiles(deps.db, [{ tenantId, fileId: arrived.id }]) })
    for (const [place, part] of parts.entries()) {
      try {
        const range = { offset: part.offset, length: Math.min(part.length, file.size - part.offset) }
        const object = await deps.pictures.get(fileKey(tenantId, arrived.id), { range })
        if (object === null) throw new Error('The stored form has disappeared.')
        const opened = await part.open(object.body)
        if (opened.size === 0) throw invalidBody(['must not be empty'])
        stored.push(await storeImage(deps, tenantId, opened, nowMs))
      } catch (error) {
        throw parts.length > 1 ? withImageNumber(error, place) : error
      }
    }
    return stored
  } catch (error) {
    for (const { id } of stored) await removeFile(deps, tenantId, id)
    throw error
  } finally {
    await removeFile(deps, tenantId, arrived.id)
  }
}
