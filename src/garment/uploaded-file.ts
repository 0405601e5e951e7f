import { sql, type SQL } from 'drizzle-orm'

/** The scheme of an uploaded file's `image_url`. Clients cannot send it, because it is not http or https. */
const scheme = 'upload:'

interface UploadedFile {
  /** Its name in storage, of 36 characters. */
  readonly id: string
  /** Of its bytes, to recognise another file with the same content. */
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

/** Whether a row has an uploaded file. */
export const hasUploadedFile = isStoredUpload(sql`image_url`)

/** The same as `contentOf`, of a column. */
export const storedContent = (column: SQL) => {
  const fromDigest = sql`substr(${column}, ${digestPosition})`
  return sql`iif(${isStoredUpload(column)}, substr(${fromDigest}, 1, instr(${fromDigest}, '/') - 1), ${column})`
}

/** The same as `uploadedFileId`, of a row with an uploaded file. */
export const storedFileId = sql`substr(image_url, ${scheme.length + 1}, ${idLength})`

export const isUploadedFile = (imageUrl: string) => imageUrl.startsWith(scheme)

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
