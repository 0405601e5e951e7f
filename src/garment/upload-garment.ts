import { and, eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { newId } from '../db/ids.ts'
import { garments } from '../db/schema.ts'
import { ApiError } from '../http/errors.ts'
import type { Attribute } from '../vision/tagging.ts'
import { uploadStatements } from './transitions.ts'

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
  const upload = { tenantId, uuid, imageUrl, attribute: sortedJson(attribute), origin, pictureId: newId() }
  const stored = await store(db, upload, maxWaiting, nowMs)
  if (stored?.pictureId === upload.pictureId) return upload.pictureId
  if (stored?.imageUrl === upload.imageUrl && stored.attribute === upload.attribute) return null
  throw new ApiError(409, 'Garment already exists', [
    'uuid: it was uploaded before with another image_url or attribute',
  ])
}

async function store(db: Database, upload: Parameters<typeof uploadStatements>[1], maxWaiting: number, nowMs: number) {
  const { tenantId, uuid } = upload
  try {
    const [, , [stored]] = await db.batch([
      ...uploadStatements(db, upload, maxWaiting, nowMs),
      db
        .select({ imageUrl: garments.imageUrl, attribute: garments.attribute, pictureId: garments.pictureId })
        .from(garments)
        .where(and(eq(garments.tenantId, tenantId), eq(garments.uuid, uuid))),
    ])
    return stored
  } catch (error) {
    if (!String(error).includes('waiting_garments_limit')) throw error
    throw new ApiError(
      429,
      'Too many garments waiting',
      [`A tenant has at most ${maxWaiting.toLocaleString('en-US')} garments waiting; upload this one again later.`],
      { 'Retry-After': '60' },
    )
  }
}
