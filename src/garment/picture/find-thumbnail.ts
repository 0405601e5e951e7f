import { createLimit } from '../../bounds/limit.ts'
import { overloaded } from '../../http/errors.ts'
import { log } from '../../log.ts'
import { makeThumbnail } from '../../vision/image/make-thumbnail.ts'
import { PictureError } from '../../vision/picture-error.ts'
import { pictureKey, thumbnailKey } from '../annotated-picture.ts'
import { findPicture } from './find-picture.ts'

/**
 * An annotated picture takes some 2 MB while it is made small, so an isolate has one at a time, and tenants take turns.
 */
const withSlot = createLimit({
  perKey: 1,
  inAll: 1,
  // A page of the list asks for 24.
  waitingPerKey: 60,
  waitingInAll: 200,
  maxWaitMs: 10_000,
  busy: overloaded,
})

/**
 * The small copy of an annotated picture, which is made when it is first asked for and kept beside the picture; null if
 * there is no such picture. `etag` as for `findPicture`.
 */
export async function findThumbnail(
  env: Pick<Env, 'DB' | 'PICTURES'>,
  tenantId: string,
  pictureId: string,
  etag: string | undefined,
): Promise<R2Object | R2ObjectBody | null> {
  const find = async () => await findPicture(env, tenantId, pictureId, { keyOf: thumbnailKey, etag })
  const found = await find()
  if (found !== null) return found
  const isKept = await withSlot(tenantId, async () => await keepThumbnail(env, tenantId, pictureId))
  return isKept ? await find() : null
}

async function keepThumbnail(env: Pick<Env, 'DB' | 'PICTURES'>, tenantId: string, pictureId: string): Promise<boolean> {
  const picture = await findPicture(env, tenantId, pictureId, { keyOf: pictureKey, etag: undefined })
  if (picture === null || !('body' in picture)) return false
  const thumbnail = await makeThumbnail(await picture.bytes()).catch((error: unknown) => {
    if (!(error instanceof PictureError)) throw error
    log('warn', 'no thumbnail of an annotated picture', { tenant: tenantId, error })
    return null
  })
  if (thumbnail === null) return false
  const key = thumbnailKey(tenantId, pictureId)
  await env.PICTURES.put(key, thumbnail, { httpMetadata: { contentType: 'image/jpeg' } })
  // Whoever removes the picture removes both. If that was before this one was stored, nobody else would.
  const isThere = (await env.PICTURES.head(pictureKey(tenantId, pictureId))) !== null
  if (!isThere) await env.PICTURES.delete(key)
  return isThere
}
