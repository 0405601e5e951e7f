import { pictureAt } from '../../../src/garments/pictures/garment-picture.ts'
import type { TaggedPicture } from '../../../src/vision/tag-picture.ts'
import type { Database } from '../../../src/platform/db/database.ts'
import { tenantState } from '../../../src/platform/db/schema.ts'
import type { TaggingMessage } from '../../../src/garments/turns.ts'
import { uploadGarment } from '../../../src/garments/upload-garment.ts'
import { ImageError } from '../../../src/platform/outbound/fetch-image.ts'
import type { Settings } from '../../../src/settings.ts'
import type { TaggingDeps } from '../../../src/tagging/deps.ts'
import { createIsolateBudget, isolateLimits } from '../../../src/platform/limits/isolate-budget.ts'
import { createDownloads } from '../../../src/tagging/run-places.ts'
import { quotasOf } from '../../../src/accounts/quotas.ts'
import { tagBatch } from '../../../src/tagging/queue.ts'
import type { DeliveryMessage } from '../../../src/events/delivery.ts'
import { createSimulatedQueue } from './simulated-queue.ts'
import type { VirtualClock } from './virtual-clock.ts'
import { pictureCopy } from '../picture-copy.ts'

const tagMs = 200
const timeoutMs = 15_000

/** Same values as in `wrangler.toml`. */
const batchSize = 20

const result: TaggedPicture = {
  tag: { 'Item Type': 'T-Shirt' },
  measurements: {},
  details: {
    shown: 'flat',
    scale: null,
    notes: [],
    probabilities: {},
    tagger: '1.0',
    view: { size: [100, 100], lines: {} },
  },
  copy: { ...pictureCopy, jpeg: new Uint8Array(2) },
}

interface Simulation {
  readonly db: Database
  readonly clock: VirtualClock
  readonly settings: Settings
  /** Number of consumers. Each has its own isolate. */
  readonly consumers: number
  readonly pictures: R2Bucket
  /** Time from sending a message until a consumer can take it. */
  readonly latencyMs?: number
}

/**
 * Runs the real tagging code and database statements on a virtual clock. A picture takes 0.1 to 1 s to download and 0.2
 * s to tag. A picture whose URL begins with `dead:` never arrives.
 */
export function simulateTagging({ db, clock, settings, consumers, pictures, latencyMs = 0 }: Simulation) {
  const tagging = createSimulatedQueue<TaggingMessage>(clock, latencyMs)
  const webhook = createSimulatedQueue<DeliveryMessage>(clock)
  const startedAt = clock.now()
  let [tagged, downloads] = [0, 0]

  // Download times from 0.1 to 1 s, the same in each simulation.
  const downloadMs = () => 100 + ((downloads++ * 389) % 901)
  const dependencies: Omit<TaggingDeps, 'db' | 'budget' | 'place'> = {
    pictures,
    taggingQueue: tagging.queue,
    deliverySender: webhook.queue,
    settings,
    async fetchImage(url) {
      const isDead = url.startsWith('dead:')
      await clock.sleep(isDead ? timeoutMs : downloadMs())
      if (!isDead) return new Uint8Array(1)
      throw new ImageError('passing', 'host_timeout', { seconds: 15 })
    },
    async loadNetwork() {},
    examinePicture: async () => await Promise.reject(new Error('Each garment has one picture')),
    readLabel: async () => await Promise.reject(new Error('No garment has a label')),
    async tagPicture() {
      await clock.sleep(tagMs)
      tagged++
      return result
    },
    now: clock.now,
    sleep: clock.sleep,
  }

  for (let i = 0; i < consumers; i++) {
    const budget = createIsolateBudget(isolateLimits)
    const downloads = createDownloads()
    const waitUntil = (work: Promise<void>) => void work
    void tagging.consume(batchSize, async (batch) => {
      await tagBatch(batch, { ...dependencies, databaseOf: () => db, budget, downloads, waitUntil })
    })
  }

  return {
    queue: tagging.queue,
    messages: tagging.sent,
    tagged: () => tagged,
    /** Average share of time in which an isolate tags. */
    slotShare: () => (tagged * tagMs) / (clock.now() - startedAt) / consumers,
    close: tagging.close,
    async upload(tenantId: string, uuid: string, imageUrl = 'https://a.example/') {
      await db.insert(tenantState).values({ tenantId, domain: 'shop.example', createdAt: 0 }).onConflictDoNothing()
      const content = { uuid, pictures: [pictureAt(imageUrl)], attribute: {}, origin: 'https://s.example' }
      const stored = await uploadGarment(db, tenantId, content, {
        maxWaiting: 1_000_000,
        quotas: quotasOf(settings, clock.now()),
        nowMs: clock.now(),
      })
      if (stored?.hasTurn) await tagging.queue.send({ tenantId, uuid, revision: stored.revision })
    },
  }
}
