import type { Database } from '../db/client.ts'
import { newId } from '../db/ids.ts'
import { ApiError } from '../http/errors.ts'
import { queueGraceMs } from '../queue/enqueue.ts'
import type { Attribute } from '../vision/tagging.ts'
import { runUpload } from './upload-statements.ts'

export interface Upload {
  readonly uuid: string
  readonly imageUrl: string
  readonly attribute: Attribute
  /** Scheme and host that the client called. */
  readonly origin: string
}

/** With its keys sorted, so that equal content is equal text. */
const sortedJson = (attribute: Attribute) =>
  JSON.stringify(Object.fromEntries(Object.entries(attribute).sort(([a], [b]) => (a < b ? -1 : 1))))

/**
 * Stores an upload in one round trip. Gives the id of its picture if the garment is to be tagged, or null if the same
 * content is stored already. Throws 409 if the uuid has other content, and 429 if `maxWaiting` garments of the tenant
 * are waiting.
 */
export async function uploadGarment(
  db: Database,
  tenantId: string,
  { uuid, imageUrl, attribute, origin }: Upload,
  { maxWaiting, nowMs }: { readonly maxWaiting: number; readonly nowMs: number },
): Promise<string | null> {
  const pictureId = newId()
  const content = { imageUrl, attribute: sortedJson(attribute) }
  const values = { tenantId, uuid, ...content, origin, pictureId, maxWaiting, dueAt: nowMs + queueGraceMs, nowMs }
  const stored = await store(db, values)
  if (stored?.picture_id === pictureId) return pictureId
  if (stored?.image_url === content.imageUrl && stored.attribute === content.attribute) return null
  throw new ApiError(409, 'Garment already exists', [
    'uuid: it was uploaded before with another image_url or attribute',
  ])
}

async function store(db: Database, values: Readonly<Record<string, unknown>> & { readonly maxWaiting: number }) {
  try {
    const [, , read] = await runUpload(db, values)
    return read?.results[0]
  } catch (error) {
    if (!String(error).includes('waiting_garments_limit')) throw error
    const most = values.maxWaiting.toLocaleString('en-US')
    throw new ApiError(
      429,
      'Too many garments waiting',
      [`A tenant has at most ${most} garments waiting; upload this one again later.`],
      { 'Retry-After': '60' },
    )
  }
}
