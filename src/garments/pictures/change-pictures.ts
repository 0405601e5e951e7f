import { and, eq, sql } from 'drizzle-orm'
import { waitUntil } from 'cloudflare:workers'
import { type Actor, recordEntry } from '../../accounts/audit.ts'
import { countText, textBytesOf } from '../../accounts/quotas.ts'
import { type Database, hasRow, runBatch } from '../../platform/db/database.ts'
import { garments, tenantCounters } from '../../platform/db/schema.ts'
import { invalidBody } from '../../platform/http/errors.ts'
import { fieldSentences } from '../../platform/http/validation.ts'
import { changeGarment } from '../corrections/correct-garment.ts'
import { type GarmentRow, getGarment } from '../garment.ts'
import { renewStatement } from '../transitions.ts'
import { enqueueAll } from '../../platform/queue/enqueue.ts'
import { minTurns, startTurns, type TaggingMessage } from '../turns.ts'
import { newRevision, type UploadLimits, withinLimits } from '../upload-garment.ts'
import {
  contentOf,
  deletePictures,
  fileIdsOf,
  type GivenPicture,
  haveSameContent,
  insertPictures,
  maxPictures,
  nameOf,
  parsePictures,
  type Picture,
  pictureAt,
} from './garment-picture.ts'
import { markUnusedCopies } from './unused-copies.ts'
import { areFilesKept, markUnreferenced, unmarkUnreferenced } from './uploaded-file.ts'

interface PictureChangeDeps {
  readonly db: Database
  readonly taggingQueue: Queue<TaggingMessage>
  readonly limits: UploadLimits
}

/** A picture of the changed list: a stored one has its `id`. */
type ChangedPicture = GivenPicture & Partial<Pick<Picture, 'id' | 'rotation'>>

interface PictureChange {
  readonly uuid: string
  /** Returns the pictures that the garment is to have; the same ones to change nothing. */
  readonly change: (current: readonly Picture[]) => readonly ChangedPicture[]
  readonly by: Actor
  /** An `If-Match` header: the versions of the garment that may be changed. */
  readonly ifMatch?: string | undefined
}

/** A picture as a change names it: one of the garment's by its id, or a new one by its address. */
export interface NamedPicture {
  readonly id?: string | undefined
  readonly url?: string | undefined
  readonly kind?: GivenPicture['kind'] | undefined
}

/** Replaces the whole list. Throws 400 for an id that is not one of the garment's. */
export const replacePictures =
  (named: readonly NamedPicture[]) =>
  (current: readonly Picture[]): readonly ChangedPicture[] => {
    const unknown = named.flatMap(({ id }, place) =>
      id === undefined || current.some((picture) => picture.id === id)
        ? []
        : [`images.${place}.id: the garment has no such picture`],
    )
    if (unknown.length > 0) throw invalidBody(unknown)
    return named.map(({ id, url = '', kind }) => {
      const known = current.find((picture) => (id === undefined ? picture.url === url : picture.id === id))
      return known === undefined ? pictureAt(url, kind) : { ...known, kind: kind ?? known.kind }
    })
  }

/** Adds pictures at the end, except those that the garment already has. */
export const addPictures =
  (added: readonly GivenPicture[]) =>
  (current: readonly Picture[]): readonly ChangedPicture[] => {
    const known = current.map(contentOf)
    return [...current, ...added.filter((picture) => !known.includes(contentOf(picture)))]
  }

/**
 * Changes the pictures of a garment in any state, which is then tagged again: it keeps its attributes and corrections,
 * and its completion is sent again. Without a change nothing is done. Returns the garment. Throws 404, 412 if its
 * version is none of `ifMatch`, 400 for too many pictures or one twice, 413 above the quota of text, and 429 if too
 * many garments are waiting.
 */
export async function changePictures(
  deps: PictureChangeDeps,
  tenantId: string,
  { uuid, change, by, ifMatch }: PictureChange,
  nowMs: number,
): Promise<GarmentRow> {
  return await changeGarment(deps.db, tenantId, { uuid, ifMatch }, async (garment) => {
    const current = parsePictures(garment)
    const pictures = change(current)
    if (pictures.length > maxPictures)
      throw invalidBody([`images: ${fieldSentences.too_many_images({ max: maxPictures })}`])
    if (new Set(pictures.map(contentOf)).size < pictures.length)
      throw invalidBody([`images: ${fieldSentences.image_twice()}`])
    if (haveSameContent(current, pictures)) return garment
    const isStored = await store(deps, garment, { current, pictures }, by, nowMs)
    return isStored ? await getGarment(deps.db, tenantId, uuid) : undefined
  })
}

/** False if the garment has changed since it was read. */
async function store(
  { db, taggingQueue, limits }: PictureChangeDeps,
  garment: GarmentRow,
  { current, pictures }: { readonly current: readonly Picture[]; readonly pictures: readonly ChangedPicture[] },
  by: Actor,
  nowMs: number,
): Promise<boolean> {
  const { maxWaiting, quotas } = limits
  const { tenantId, uuid } = garment
  const [before, after] = [fileIdsOf(current), fileIdsOf(pictures)]
  const brought = after.filter((id) => !before.includes(id))
  const isUnchanged = and(
    eq(garments.tenantId, tenantId),
    eq(garments.uuid, uuid),
    // Each change of pictures makes a new revision.
    eq(garments.revision, garment.revision),
    eq(garments.status, garment.status),
    areFilesKept(tenantId, JSON.stringify(brought)),
  )
  const when = hasRow(garments, isUnchanged)
  const text = { before: current.map(nameOf).join(''), after: pictures.map(nameOf).join('') }
  const entry = { holderId: tenantId, action: 'garment.changed', subject: `${uuid}: pictures` } as const
  const textBytes = garment.textBytes + textBytesOf(text.after) - textBytesOf(text.before)
  const renewed = { revision: newRevision(), textBytes }
  const ofGarment = and(eq(garments.tenantId, tenantId), eq(garments.uuid, uuid))
  const isChanged = and(ofGarment, eq(garments.revision, renewed.revision))
  const list = JSON.stringify(pictures.map(({ id, url, file, kind, rotation }) => ({ id, url, file, kind, rotation })))
  const counted = { waiting: sql`${tenantCounters.waiting} + ${garment.endedAt === null ? 0 : 1}`, maxWaiting }
  const run = async () =>
    await runBatch(db, {
      counted: db
        .update(tenantCounters)
        .set(counted)
        .where(and(eq(tenantCounters.tenantId, tenantId), when)),
      text: countText(tenantId, text, quotas, when),
      entry: recordEntry(db, entry, { by, at: nowMs }, when),
      copies: markUnusedCopies(
        tenantId,
        current.map(({ copyId }) => copyId),
        when,
        nowMs,
      ),
      unused: markUnreferenced(
        tenantId,
        before.filter((id) => !after.includes(id)),
        when,
        nowMs,
      ),
      changed: renewStatement(db, renewed, isUnchanged, nowMs),
      former: deletePictures(sql`SELECT tenant_id, uuid FROM ${garments} WHERE ${isChanged}`),
      pictures: insertPictures(sql`SELECT tenant_id, uuid, ${list} AS pictures FROM ${garments} WHERE ${isChanged}`),
      // The files of a failed garment were marked as unused.
      files: unmarkUnreferenced(tenantId, after, hasRow(garments, isChanged)),
      turns: startTurns(tenantId, minTurns, nowMs),
    })
  const { changed, turns } = await withinLimits({ db, tenantId }, limits, run)
  waitUntil(enqueueAll(taggingQueue, turns))
  return changed.meta.changes === 1
}
