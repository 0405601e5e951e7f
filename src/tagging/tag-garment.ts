import { newId } from '../platform/db/database.ts'
import { failureCode, notProcessed, storeFailure, storeRetry } from '../garments/failure.ts'
import { attributeSchema } from '../garments/fields.ts'
import { pictureKey } from '../garments/pictures/annotated-picture.ts'
import type { TaggingMessage } from '../garments/turns.ts'
import { claimStatement, type Ending, releaseStatement } from '../garments/transitions.ts'
import { newPictureId } from '../garments/pictures/unused-pictures.ts'
import { readChild } from '../garments/own-values.ts'
import { log } from '../log.ts'
import { writeMetric } from '../metrics.ts'
import { ImageError, NoRoomError } from '../platform/outbound/fetch-image.ts'
import { queueGraceMs } from '../platform/queue/enqueue.ts'
import { done, type Outcome, retryFault } from '../platform/queue/settle.ts'
import { PictureError } from '../vision/picture-error.ts'
import type { TaggedPicture } from '../vision/tag-picture.ts'
import type { TaggingDeps } from './deps.ts'
import { endGarment, releaseGarment, type TaggedGarment } from './end-garment.ts'
import { findQueuingGarment, type QueuingGarment, readPicture } from './find-queuing-garment.ts'
import { type Run, waitForSlot } from './isolate-budget.ts'
import { type RunPlace, soonSeconds } from './run-places.ts'

/** For our own writes after the picture is tagged, so that a passing fault does not cost the whole run. */
const faultPausesMs = [50, 250, 1000, 3000, 6000]

const failed = (failure: string): Ending => ({ status: 'failed', failureReason: failure })

/** The delay of a run that found no room or no network. The garment is unchanged and loses no try. */
const postponed: Outcome = { retry: true, delaySeconds: soonSeconds }

const outcomeOf = { next: { retry: true, delaySeconds: 0 }, soon: postponed, sweep: done } as const

interface Turn {
  /** How long the message waited in the queue; undefined if it was delayed on purpose. */
  readonly waitedMs?: number | undefined
  /** Called when the run waits for an image host that does not answer. */
  readonly onStall?: (() => void) | undefined
}

/** What a run shares with its isolate and its invocation. */
interface Share {
  readonly run: Run
  readonly place: RunPlace
  readonly waitedMs: number | undefined
  /** The time of the garment's read. */
  readonly databaseMs: number
}

/**
 * Runs one garment: fetches its picture, waits for the slot, claims, tags, stores and ends it. Safe to run twice, even
 * concurrently. The claim comes late, so that a run that dies while it waits costs the garment no try.
 */
export async function tagGarment(deps: TaggingDeps, message: TaggingMessage, turn: Turn = {}): Promise<Outcome> {
  const place = await deps.places.enter(message.tenantId, turn.onStall)
  if (typeof place === 'string') return outcomeOf[place]
  const run = deps.budget.enter(message.tenantId, deps.now())
  try {
    const askedAt = deps.now()
    const garment = await findQueuingGarment(deps.db, message)
    const databaseMs = deps.now() - askedAt
    return garment === null ? done : await runOn(deps, garment, { run, place, waitedMs: turn.waitedMs, databaseMs })
  } finally {
    run.leave()
    place.leave()
  }
}

async function runOn(
  deps: TaggingDeps,
  queuing: QueuingGarment,
  { run, place, waitedMs, databaseMs }: Share,
): Promise<Outcome> {
  // A message of a later try was delayed.
  const garment = { ...queuing, waitedMs: queuing.tries === 0 ? waitedMs : undefined, databaseMs }
  const { db, settings, now } = deps
  const startedAt = now()
  // It stays due, and the first sweep after the pause enqueues it.
  if (garment.isPaused === 1) return done
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
  let bytes: Uint8Array<ArrayBuffer>
  try {
    bytes = await readPicture(deps, garment, run.reserve)
    place.arrive()
  } catch (error) {
    if (error instanceof NoRoomError) return postponed
    const isOfPicture = error instanceof PictureError
    if (!isOfPicture && !(error instanceof ImageError)) throw error
    if (isOfPicture || error.kind === 'permanent')
      return await end(deps, garment, failed(storeFailure(error)), startedAt)
    return await tryAgain(deps, garment, { error, tries: garment.tries + 1, startedAt })
  }
  if (!(await waitForSlot(run, deps))) return postponed
  const claimId = newId()
  const [claim] = await retryFault(
    async () => await claimStatement(db, garment, claimId, now()),
    faultPausesMs,
    deps.sleep,
  )
  if (claim === undefined) return done
  const claimed = { ...garment, claimId, tries: claim.tries }

  // Frees the memory at once; the garbage collector comes many pictures later.
  const freeBytes = () => void (bytes.buffer.detached || bytes.buffer.transfer(0))
  // While it waits for an answer, other runs go on.
  const hold = (heldBytes: number) => {
    freeBytes()
    place.leave()
    return run.hold(heldBytes)
  }
  let tagged: TaggedPicture
  try {
    const attribute = attributeSchema.parse(JSON.parse(garment.attribute))
    const { cmPerPixel, itemType, lines } = garment
    const isAskable = garment.allowsOpinion === 1 && itemType === undefined // Not if a person corrected or confirmed it.
    const consultation = isAskable ? deps.secondOpinion?.(hold) : undefined
    const child = readChild(attribute)
    tagged = await deps.tagPicture(bytes, { attribute, cmPerPixel, child, itemType, lines, consultation })
  } catch (error) {
    if (error instanceof PictureError) return await end(deps, claimed, failed(storeFailure(error)), startedAt)
    return await tryAgain(deps, claimed, { error, tries: claimed.tries, startedAt })
  } finally {
    freeBytes()
    run.leave()
    place.leave()
  }
  return await store(deps, claimed, tagged, startedAt)
}

type RunGarment = TaggedGarment & Pick<Share, 'databaseMs'>

/** If storing fails, the run does not count as a try: the garment is released and the try given back. */
async function store(deps: TaggingDeps, garment: RunGarment, tagged: TaggedPicture, startedAt: number) {
  const { annotated, details, ...result } = tagged
  const { tenantId } = garment
  const repeat = async <T>(action: () => Promise<T>) => await retryFault(action, faultPausesMs, deps.sleep)
  try {
    // A picture that was public is cached for a year, so a new one needs a new URL.
    const pictureId =
      garment.endedAt === null
        ? garment.pictureId
        : await repeat(async () => await newPictureId(deps.db, tenantId, deps.now()))
    const httpMetadata = { contentType: annotated.contentType }
    await repeat(
      async () => await deps.pictures.put(pictureKey(tenantId, pictureId), annotated.bytes, { httpMetadata }),
    )
    const ending: Ending = { status: 'complete', pictureId, details, ...result }
    return await end(deps, garment, ending, startedAt)
  } catch (error) {
    await releaseStatement(deps.db, garment, { tries: garment.tries - 1, dueAt: deps.now() + queueGraceMs })
    throw error
  }
}

async function end(deps: TaggingDeps, garment: RunGarment, ending: Ending, startedAt: number): Promise<Outcome> {
  const endedAt = deps.now()
  await retryFault(async () => await endGarment(deps, garment, ending, endedAt), faultPausesMs, deps.sleep)
  const { tenantId: tenant, uuid } = garment
  const outcome = ending.status === 'complete' ? 'complete' : failureCode(ending.failureReason)
  const { waitedMs, databaseMs } = garment
  const durationMs = endedAt - startedAt
  writeMetric(deps.metrics, { event: 'garment', outcome, tenantId: tenant, durationMs, waitedMs, databaseMs })
  log('info', 'garment tagged', { tenant, uuid, status: ending.status, duration_ms: durationMs })
  return done
}

interface FailedTry {
  readonly error: unknown
  /** This one included. */
  readonly tries: number
  readonly startedAt: number
}

/** Releases a garment for its next try, or ends it after the last one. */
async function tryAgain(deps: TaggingDeps, garment: RunGarment, { error, tries, startedAt }: FailedTry) {
  const { tenantId: tenant, uuid } = garment
  log('warn', 'tagging failed', { tenant, uuid, tries, error })
  const delaySeconds = deps.settings.TAGGING_RETRY_DELAYS[tries - 1]
  if (delaySeconds === undefined) {
    const failure = error instanceof ImageError ? storeFailure(error, tries) : notProcessed
    return await end(deps, garment, failed(failure), startedAt)
  }
  const nextTryAt = deps.now() + delaySeconds * 1000
  const retry = storeRetry(error instanceof ImageError ? error : undefined, { tries, nextTryAt })
  const release = { tries, dueAt: nextTryAt + queueGraceMs, retry }
  await retryFault(async () => await releaseGarment(deps, garment, release), faultPausesMs, deps.sleep)
  return { retry: true, delaySeconds }
}
