import { and, eq, sql } from 'drizzle-orm'
import { waitUntil } from 'cloudflare:workers'
import { type Actor, recordEntry } from '../../accounts/audit.ts'
import { countText } from '../../accounts/quotas.ts'
import { type Database, hasRow, runBatch } from '../../platform/db/database.ts'
import { garments, tenantCounters } from '../../platform/db/schema.ts'
import { invalidBody } from '../../platform/http/errors.ts'
import { fieldSentences } from '../../platform/http/validation.ts'
import { changeGarment } from '../corrections/correct-garment.ts'
import { type GarmentRow, getGarment } from '../garment.ts'
import { renewStatement } from '../transitions.ts'
import { enqueueAll } from '../../platform/queue/enqueue.ts'
import { minTurns, startTurns, type TaggingMessage } from '../turns.ts'
import { type UploadLimits, withinLimits } from '../upload-garment.ts'
import { maxImages, newPictureId } from './annotated-picture.ts'
import { fileIdsOf, type Image, imageColumns, imageId, newImagesId, parseImages } from './images.ts'
import { markUnusedPictures } from './unused-pictures.ts'
import { areFilesKept, markUnreferenced, unmarkUnreferenced } from './uploaded-file.ts'

interface ImageChangeDeps {
  readonly db: Database
  readonly taggingQueue: Queue<TaggingMessage>
  readonly limits: UploadLimits
}

interface ImageChange {
  readonly uuid: string
  /** The pictures that the garment is to have, from those that it has; the same where it has them already. */
  readonly change: (current: readonly Image[]) => readonly Image[]
  readonly by: Actor
  /** An `If-Match` header: the versions of the garment that may be changed. */
  readonly ifMatch?: string | undefined
}

/** A picture as a change names it: one of the garment's by its id, or a new one by its address. */
export interface NamedImage {
  readonly id?: string | undefined
  readonly url?: string | undefined
  readonly kind?: Image['kind'] | undefined
}

/** The whole new list. Throws 400 for an id that is none of the garment's. */
export const replaceImages = (named: readonly NamedImage[]) => (current: readonly Image[]) => {
  const byId = new Map(current.map((image) => [imageId(image.url), image]))
  const unknown = named.flatMap(({ id }, place) =>
    id === undefined || byId.has(id) ? [] : [`images.${place}.id: the garment has no such picture`],
  )
  if (unknown.length > 0) throw invalidBody(unknown)
  return named.map(({ id, url = '', kind }): Image => {
    const known = byId.get(id ?? imageId(url))
    return { url: known?.url ?? url, kind: kind ?? known?.kind ?? '' }
  })
}

/** More at the end, but those that the garment has already. */
export const addImages = (added: readonly Image[]) => (current: readonly Image[]) => {
  const ids = current.map(({ url }) => imageId(url))
  return [...current, ...added.filter(({ url }) => !ids.includes(imageId(url)))]
}

/**
 * Changes the pictures of a garment in any state, which is then tagged again: it keeps its attributes and corrections,
 * and its completion is sent again. Without a change nothing is done. Returns the garment. Throws 404, 412 if its
 * version is none of `ifMatch`, 400 for too many pictures or one twice, 413 above the quota of text, and 429 if too
 * many garments are waiting.
 */
export async function changeImages(
  deps: ImageChangeDeps,
  tenantId: string,
  { uuid, change, by, ifMatch }: ImageChange,
  nowMs: number,
): Promise<GarmentRow> {
  return await changeGarment(deps.db, tenantId, { uuid, ifMatch }, async (garment) => {
    const images = change(parseImages(garment))
    if (images.length > maxImages) throw invalidBody([`images: ${fieldSentences.too_many_images({ max: maxImages })}`])
    if (new Set(images.map(({ url }) => imageId(url))).size < images.length)
      throw invalidBody([`images: ${fieldSentences.image_twice()}`])
    const columns = imageColumns(images)
    if (columns.imageUrl === garment.imageUrl && columns.images === garment.images) return garment
    const isStored = await store(deps, garment, columns, by, nowMs)
    return isStored ? await getGarment(deps.db, tenantId, uuid) : undefined
  })
}

/** False if the garment has changed since it was read. */
async function store(
  { db, taggingQueue, limits }: ImageChangeDeps,
  garment: GarmentRow,
  columns: ReturnType<typeof imageColumns>,
  by: Actor,
  nowMs: number,
): Promise<boolean> {
  const { maxWaiting, quotas } = limits
  const { tenantId, uuid } = garment
  const [before, after] = [fileIdsOf(garment), fileIdsOf(columns)]
  const brought = after.filter((id) => !before.includes(id))
  const isUnchanged = and(
    eq(garments.tenantId, tenantId),
    eq(garments.uuid, uuid),
    eq(garments.pictureId, garment.pictureId),
    eq(garments.status, garment.status),
    eq(garments.imageUrl, garment.imageUrl),
    eq(garments.images, garment.images),
    areFilesKept(tenantId, JSON.stringify(brought)),
  )
  const when = hasRow(garments, isUnchanged)
  const text = { before: garment.imageUrl + garment.images, after: columns.imageUrl + columns.images }
  const entry = { holderId: tenantId, action: 'garment.changed', subject: `${uuid}: pictures` } as const
  const renewed = { ...columns, pictureId: newPictureId(), imagesId: newImagesId(columns.images) }
  const isChanged = hasRow(
    garments,
    and(eq(garments.tenantId, tenantId), eq(garments.uuid, uuid), eq(garments.pictureId, renewed.pictureId)),
  )
  const counted = { waiting: sql`${tenantCounters.waiting} + ${garment.endedAt === null ? 0 : 1}`, maxWaiting }
  const run = async () =>
    await runBatch(db, {
      counted: db
        .update(tenantCounters)
        .set(counted)
        .where(and(eq(tenantCounters.tenantId, tenantId), when)),
      text: countText(tenantId, text, quotas, when),
      entry: recordEntry(db, entry, { by, at: nowMs }, when),
      pictures: markUnusedPictures(tenantId, garment, when, nowMs),
      unused: markUnreferenced(
        tenantId,
        before.filter((id) => !after.includes(id)),
        when,
        nowMs,
      ),
      changed: renewStatement(db, renewed, isUnchanged, nowMs),
      // Those of a garment that failed were given up.
      kept: unmarkUnreferenced(tenantId, after, isChanged),
      turns: startTurns(tenantId, minTurns, nowMs),
    })
  const { changed, turns } = await withinLimits({ db, tenantId }, limits, run)
  waitUntil(enqueueAll(taggingQueue, turns))
  return changed.meta.changes === 1
}
