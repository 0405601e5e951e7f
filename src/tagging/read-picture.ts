import { uploadedFileKey } from '../garment/uploaded-file.ts'
import { ImageError, readImage, type Reserve } from '../outbound/fetch-image.ts'
import type { TaggingDeps } from './deps.ts'
import type { QueuingGarment } from './find-queuing-garment.ts'

/** The bytes of a garment's picture, from its address or from the file that was uploaded. Throws `ImageError`. */
export async function readPicture(
  { fetchImage, pictures, settings }: TaggingDeps,
  { tenantId, imageUrl, origin }: QueuingGarment,
  reserve: Reserve,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = uploadedFileKey(tenantId, imageUrl)
  if (key === null) return await fetchImage(imageUrl, { settings, ownOrigin: origin }, reserve)
  const file = await pictures.get(key)
  if (file === null) throw new ImageError('permanent', 'The uploaded file was removed; upload it again.')
  return await readImage({ body: file.body, declared: file.size }, reserve)
}
