import { and, eq, not, sql } from 'drizzle-orm'
import { waitUntil } from 'cloudflare:workers'
import { type Actor, recordEntry } from '../../accounts/audit.ts'
import { addStored, countBytes } from '../../accounts/quotas.ts'
import type { DeliveryMessage } from '../../events/delivery.ts'
import { type Database, hasRow, hasValue, oneRow, plus, runBatch } from '../../platform/db/database.ts'
import { addCropBytes } from '../../platform/db/count-rows.ts'
import { garments, pictures as storedPictures, tenantCounters } from '../../platform/db/schema.ts'
import { ApiError, invalidBody } from '../../platform/http/errors.ts'
import { fieldSentences } from '../../platform/http/validation.ts'
import { enqueueAll } from '../../platform/queue/enqueue.ts'
import type { Rotation } from '../../vision/image/orientation.ts'
import type { LinePoints } from '../../vision/view.ts'
import { changeGarment } from '../corrections/correct-garment.ts'
import { formatCorrections, parseCorrections } from '../corrections/correction.ts'
import { binGarment } from '../delete-garment.ts'
import { uuidConflict, uuidInBin } from '../garment-errors.ts'
import { parseAttribute } from '../garment-fields.ts'
import { findGarment, type GarmentRow, getGarment } from '../garment.ts'
import { createStatement, emptyStatement, isInBin, renewStatement } from '../transitions.ts'
import { minTurns, startTurns, type TaggingMessage } from '../turns.ts'
import {
  newRevision,
  pictureBytes,
  sortedJson,
  uploadedBytes,
  type UploadLimits,
  withinLimits,
} from '../upload-garment.ts'
import {
  contentOf,
  deletePictures,
  fileIdsOf,
  type GivenPicture,
  haveSameContent,
  insertPictures,
  maxPictures,
  measuredPicture,
  parsePictures,
  type Picture,
  pictureAt,
} from './garment-picture.ts'
import { markUnusedCopies } from './unused-copies.ts'
import { areFilesUsable, markUnreferenced, unmarkUnreferenced } from './uploaded-file.ts'

interface PictureChangeDeps {
  readonly db: Database
  readonly taggingQueue: Queue<TaggingMessage>
  readonly webhookQueue: Queue<DeliveryMessage>
  readonly limits: UploadLimits
}

/** A picture of the changed list. Only a stored picture has an `id`. */
type ChangedPicture = GivenPicture & Partial<Pick<Picture, 'id' | 'rotation' | 'cutoutOff'>>

type OtherPicture = Picture & { readonly uuid: string }

interface PictureChange {
  readonly uuid: string
  /** Returns the garment's new pictures. `others` are the pictures of the garments in `from`. */
  readonly change: (current: readonly Picture[], others: readonly OtherPicture[]) => readonly ChangedPicture[]
  readonly from?: readonly string[] | undefined
  readonly by: Actor
  readonly ifMatch?: string | undefined
}

/** Names a picture of this garment (`id`), of another garment (`uuid` and `id`), or a new picture (`url`). */
export interface NamedPicture {
  readonly uuid?: string | undefined
  readonly id?: string | undefined
  readonly url?: string | undefined
  readonly kind?: GivenPicture['kind'] | undefined
}

/** Replaces all pictures of a garment. Throws 400 for an unknown id. */
export const replacePictures =
  (named: readonly NamedPicture[]): PictureChange['change'] =>
  (current, others) => {
    const find = ({ uuid, id, url }: NamedPicture) =>
      current.find((picture) => (id === undefined ? picture.url === url : picture.id === id)) ??
      others.find((picture) => picture.uuid === uuid && picture.id === id)
    const unknown = named.flatMap((each, place) =>
      each.id === undefined || find(each) !== undefined
        ? []
        : [`images.${place}.id: ${each.uuid === undefined ? 'the' : 'that'} garment has no such picture`],
    )
    if (unknown.length > 0) throw invalidBody(unknown)
    return named.map((each) => {
      const known = find(each)
      return known === undefined ? pictureAt(each.url ?? '', each.kind) : { ...known, kind: each.kind ?? known.kind }
    })
  }

/** Adds pictures at the end. Skips pictures that the garment already has. */
export const addPictures =
  (added: readonly GivenPicture[]): PictureChange['change'] =>
  (current) => {
    const known = current.map(contentOf)
    return [...current, ...added.filter((picture) => !known.includes(contentOf(picture)))]
  }

/** Sets rotations by picture id. Throws 400 for an unknown id. */
export const rotatePictures =
  (rotations: Readonly<Record<string, Rotation>>): PictureChange['change'] =>
  (current) => {
    const unknown = Object.keys(rotations).filter((id) => !current.some((picture) => picture.id === id))
    if (unknown.length > 0) throw invalidBody(unknown.map((id) => `rotations.${id}: the garment has no such picture`))
    return current.map((picture) => ({ ...picture, rotation: rotations[picture.id] ?? picture.rotation }))
  }

const isSameList = (some: readonly Picture[], others: readonly ChangedPicture[]) =>
  haveSameContent(some, others) &&
  some.every(({ rotation }, i) => others[i]?.rotation === undefined || others[i].rotation === rotation)

/**
 * Changes the pictures of a garment in any state and returns the garment. The garment is tagged again and its
 * completion is sent again. It keeps its attributes and corrections. Pictures of other garments are moved. Those
 * garments are also tagged again, or go to the bin if they have no pictures left. An unchanged list does nothing.
 * Throws:
 * - 400 for too many pictures or a repeated picture
 * - 404
 * - 409 if pictures are moved and one of the garments has not ended
 * - 412 if `ifMatch` does not contain the garment's version
 * - 413 above the byte quota
 * - 429 if too many garments wait
 */
export async function changePictures(
  deps: PictureChangeDeps,
  tenantId: string,
  { uuid, change, from = [], by, ifMatch }: PictureChange,
  nowMs: number,
): Promise<GarmentRow> {
  const { db, webhookQueue } = deps
  const changed = await changeGarment(db, tenantId, { uuid, ifMatch }, async (garment) => {
    const current = parsePictures(garment)
    const givers = await findGivers(db, tenantId, uuid, from)
    const others = givers.flatMap((giver) => parsePictures(giver).map((each) => ({ ...each, uuid: giver.uuid })))
    const pictures = change(current, others)
    checkList(pictures)
    if (isSameList(current, pictures)) return garment
    const taken = givers.flatMap((giver) => {
      const all = parsePictures(giver)
      const left = all.filter(({ id }) => !pictures.some((picture) => picture.id === id))
      return left.length === all.length ? [] : [{ garment: giver, pictures: left }]
    })
    if (taken.length > 0) for (const each of [garment, ...taken.map((change) => change.garment)]) checkEnded(each)
    const isStored = await store(deps, [{ garment, pictures }, ...taken], { by }, nowMs)
    return isStored ? await getGarment(db, tenantId, uuid) : undefined
  })
  // Also bins garments that an interrupted earlier call has emptied.
  for (const giver of await findGivers(db, tenantId, uuid, from))
    if (parsePictures(giver).length === 0)
      await binGarment({ db, taggingQueue: deps.taggingQueue, webhookQueue }, tenantId, giver.uuid, nowMs, by)
  return changed
}

interface Split {
  readonly uuid: string
  readonly newUuid: string
  readonly ids: readonly string[]
  readonly origin: string
  readonly by: Actor
}

/**
 * Moves some of a garment's pictures to a new garment and returns the new garment. The new garment is a draft with the
 * next stock number and without a listing. Both garments are tagged again. Repeating the call changes nothing. Throws
 * like `changePictures`, and also:
 * - 400 for unknown pictures, or if no picture would stay
 * - 409 if the garment has not ended, or if the new uuid is taken
 */
export async function splitGarment(
  deps: PictureChangeDeps,
  tenantId: string,
  { uuid, newUuid, ids, origin, by }: Split,
  nowMs: number,
): Promise<GarmentRow> {
  const { db } = deps
  return await changeGarment(db, tenantId, { uuid }, async (garment) => {
    const current = parsePictures(garment)
    const existing = await findGarment(db, tenantId, newUuid)
    if (existing !== null) {
      const has = parsePictures(existing).map(({ id }) => id)
      if (has.length === ids.length && ids.every((id) => has.includes(id))) return existing
      throw uuidConflict(['uuid: another garment has this uuid'])
    }
    const unknown = ids.flatMap((id, place) =>
      current.some((picture) => picture.id === id) ? [] : [`images.${place}: the garment has no such picture`],
    )
    if (unknown.length > 0) throw invalidBody(unknown)
    const [moved, left] = [current.filter(({ id }) => ids.includes(id)), current.filter(({ id }) => !ids.includes(id))]
    if (left.length === 0) throw invalidBody(['images: at least one picture must stay'])
    checkEnded(garment)
    const { Studio: studio } = parseAttribute(garment.attribute)
    // The new garment keeps the studio, because the studio's scale applies to its pictures.
    const attribute = sortedJson(studio === undefined ? {} : { Studio: studio })
    const created = { uuid: newUuid, pictures: moved, attribute, origin }
    const isStored = await store(deps, [{ garment, pictures: left }], { by, created }, nowMs)
    if (isStored) return await getGarment(db, tenantId, newUuid)
    const [taken] = await db.select({ isBinned: isInBin(tenantId, newUuid) }).from(oneRow)
    if (taken?.isBinned === 1) throw uuidInBin()
    return undefined
  })
}

async function findGivers(
  db: Database,
  tenantId: string,
  uuid: string,
  from: readonly string[],
): Promise<GarmentRow[]> {
  const uuids = [...new Set(from)].filter((each) => each !== uuid)
  const found = await Promise.all(uuids.map(async (each) => await findGarment(db, tenantId, each)))
  return found.filter((each) => each !== null)
}

function checkList(pictures: readonly ChangedPicture[]): void {
  if (pictures.length > maxPictures)
    throw invalidBody([`images: ${fieldSentences.too_many_images({ max: maxPictures })}`])
  if (new Set(pictures.map(contentOf)).size < pictures.length)
    throw invalidBody([`images: ${fieldSentences.image_twice()}`])
}

function checkEnded({ endedAt, uuid }: GarmentRow): void {
  if (endedAt === null)
    throw new ApiError('garment_not_complete', 'Garment not complete', [
      `uuid: pictures can be moved once tagging has ended; ${uuid} is still being tagged`,
    ])
}

interface ChangedGarment {
  readonly garment: GarmentRow
  readonly pictures: readonly ChangedPicture[]
}

interface CreatedGarment {
  readonly uuid: string
  readonly pictures: readonly ChangedPicture[]
  readonly attribute: string
  readonly origin: string
}

interface StoreOptions {
  readonly by: Actor
  readonly created?: CreatedGarment
}

/** Stores the garments' new lists in one batch. Returns false if a garment has changed since it was read. */
async function store(
  { db, taggingQueue, limits }: PictureChangeDeps,
  changes: readonly [ChangedGarment, ...ChangedGarment[]],
  { by, created }: StoreOptions,
  nowMs: number,
): Promise<boolean> {
  const { maxWaiting, quotas } = limits
  const [{ garment: first }] = changes
  const { tenantId } = first
  const current = changes.flatMap(({ garment }) => parsePictures(garment))
  const all = [...changes, ...(created ? [created] : [])].flatMap(({ pictures }) => pictures)
  const [before, after] = [fileIdsOf(current), fileIdsOf(all)]
  const brought = after.filter((id) => !before.includes(id))
  const renewed = changes.map(({ garment, pictures }) => ({
    garment,
    pictures,
    revision: newRevision(),
    rowBytes: garment.rowBytes + pictureBytes(pictures) - pictureBytes(parsePictures(garment)),
    corrections: rotateCorrections(garment, pictures),
    // Each change of pictures creates a new revision.
    isUnchanged: and(
      eq(garments.tenantId, tenantId),
      eq(garments.uuid, garment.uuid),
      eq(garments.revision, garment.revision),
      eq(garments.status, garment.status),
      hasValue(garments.corrections, garment.corrections),
    ),
  }))
  const isFree =
    created &&
    and(
      not(isInBin(tenantId, created.uuid)),
      not(hasRow(garments, and(eq(garments.tenantId, tenantId), eq(garments.uuid, created.uuid)))),
    )
  const when = sql`${and(
    ...renewed.map(({ isUnchanged }) => hasRow(garments, isUnchanged)),
    areFilesUsable(tenantId, JSON.stringify(brought)),
    isFree,
  )}`
  const [leading, ...others] = renewed
  // All later statements depend on the first garment's new revision.
  const isChanged = hasRow(
    garments,
    and(eq(garments.tenantId, tenantId), eq(garments.uuid, first.uuid), eq(garments.revision, leading?.revision ?? '')),
  )
  const waits = changes.filter(({ garment, pictures }) => garment.endedAt !== null && pictures.length > 0).length
  const addedBytes =
    renewed.reduce((sum, { garment, rowBytes }) => sum + rowBytes - garment.rowBytes, 0) +
    (created ? uploadedBytes(created) : 0)
  const cropBytes = changes.reduce((sum, { garment }) => sum + garment.cropBytes, 0)
  const subject = `${first.uuid}: pictures${created === undefined ? '' : ` moved to ${created.uuid}`}`
  const lists = [
    ...renewed.map(({ garment, revision, pictures }) => ({
      uuid: garment.uuid,
      revision,
      pictures: formatList(pictures),
    })),
    ...(created ? [{ uuid: created.uuid, revision: newRevision(), pictures: formatList(created.pictures) }] : []),
  ]
  const counted = { waiting: plus(tenantCounters.waiting, waits + (created ? 1 : 0)), maxWaiting }
  const run = async () =>
    await runBatch(db, {
      counted: db
        .update(tenantCounters)
        .set({ ...counted, ...(created && { lastNumber: plus(tenantCounters.lastNumber, 1) }) })
        .where(and(eq(tenantCounters.tenantId, tenantId), when)),
      quota: created ? [addStored(tenantId, { garments: 1 }, quotas, when)] : [],
      crops: cropBytes === 0 ? [] : [addCropBytes(tenantId, -cropBytes, when)],
      bytes: countBytes(tenantId, addedBytes, quotas, when),
      entry: recordEntry(db, { holderId: tenantId, action: 'garment.changed', subject }, { by, at: nowMs }, when),
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
      changed: leading ? renewStatement(db, columnsOf(leading), and(leading.isUnchanged, when), nowMs) : [],
      others: others.map((each) =>
        each.pictures.length === 0
          ? emptyStatement(db, columnsOf(each), and(each.isUnchanged, isChanged))
          : renewStatement(db, columnsOf(each), and(each.isUnchanged, isChanged), nowMs),
      ),
      created: created
        ? [
            createStatement(
              tenantId,
              { ...created, revision: lists.at(-1)?.revision ?? '', rowBytes: uploadedBytes(created) },
              isChanged,
              nowMs,
            ),
          ]
        : [],
      former: deletePictures(sql`
        SELECT ${tenantId}, value FROM json_each(${JSON.stringify(changes.map(({ garment }) => garment.uuid))}) WHERE ${isChanged}`),
      pictures: insertPictures(sql`
        SELECT changed.tenant_id, changed.uuid, list.value ->> 'pictures' AS pictures
        FROM json_each(${JSON.stringify(lists)}) AS list CROSS JOIN ${garments} AS changed
        WHERE changed.tenant_id = ${tenantId} AND changed.uuid = list.value ->> 'uuid'
          AND changed.revision = list.value ->> 'revision'`),
      // Failed garments have their files marked as unused.
      files: unmarkUnreferenced(tenantId, JSON.stringify(after), isChanged),
      turns: startTurns(db, tenantId, minTurns, nowMs),
      stored: db.select({ isStored: isChanged }).from(oneRow),
    })
  const { stored, turns } = await withinLimits({ db, tenantId }, limits, run)
  waitUntil(enqueueAll(taggingQueue, turns))
  return stored[0]?.isStored === 1
}

const columnsOf = ({ revision, rowBytes, corrections }: Pick<GarmentRow, 'revision' | 'rowBytes' | 'corrections'>) => ({
  revision,
  rowBytes,
  cropBytes: 0,
  corrections,
})

const formatList = (pictures: readonly ChangedPicture[]) =>
  JSON.stringify(
    pictures.map(({ id, url, file, kind, rotation, cutoutOff }) => ({
      id,
      url,
      file,
      kind,
      rotation,
      cutoutOff,
    })),
  )

/** Rotates the lines that people drew, if the measured picture is rotated. */
function rotateCorrections(garment: GarmentRow, pictures: readonly ChangedPicture[]): string | null {
  const measured = measuredPicture(parsePictures(garment))
  const rotation = pictures.find(({ id }) => id !== undefined && id === measured?.id)?.rotation
  if (measured === undefined || typeof rotation !== 'number' || garment.corrections === null) return garment.corrections
  const { width, height } = measured
  const turns = (rotation - (measured.rotation ?? 0) + 360) % 360
  if (turns === 0 || width === null || height === null) return garment.corrections
  const corrections = parseCorrections(garment.corrections)
  const lines = Object.entries(corrections.lines).map(([name, line]) => [
    name,
    { ...line, ends: line.ends && rotateLine(line.ends, [width, height], turns) },
  ])
  return formatCorrections({ ...corrections, lines: Object.fromEntries(lines) as typeof corrections.lines })
}

/** Rotates a line clockwise with its picture. The size is the picture's size before the rotation. */
export function rotateLine(
  [fromX, fromY, toX, toY]: LinePoints,
  [width, height]: readonly [width: number, height: number],
  degrees: number,
): LinePoints {
  const turn = (x: number, y: number): readonly [number, number] =>
    degrees === 90 ? [height - 1 - y, x] : degrees === 180 ? [width - 1 - x, height - 1 - y] : [y, width - 1 - x]
  return [...turn(fromX, fromY), ...turn(toX, toY)]
}

interface CutoutSwitch {
  readonly uuid: string
  readonly id: string
  readonly isOff: boolean
}

export async function switchCutout(db: Database, tenantId: string, { uuid, id, isOff }: CutoutSwitch): Promise<void> {
  await db
    .update(storedPictures)
    .set({ cutoutOff: isOff })
    .where(and(eq(storedPictures.tenantId, tenantId), eq(storedPictures.garmentUuid, uuid), eq(storedPictures.id, id)))
}
