import { sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { newId } from '../db/ids.ts'
import { ApiError } from '../http/errors.ts'
import { queueGraceMs } from '../queue/enqueue.ts'
import type { Attribute } from '../vision/tagging.ts'

export interface Upload {
  readonly uuid: string
  readonly imageUrl: string
  readonly attribute: Attribute
  /** Scheme and host that the client called. */
  readonly origin: string
}

const sortedJson = (attribute: Attribute) =>
  JSON.stringify(Object.fromEntries(Object.entries(attribute).sort(([a], [b]) => (a < b ? -1 : 1))))

/**
 * Stores an upload, in one statement. True if the garment is to be tagged, false if the same content is stored already
 * and nothing is to be done. Throws 409 where the uuid is taken by other content.
 */
export async function uploadGarment(db: Database, tenantId: string, upload: Upload, now: number): Promise<boolean> {
  const row: Readonly<Record<string, string | number | null>> = {
    tenant_id: tenantId,
    uuid: upload.uuid,
    image_url: upload.imageUrl,
    attribute: sortedJson(upload.attribute),
    origin: upload.origin,
    status: 'queuing',
    tries: 0,
    claim_id: null,
    due_at: now + queueGraceMs,
    failure_reason: '',
    picture_id: newId(),
    created_at: now,
    ended_at: null,
  }
  const names = Object.keys(row).map((name) => sql.identifier(name))
  const values = Object.values(row).map((value) => sql`${value}`)
  // A garment that failed starts anew; of any other all stays as it is, and its content comes back to be compared.
  const changes = names.map(
    (name) => sql`${name} = iif(garments.status = 'failed', excluded.${name}, garments.${name})`,
  )
  const statement = sql`
    INSERT INTO garments (${sql.join(names, sql`, `)})
    VALUES (${sql.join(values, sql`, `)})
    ON CONFLICT (tenant_id, uuid) DO UPDATE SET ${sql.join(changes, sql`, `)}
    RETURNING image_url, attribute, picture_id`
  const stored = await db.get<{ image_url: string; attribute: string; picture_id: string }>(statement)
  if (stored.picture_id === row['picture_id']) return true
  if (stored.image_url === row['image_url'] && stored.attribute === row['attribute']) return false
  throw new ApiError(409, 'Garment already exists', [
    'uuid: it was uploaded before with another image_url or attribute',
  ])
}
