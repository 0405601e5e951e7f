import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { type Database, inRows, runBatch } from '../../platform/db/database.ts'
import { unreferencedFiles } from '../../platform/db/schema.ts'
import { log } from '../../log.ts'
import { forgetFiles } from '../../accounts/quotas.ts'
import { hourMs } from '../../time.ts'

/** The scheme of an uploaded file's `image_url`. Clients cannot send it, because it is not http or https. */
const scheme = 'upload:'

interface UploadedFile {
  /** Its name in storage, of 36 characters. */
  readonly id: string
  /** SHA-256 of its bytes, to recognise another file with the same content. */
  readonly digest: string
  readonly name: string
}

export const uploadedFileUrl = ({ id, digest, name }: UploadedFile) =>
  `${scheme}${id}/${digest}/${encodeURIComponent(name)}`

const idLength = 36

/** The position of the digest in the address, counted from 1. */
const digestPosition = scheme.length + idLength + 2

/** The part of a URL that identifies its image: of an uploaded file its digest, whatever its name. */
export const contentOf = (imageUrl: string) => (isUploadedFile(imageUrl) ? partsOf(imageUrl)[1] : imageUrl)

const isStoredUpload = (column: SQL) => sql`${column} LIKE ${sql.raw(`'${scheme}%'`)}`

/** Joins the row of a garment, or of an import's line, with each of its pictures. */
export const joinImages = sql`
  CROSS JOIN json_each(json_insert(iif(images = '', '[]', images), '$[#]', json_array(image_url))) AS image`

/** Whether such a picture is an uploaded file. */
export const isFileOfImage = isStoredUpload(sql`image.value ->> 0`)

/** The same as `contentOf`, of a column. */
export const storedContent = (column: SQL) => {
  const fromDigest = sql`substr(${column}, ${digestPosition})`
  return sql`iif(${isStoredUpload(column)}, substr(${fromDigest}, 1, instr(${fromDigest}, '/') - 1), ${column})`
}

/** The same as `uploadedFileId`, of such a picture. */
export const fileOfImage = sql`substr(image.value ->> 0, ${scheme.length + 1}, ${idLength})`

const isUploadedFile = (imageUrl: string) => imageUrl.startsWith(scheme)

const partsOf = (imageUrl: string) => imageUrl.slice(scheme.length).split('/')

/** The name of the uploaded file, or null if the address is of an image elsewhere. */
export const uploadedFileName = (imageUrl: string): string | null =>
  isUploadedFile(imageUrl) ? decodeURIComponent(partsOf(imageUrl)[2] ?? '') : null

/** The prefix of the keys of a tenant's files, by which deleting the tenant finds them. */
export const uploadedFilesPrefix = (tenantId: string) => `uploaded/${tenantId}/`

export const fileKey = (tenantId: string, id: string) => `${uploadedFilesPrefix(tenantId)}${id}`

/** What names the uploaded file in storage, or null if the address is of an image elsewhere. */
export const uploadedFileId = (imageUrl: string): string | null =>
  isUploadedFile(imageUrl) ? (partsOf(imageUrl)[0] ?? '') : null

/** The key of the uploaded file in storage, or null if the address is of an image elsewhere. */
export function uploadedFileKey(tenantId: string, imageUrl: string): string | null {
  const id = uploadedFileId(imageUrl)
  return id === null ? null : fileKey(tenantId, id)
}

/** The path under which everybody who knows it sees an uploaded file; null if the address is of an image elsewhere. */
export function originalPath(tenantId: string, imageUrl: string): string | null {
  const id = uploadedFileId(imageUrl)
  return id === null ? null : `/garment-tagging/original/${tenantId}/${id}`
}

/** In `since` of a file that the sweep is removing, after which nothing can keep it. */
export const beingRemoved = 0

/**
 * Whether files that have arrived are still kept for what needs them, which then deletes their rows.
 * @param ids JSON of their ids
 */
export const areFilesKept = (tenantId: SQLWrapper | string, ids: SQLWrapper | string) => sql`NOT EXISTS (
  SELECT 1 FROM json_each(${ids}) WHERE value NOT IN (
    SELECT picture_id FROM ${unreferencedFiles}
    WHERE tenant_id = ${tenantId} AND picture_id = value AND since > ${beingRemoved}))`

/** Leaves files that no garment needs to the sweep. */
export function markUnreferenced(tenantId: string, ids: readonly string[], condition: SQL, nowMs: number): SQL[] {
  if (ids.length === 0) return []
  return [
    sql`
      INSERT OR IGNORE INTO ${unreferencedFiles} (tenant_id, picture_id, since)
      SELECT ${tenantId}, value, ${nowMs} FROM json_each(${JSON.stringify(ids)}) WHERE ${condition}`,
  ]
}

/** Keeps such files of a garment, unless the sweep has removed them. */
export function unmarkUnreferenced(tenantId: string, ids: readonly string[], condition: SQL): SQL {
  return sql`
    DELETE FROM ${unreferencedFiles}
    WHERE tenant_id = ${tenantId} AND since > ${beingRemoved} AND ${condition}
      AND picture_id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
}

interface Storage {
  readonly db: Database
  readonly pictures: R2Bucket
}

/** Removes an unused file and subtracts it from the counts. If this fails, the sweep removes the rest. */
export async function removeFile({ db, pictures }: Storage, tenantId: string, id: string): Promise<void> {
  try {
    await pictures.delete(fileKey(tenantId, id))
    await runBatch(db, {
      stored: forgetFiles([{ tenantId, pictureId: id }]),
      unreferenced: sql`DELETE FROM ${unreferencedFiles} WHERE tenant_id = ${tenantId} AND picture_id = ${id}`,
    })
  } catch (error) {
    log('warn', 'file not removed', { tenant: tenantId, error })
  }
}

/** Longer than a file takes to arrive. */
const graceMs = hourMs

/** Below 1,000, the most that R2 deletes at once. */
const maxFiles = 500

/**
 * Removes files of interrupted uploads and files that no garment needs. The rows decide first: from then on nothing can
 * keep such a file any more. They are deleted last, so that an interruption leaves no file behind.
 */
export async function removeUnreferencedFiles({ db, pictures }: Storage, nowMs: number): Promise<void> {
  const old = await db.all<{ tenantId: string; pictureId: string }>(sql`
    UPDATE ${unreferencedFiles} SET since = ${beingRemoved}
    WHERE (tenant_id, picture_id) IN (
      SELECT tenant_id, picture_id FROM ${unreferencedFiles} WHERE since < ${nowMs - graceMs}
      ORDER BY since LIMIT ${maxFiles})
    RETURNING tenant_id AS tenantId, picture_id AS pictureId`)
  if (old.length === 0) return
  await pictures.delete(old.map(({ tenantId, pictureId }) => fileKey(tenantId, pictureId)))
  const keys = old.map(({ tenantId, pictureId }) => [tenantId, pictureId])
  await runBatch(db, {
    stored: forgetFiles(old),
    unreferenced: db.delete(unreferencedFiles).where(inRows(['tenant_id', 'picture_id'], keys)),
  })
}
