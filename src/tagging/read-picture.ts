import { notProcessed, storeFailure } from '../garments/failure.ts'
import type { Picture } from '../garments/pictures/garment-picture.ts'
import { fileKey } from '../garments/pictures/uploaded-file.ts'
import { claimStatement, leaseMs } from '../garments/transitions.ts'
import type { LabelReading } from '../labels/read-label.ts'
import { log } from '../log.ts'
import { ImageError, type Intake, NoRoomError, readImage } from '../platform/outbound/fetch-image.ts'
import { getFormat } from '../vision/image/formats.ts'
import { PictureError } from '../vision/picture-error.ts'
import type { PictureKind } from '../vision/scene.ts'
import type { ExaminedPicture, PictureHints, TaggedPicture } from '../vision/tag-picture.ts'
import type { TaggingDeps } from './deps.ts'
import { isLabel } from './label-pictures.ts'
import { type TaggingRun, triesOf } from './tagging-run.ts'

export type Task = { readonly place: number; readonly picture: Picture } & (
  | { readonly readAs: 'label' }
  | { readonly readAs: 'further'; readonly kind: PictureKind | ''; readonly mayBeLabel: boolean }
  | { readonly readAs: 'measured'; readonly hints: PictureHints; readonly mayBeLabel: boolean }
)

export type Stop =
  /** There is no memory, no slot or no download left. */
  | { readonly status: 'no_room' }
  /** Another run or a new upload has taken the garment. */
  | { readonly status: 'lost' }
  | { readonly status: 'try_again'; readonly error: unknown; readonly delaySeconds: number }

export type PictureReading =
  | { readonly status: 'label'; readonly label: LabelReading }
  | { readonly status: 'further'; readonly examined: ExaminedPicture }
  | { readonly status: 'measured'; readonly tagged: TaggedPicture }
  /** The picture is unusable. `failure` is in the stored form. */
  | { readonly status: 'failed'; readonly failure: string }
  | Stop

/**
 * Fetches a picture, waits for the decoding slot, claims the garment and reads the picture. A run that dies before the
 * claim costs no try.
 */
export async function readPicture(deps: TaggingDeps, run: TaggingRun, task: Task): Promise<PictureReading> {
  const { budget, place, now } = deps
  if (!(await place.startDownload())) return { status: 'no_room' }
  const memory = budget.enter(run.found.tenantId, now())
  let bytes: Uint8Array<ArrayBuffer> | undefined
  try {
    bytes = await fetchPicture(deps, run, task.picture, { reserve: memory.reserve, checkStart: getFormat })
    place.endDownload()
    if (!(await memory.waitForSlot(deps))) return { status: 'no_room' }
    if (!(await claimGarment(deps, run))) return { status: 'lost' }
    if (task.readAs === 'measured') {
      const tagged = await deps.tagPicture(bytes, task.hints, task.mayBeLabel)
      if (tagged !== null) return { status: 'measured', tagged }
    } else if (task.readAs === 'further') {
      const examined = await deps.examinePicture(bytes, task.kind, task.picture.rotation ?? undefined)
      if (!task.mayBeLabel || !isLabel(examined)) return { status: 'further', examined }
    }
    return { status: 'label', label: await deps.readLabel(bytes, task.picture.rotation ?? undefined) }
  } catch (error) {
    return toFailure(deps, run, error)
  } finally {
    // Frees the memory at once, because the garbage collector runs many pictures later.
    if (bytes !== undefined && !bytes.buffer.detached) bytes.buffer.transfer(0)
    memory.leave()
    place.endDownload()
  }
}

/** Half of the lease, so that reading many pictures does not outlast it. */
const renewAfterMs = leaseMs / 2

/** Claims the garment, or renews the claim. Returns false if another run or upload has the garment. */
async function claimGarment({ db, now }: Pick<TaggingDeps, 'db' | 'now'>, run: TaggingRun): Promise<boolean> {
  if (run.claimedAt !== null && run.claimedAt > now() - renewAfterMs) return true
  const claimed = await claimStatement(db, run.found, run.claimId, now())
  if (claimed.length === 0) return false
  run.claimedAt = now()
  return true
}

async function fetchPicture(
  { fetchImage, pictures, settings }: TaggingDeps,
  { found: { tenantId, origin } }: TaggingRun,
  { file, url }: Picture,
  intake: Intake,
): Promise<Uint8Array<ArrayBuffer>> {
  if (file === null) return await fetchImage(url ?? '', { settings, ownOrigin: origin }, intake)
  const stored = await pictures.get(fileKey(tenantId, file.id))
  if (stored === null) throw new ImageError('permanent', 'file_removed')
  return await readImage({ body: stored.body, declared: stored.size }, intake)
}

/** Turns an error into a reading. A temporary fault is a failure only on the last try. */
function toFailure({ settings }: TaggingDeps, run: TaggingRun, error: unknown): PictureReading {
  const isImageError = error instanceof ImageError
  if (error instanceof NoRoomError) return { status: 'no_room' }
  if (error instanceof PictureError || (isImageError && error.kind === 'permanent'))
    return { status: 'failed', failure: storeFailure(error) }
  // Before the claim, only faults of the image host count as tries.
  if (!isImageError && run.claimedAt === null) throw error
  const tries = triesOf(run)
  log('warn', 'tagging failed', { tenant: run.found.tenantId, uuid: run.found.uuid, tries, error })
  const delaySeconds = settings.TAGGING_RETRY_DELAYS[tries - 1]
  if (delaySeconds !== undefined) return { status: 'try_again', error, delaySeconds }
  return { status: 'failed', failure: isImageError ? storeFailure(error, tries) : notProcessed }
}
