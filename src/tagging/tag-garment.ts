import { and, eq, isNull } from 'drizzle-orm'
import { type Database, newId } from '../platform/db/database.ts'
import { failureCode, notProcessed, storeFailure, storeRetry } from '../garments/failure.ts'
import { parseAttribute } from '../garments/garment-fields.ts'
import { namedTypes } from '../garments/list/synonyms.ts'
import { copyKey, labelCropId } from '../garments/pictures/stored-copy.ts'
import {
  type Picture,
  type PictureResult,
  parsePictures,
  selectPictures,
} from '../garments/pictures/garment-picture.ts'
import { fileKey } from '../garments/pictures/uploaded-file.ts'
import { formatResult } from '../garments/stored-result.ts'
import { isActive, type TaggingMessage } from '../garments/turns.ts'
import {
  claimStatement,
  makeDueStatement,
  type Ending,
  leaseMs,
  releaseStatement,
  type StoredPictureResult,
} from '../garments/transitions.ts'
import { newCopyIds } from '../garments/pictures/unused-copies.ts'
import { newRevision } from '../garments/upload-garment.ts'
import { readChild } from '../garments/own-values.ts'
import type { LabelReading } from '../labels/read-label.ts'
import { log } from '../log.ts'
import { writeMetric } from '../metrics.ts'
import { ImageError, type Intake, NoRoomError, readImage, type Reserve } from '../platform/outbound/fetch-image.ts'
import { queueGraceMs } from '../platform/queue/enqueue.ts'
import { done, type Outcome, retryFault } from '../platform/queue/settle.ts'
import { suppliedValue } from '../vision/attributes/build-tag.ts'
import { formatCopy } from '../vision/annotate/clean-copy.ts'
import { PictureError } from '../vision/picture-error.ts'
import { isOnlyListed } from '../vision/scene.ts'
import type { ExaminedPicture, PictureCopy, TaggedPicture } from '../vision/tag-picture.ts'
import type { TaggingDeps } from './deps.ts'
import { endGarment, releaseGarment, type TaggedGarment } from './end-garment.ts'
import { waitForSlot } from '../platform/limits/isolate-budget.ts'
import { chooseValues, formatLabel, isLabel, maxLabels } from './label-pictures.ts'
import { parseCorrections } from '../garments/corrections/correction.ts'
import { garments } from '../platform/db/schema.ts'
import { isPaused } from '../platform/queue/is-paused.ts'
import { findStudio, parseStudios, studiosIfNamed } from '../garments/studios.ts'
import { getFormat } from '../vision/image/formats.ts'
import { isItemType } from '../vision/taxonomy/item-types.ts'

type QueuingGarment = NonNullable<Awaited<ReturnType<typeof findQueuingGarment>>>

/**
 * The garment of a message, with the scale of its studio, and the item type that people have corrected; null if it has
 * ended, was deleted, is being tagged, or was uploaded again since.
 */
async function findQueuingGarment(db: Database, { tenantId, uuid, revision }: TaggingMessage) {
  const [row] = await db
    .select({
      tenantId: garments.tenantId,
      uuid: garments.uuid,
      number: garments.number,
      pictures: selectPictures('garments'),
      attribute: garments.attribute,
      corrections: garments.corrections,
      origin: garments.origin,
      revision: garments.revision,
      claimId: garments.claimId,
      tries: garments.tries,
      createdAt: garments.createdAt,
      endedAt: garments.endedAt,
      isPaused: isPaused('tagging', tenantId),
      studios: studiosIfNamed,
    })
    .from(garments)
    .where(
      and(
        eq(garments.tenantId, tenantId),
        eq(garments.uuid, uuid),
        // Queuing, or complete and to be tagged again.
        isActive,
        isNull(garments.claimId),
        eq(garments.revision, revision),
      ),
    )
  if (row === undefined) return null
  const { studios: found, ...garment } = row
  const attribute = parseAttribute(garment.attribute)
  const { tag } = parseCorrections(garment.corrections)
  const chosen = tag['Item Type']?.value ?? ''
  return {
    ...garment,
    cmPerPixel: findStudio(parseStudios(found), attribute)?.cm_per_pixel,
    itemType: isItemType(chosen) ? chosen : undefined,
  }
}

/**
 * The bytes of one of a garment's pictures, from its address or from the file that was uploaded. Throws `ImageError`
 * and `NoRoomError`, and `PictureError` as soon as the first bytes are not those of a picture.
 */
async function readPicture(
  { fetchImage, pictures, settings }: TaggingDeps,
  { tenantId, origin }: Pick<QueuingGarment, 'tenantId' | 'origin'>,
  picture: Picture,
  reserve: Reserve,
): Promise<Uint8Array<ArrayBuffer>> {
  const intake: Intake = { reserve, checkStart: getFormat }
  if (picture.file === null) return await fetchImage(picture.url ?? '', { settings, ownOrigin: origin }, intake)
  const file = await pictures.get(fileKey(tenantId, picture.file.id))
  if (file === null) throw new ImageError('permanent', 'file_removed')
  return await readImage({ body: file.body, declared: file.size }, intake)
}

/** For our own writes after the picture is tagged, so that a passing fault does not cost the whole run. */
const faultPausesMs = [50, 250, 1000, 3000, 6000]

const failed = (failure: string, pictures: readonly PictureResult[] = []): Ending => ({
  status: 'failed',
  failure,
  pictures,
})

/** A run that finds no room or no network. The garment is unchanged and loses no try. */
const postponed: Outcome = { retry: true, delaySeconds: 2 }

/**
 * Runs one garment: fetches its pictures, waits for the slot, claims, tags, stores and ends it. Only one of several
 * pictures is in memory at a time. Safe to run twice, even concurrently. The claim comes late, so that a run that dies
 * while it waits does not cost the garment a try. `waitedMs` is how long the message waited in the queue.
 */
export async function tagGarment(deps: TaggingDeps, message: TaggingMessage, waitedMs?: number): Promise<Outcome> {
  const startedAt = deps.now()
  const queuing = await findQueuingGarment(deps.db, message)
  if (queuing === null) return done
  const databaseMs = deps.now() - startedAt
  // The message of a later try was delayed.
  return await runOn(deps, { ...queuing, waitedMs: queuing.tries === 0 ? waitedMs : undefined, databaseMs })
}

type RunGarment = QueuingGarment & TaggedGarment & { readonly databaseMs: number }

async function runOn(deps: TaggingDeps, garment: RunGarment): Promise<Outcome> {
  const { settings, now } = deps
  const startedAt = now()
  if (garment.isPaused === 1) {
    await makeDueStatement(deps.db, garment, startedAt)
    return done
  }
  // If all tries are used up, the last run died without reporting anything, for example because it ran out of memory.
  // Age alone ends nothing: an outage of any length costs no garment a try.
  const maxTries = settings.TAGGING_RETRY_DELAYS.length + 1
  if (garment.tries >= maxTries) return await end(deps, garment, failed(notProcessed), startedAt)

  try {
    // Before the slot is taken, which has time for a picture only.
    await deps.loadNetwork()
  } catch (error) {
    log('error', 'network not read', { tenant: garment.tenantId, uuid: garment.uuid, error })
    return postponed
  }
  const reader = createReader(deps, garment)
  const read = await readPictures(deps, garment, reader)
  if ('outcome' in read) return read.outcome
  const current = reader.garment()
  const { main, results } = read
  if (main === undefined) {
    const failure =
      results.find((each) => each.failure !== null)?.failure ?? storeFailure(new PictureError('no_garment'))
    return await end(deps, current, failed(failure, results), startedAt)
  }
  return await store(deps, current, { ...main, copies: read.copies, labels: read.labels, results }, startedAt)
}

interface ReadPictures {
  /** Absent if none could be tagged. */
  readonly main: TaggedPicture | undefined
  readonly results: readonly PictureResult[]
  /** By place. */
  readonly copies: ReadonlyMap<number, PictureCopy>
  readonly labels: ReadonlyMap<number, LabelReading>
}

/**
 * Reads a garment's pictures. The one that measurements are made in comes last, when it is known what the others say:
 * the first that shows a whole garment, or one with a card.
 */
async function readPictures(
  { tagPicture, examinePicture, readLabel }: TaggingDeps,
  garment: RunGarment,
  { read }: Reader,
): Promise<ReadPictures | { readonly outcome: Outcome }> {
  const pictures = parsePictures(garment)
  const unread = { predictedKind: null, role: null, hasCutout: false, failure: null, width: null, height: null }
  const results: PictureResult[] = pictures.map(({ id }) => ({ id, ...unread }))
  const others = new Map<number, NonNullable<ExaminedPicture['tagged']>>()
  const copies = new Map<number, PictureCopy>()
  const labels = new Map<number, LabelReading>()
  const kindAt = (place: number) => pictures[place]?.kind ?? (place === 0 ? 'front' : '')
  const note = (place: number, result: Partial<PictureResult>) => {
    const picture = pictures[place]
    if (picture !== undefined) results[place] = { ...unread, ...result, id: picture.id }
  }
  const pictureAt = (place: number): Picture => {
    const picture = pictures[place]
    if (picture === undefined) throw new Error('The garment has no such picture')
    return picture
  }

  const readLabelAt = async (place: number): Promise<Outcome | undefined> => {
    const found = await read(pictureAt(place), readLabel)
    if ('outcome' in found) return found.outcome
    if ('failure' in found) note(place, found)
    else {
      const [width, height] = found.value.size
      note(place, { predictedKind: 'label', width, height, role: 'listed' })
      labels.set(place, found.value)
    }
    return undefined
  }

  const examine = async (place: number): Promise<Outcome | undefined> => {
    if (isLabel(pictureAt(place)) && labels.size < maxLabels) return await readLabelAt(place)
    const found = await read(pictureAt(place), async (bytes) =>
      examinePicture(bytes, kindAt(place), pictureAt(place).rotation),
    )
    if ('outcome' in found) return found.outcome
    if ('failure' in found) note(place, found)
    else {
      const { kind, size, tagged } = found.value
      note(place, {
        predictedKind: kind,
        width: size[0],
        height: size[1],
        role: tagged === undefined ? 'listed' : 'tagged',
        hasCutout: tagged?.copy.drawing.isCutOut ?? false,
      })
      if (tagged !== undefined) {
        others.set(place, tagged)
        copies.set(place, tagged.copy)
      }
    }
    return undefined
  }

  const isFirstListed = pictures.length > 1 && isOnlyListed(kindAt(0))
  for (const place of pictures.keys()) {
    const outcome = place === 0 && !isFirstListed ? undefined : await examine(place)
    if (outcome !== undefined) return { outcome }
  }
  const withCard = [...others].filter(([, { hasCard }]) => hasCard).map(([place]) => place)
  if (withCard.length > 0 && !isFirstListed) {
    const outcome = await examine(0)
    if (outcome !== undefined) return { outcome }
  }
  const candidates = [...withCard, ...(isFirstListed ? [] : [0]), ...[...others.keys()].sort()]

  const attribute = parseAttribute(garment.attribute)
  const { cmPerPixel, itemType } = garment
  const [child, named] = [readChild(attribute), namedTypes(suppliedValue(attribute, 'Category') ?? '')]
  for (const place of new Set(candidates)) {
    if (results[place]?.failure !== null) continue
    const kind = others.get(place)?.evidence.kind ?? (kindAt(place) || 'other')
    const said = [...others].filter(([other]) => other !== place).map(([, { evidence }]) => evidence)
    const found = await read(pictureAt(place), async (bytes) => {
      const { rotation } = pictureAt(place)
      return await tagPicture(bytes, { attribute, cmPerPixel, child, itemType, named, kind, others: said, rotation })
    })
    if ('outcome' in found) return found
    others.delete(place)
    copies.delete(place)
    if ('failure' in found) {
      note(place, found)
      continue
    }
    const [width, height] = found.value.details.view.size
    const { isCutOut } = found.value.copy.drawing
    note(place, { predictedKind: kind, width, height, role: 'measured', hasCutout: isCutOut })
    copies.set(place, found.value.copy)
    return { main: found.value, results, copies, labels }
  }
  return { main: undefined, results, copies, labels }
}

type Read<T> =
  | { readonly value: T }
  /** As `storeFailure` gives it. */
  | { readonly failure: string }
  /** The run is over: the garment is to be tagged later, or another run has it. */
  | { readonly outcome: Outcome }

interface Reader {
  /** Fetches a picture, waits for the slot and lets `use` read it; claims the garment before the first one is read. */
  readonly read: <T>(picture: Picture, use: (bytes: Uint8Array<ArrayBuffer>) => Promise<T>) => Promise<Read<T>>
  /** As it was claimed, or as it was found if no picture could be read. */
  readonly garment: () => RunGarment
}

/** Half of the lease, so that reading many pictures does not outlast it. */
const renewAfterMs = leaseMs / 2

function createReader(deps: TaggingDeps, garment: RunGarment): Reader {
  const { db, now, place, budget } = deps
  const claimId = newId()
  let current = garment
  let claimedAt = -Infinity

  /** Returns false if another run or upload has the garment. */
  async function claim(): Promise<boolean> {
    if (claimedAt > now() - renewAfterMs) return true
    const claiming = async () => await claimStatement(db, garment, claimId, now())
    const [claimed] = await retryFault(claiming, faultPausesMs, deps.sleep)
    if (claimed === undefined) return false
    claimedAt = now()
    current = { ...garment, claimId, tries: claimed.tries }
    return true
  }

  /** Ends a run that finds no room. It loses no try, even if it has claimed the garment for an earlier picture. */
  async function postpone(): Promise<{ readonly outcome: Outcome }> {
    if (current !== garment) await giveBack(deps, current)
    return { outcome: postponed }
  }

  /** Ends a run after a fault that may be temporary. Once all tries are used up, the fault is a failure. */
  async function retryLater(error: unknown): Promise<Read<never>> {
    const tries = current === garment ? garment.tries + 1 : current.tries
    const outcome = await tryAgain(deps, current, error, tries)
    if (outcome !== undefined) return { outcome }
    return { failure: error instanceof ImageError ? storeFailure(error, tries) : notProcessed }
  }

  return {
    garment: () => current,
    async read(picture, use) {
      if (!(await place.startDownload())) return await postpone()
      const run = budget.enter(garment.tenantId, now())
      let bytes: Uint8Array<ArrayBuffer> | undefined
      // Frees the memory at once; the garbage collector comes many pictures later.
      const freeBytes = () => void (bytes === undefined || bytes.buffer.detached || bytes.buffer.transfer(0))
      try {
        bytes = await readPicture(deps, garment, picture, run.reserve)
        place.endDownload()
        if (!(await waitForSlot(run, deps))) return await postpone()
        if (!(await claim())) return { outcome: done }
        return { value: await use(bytes) }
      } catch (error) {
        if (error instanceof NoRoomError) return await postpone()
        if (error instanceof PictureError) return { failure: storeFailure(error) }
        if (error instanceof ImageError && error.kind === 'permanent') return { failure: storeFailure(error) }
        // Only the picture's faults, and others while it was read, count as tries.
        if (!(error instanceof ImageError) && current === garment) throw error
        return await retryLater(error)
      } finally {
        freeBytes()
        run.leave()
        place.endDownload()
      }
    },
  }
}

/** Releases a claimed garment and gives its try back. */
const giveBack = async ({ db, now }: TaggingDeps, garment: RunGarment) =>
  await releaseStatement(db, garment, { tries: garment.tries - 1, dueAt: now() + queueGraceMs })

interface ToStore extends TaggedPicture {
  /** By place. */
  readonly copies: ReadonlyMap<number, PictureCopy>
  readonly labels: ReadonlyMap<number, LabelReading>
  readonly results: readonly PictureResult[]
}

/** If storing fails, the run does not count as a try: the garment is released and the try given back. */
async function store(deps: TaggingDeps, garment: RunGarment, tagged: ToStore, startedAt: number) {
  const { copies, labels } = tagged
  const { tenantId, uuid } = garment
  const pictures = parsePictures(garment)
  const repeat = async <T>(action: () => Promise<T>) => await retryFault(action, faultPausesMs, deps.sleep)
  try {
    // Clients cache a public copy for a year, so a new result needs new URLs.
    const isAgain = garment.endedAt !== null
    const newIds = isAgain
      ? await repeat(async () => await newCopyIds(deps.db, tenantId, copies.size + labels.size, deps.now()))
      : []
    const results: StoredPictureResult[] = [...tagged.results]
    const httpMetadata = { contentType: 'image/jpeg' }
    for (const [place, { jpeg, drawing }] of copies) {
      const [picture, result] = [pictures[place], results[place]]
      if (picture === undefined || result === undefined) continue
      const copyId = newIds.pop() ?? picture.copyId
      results[place] = { ...result, copyId }
      const bytes = formatCopy(jpeg, { uuid, file: picture.file?.id ?? '', rotation: picture.rotation, drawing })
      await repeat(async () => await deps.pictures.put(copyKey(tenantId, copyId), bytes, { httpMetadata }))
    }
    for (const place of labels.keys()) {
      const [picture, result] = [pictures[place], results[place]]
      if (picture !== undefined && result !== undefined)
        results[place] = { ...result, copyId: newIds.pop() ?? picture.copyId }
    }
    for (const { key, place, crop } of chooseValues(labels)) {
      const name = copyKey(tenantId, labelCropId(results[place]?.copyId ?? '', key))
      await repeat(async () => await deps.pictures.put(name, crop, { httpMetadata }))
    }
    const { hash } = copies.get(Math.min(...copies.keys())) ?? tagged.copy
    const result = formatResult(withLabelNote(tagged), formatLabel(labels, pictures))
    const revision = isAgain ? newRevision() : garment.revision
    const ending: Ending = { status: 'complete', revision, result, hash, pictures: results }
    return await end(deps, garment, ending, startedAt)
  } catch (error) {
    await giveBack(deps, garment)
    throw error
  }
}

/** Adds a note if nothing could be read on a picture that was declared as a label. */
function withLabelNote({ details, ...tagged }: ToStore): ToStore {
  const isUnreadable = [...tagged.labels.values()].some(({ hasText }) => !hasText)
  return { ...tagged, details: isUnreadable ? { ...details, notes: [...details.notes, 'label_unreadable'] } : details }
}

async function end(deps: TaggingDeps, garment: RunGarment, ending: Ending, startedAt: number): Promise<Outcome> {
  const endedAt = deps.now()
  await retryFault(async () => await endGarment(deps, garment, ending, endedAt), faultPausesMs, deps.sleep)
  const { tenantId: tenant, uuid } = garment
  const outcome = ending.status === 'complete' ? 'complete' : failureCode(ending.failure)
  const { waitedMs, databaseMs } = garment
  const durationMs = endedAt - startedAt
  writeMetric(deps.metrics, { event: 'garment', outcome, tenantId: tenant, durationMs, waitedMs, databaseMs })
  log('info', 'garment tagged', { tenant, uuid, status: ending.status, duration_ms: durationMs })
  return done
}

/** Releases a garment for its next try; undefined after the last one. `tries` includes this one. */
async function tryAgain(deps: TaggingDeps, garment: RunGarment, error: unknown, tries: number) {
  const { tenantId: tenant, uuid } = garment
  log('warn', 'tagging failed', { tenant, uuid, tries, error })
  const delaySeconds = deps.settings.TAGGING_RETRY_DELAYS[tries - 1]
  if (delaySeconds === undefined) return undefined
  const nextTryAt = deps.now() + delaySeconds * 1000
  const retry = storeRetry(error instanceof ImageError ? error : undefined, { tries, nextTryAt })
  const release = { tries, dueAt: nextTryAt + queueGraceMs, retry }
  await retryFault(async () => await releaseGarment(deps, garment, release), faultPausesMs, deps.sleep)
  return { retry: true, delaySeconds }
}
