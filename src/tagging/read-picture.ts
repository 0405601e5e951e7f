import { uploadedFileKey } from '../garment/uploaded-file.ts'
import { readImage, type Reserve } from '../outbound/fetch-image.ts'
import { ImageError } from '../outbound/image-error.ts'
import type { TaggingDeps } from './deps.ts'
import type { QueuingGarment } from './find-queuing-garment.ts'

/**
 * The bytes of a garment's picture, from its address or from the file that was uploaded. Throws `ImageError` and
 * `NoRoomError`.
 */
export async function readPicture(
  { fetchImage, pictures, settings }: TaggingDeps,
  { tenantId, imageUrl, origin }: QueuingGarment,
  reserve: Reserve,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = uploadedFileKey(tenantId, imageUrl)
  if (key === null) return await fetchImage(imageUrl, { settings, ownOrigin: origin }, reserve)
  const file = await pictures.get(key)
  if (file === null) throw new ImageError('permanent', 'file_removed')
  return await readImage({ body: file.body, declared: file.size }, reserve)
}
