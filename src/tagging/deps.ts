import type { Database } from '../platform/db/database.ts'
import { tenantDatabase } from '../platform/db/databases.ts'
import { createFetchImage, type fetchImage } from '../platform/outbound/fetch-image.ts'
import type { Sender } from '../platform/queue/enqueue.ts'
import { sleep, type Sleep } from '../time.ts'
import { settingsOf, type Settings } from '../settings.ts'
import { getNetwork } from '../vision/network/get-network.ts'
import { examinePicture, type PictureHints, type TaggedPicture, tagPicture } from '../vision/tag-picture.ts'
import { readLabel } from '../labels/read-label.ts'
import type { Metrics } from '../metrics.ts'
import type { TaggingMessage } from '../garments/turns.ts'
import type { DeliveryMessage } from '../events/delivery.ts'
import { directSender } from '../webhooks/deliveries/send-to-dispatcher.ts'
import { budget, type IsolateBudget } from '../platform/limits/isolate-budget.ts'
import { createDownloads, type Downloads, type RunPlace } from './run-places.ts'

export interface TaggingDeps {
  readonly db: Database
  readonly pictures: R2Bucket
  readonly taggingQueue: Queue<TaggingMessage>
  /** Sends first attempts to dispatchers directly, or through the queue if a dispatcher fails. */
  readonly deliverySender: Sender<DeliveryMessage>
  readonly settings: Settings
  readonly metrics?: Metrics
  readonly budget: IsolateBudget
  readonly place: RunPlace
  readonly fetchImage: typeof fetchImage
  readonly loadNetwork: () => Promise<unknown>
  readonly tagPicture: (bytes: Uint8Array, hints: PictureHints, mayBeLabel: boolean) => Promise<TaggedPicture | null>
  readonly examinePicture: typeof examinePicture
  readonly readLabel: typeof readLabel
  readonly now: () => number
  readonly sleep: Sleep
}

/** Dependencies that the runs of a batch share. */
export interface BatchDeps extends Omit<TaggingDeps, 'db' | 'place'> {
  readonly databaseOf: (tenantId: string) => Database
  /** All batches of the isolate share these downloads. */
  readonly downloads: Downloads
  readonly waitUntil: (work: Promise<void>) => void
}

const downloads = createDownloads()

export function batchDeps(env: Env, ctx: Pick<ExecutionContext, 'waitUntil'>): BatchDeps {
  return {
    databaseOf: (tenantId) => tenantDatabase(env, tenantId),
    pictures: env.PICTURES,
    taggingQueue: env.TAGGING_QUEUE,
    deliverySender: directSender(env),
    settings: settingsOf(env),
    metrics: env,
    budget,
    downloads,
    waitUntil: (work) => ctx.waitUntil(work),
    fetchImage: createFetchImage(env.ASSETS),
    loadNetwork: getNetwork,
    tagPicture,
    examinePicture,
    readLabel,
    now: Date.now,
    sleep,
  }
}
