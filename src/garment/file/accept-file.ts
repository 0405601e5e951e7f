import { tenantDatabase } from '../../db/databases/find-database.ts'
import { ApiError } from '../../http/errors.ts'
import type { MultipartFile } from '../../http/multipart.ts'
import { settingsOf } from '../../settings.ts'
import type { Attribute } from '../../vision/tagging.ts'
import { enqueueUpload, uploadLimits } from '../accept-upload.ts'
import { uploadGarment } from '../upload-garment.ts'
import { removeFile } from './remove-file.ts'
import { storeImage } from './store-image.ts'

interface FileUpload {
  readonly uuid: string
  readonly attribute: Attribute
  readonly file: MultipartFile
  /** Scheme and host that the client called. */
  readonly origin: string
}

/**
 * Accepts an upload of an image file, as `acceptUpload` accepts an address: the same file again changes nothing. Throws
 * what `storeImage` and `uploadGarment` throw.
 */
export async function acceptFile(
  env: Pick<Env, 'DB' | 'PICTURES' | 'TAGGING_QUEUE'>,
  tenantId: string,
  { uuid, attribute, file, origin }: FileUpload,
  nowMs: number,
): Promise<void> {
  const settings = settingsOf(env)
  const deps = { db: tenantDatabase(env, tenantId), pictures: env.PICTURES, settings }
  const { id, imageUrl } = await storeImage(deps, tenantId, file, nowMs)
  const limits = { ...uploadLimits(settings), nowMs }
  const stored = await uploadGarment(deps.db, tenantId, { uuid, imageUrl, attribute, origin }, limits).catch(
    async (error: unknown) => {
      // After any other error the garment may be stored, with this file. If it is not, the sweep removes the file.
      if (error instanceof ApiError) await removeFile(deps, tenantId, id)
      throw error
    },
  )
  if (stored === null) await removeFile(deps, tenantId, id)
  enqueueUpload(env, tenantId, uuid, stored)
}
