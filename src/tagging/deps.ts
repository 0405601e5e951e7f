import { openDatabase, type Database } from '../db/client.ts'
import { fetchImage } from '../outbound/fetch-image.ts'
import { sleep, type Sleep } from '../queue/retry-fault.ts'
import { settingsOf, type Settings } from '../settings.ts'
import { tagPicture } from '../vision/tag-picture.ts'
import type { DeliveryMessage } from '../webhook/delivery/message.ts'
import { createIsolateBudget, isolateLimits, type IsolateBudget } from './isolate-budget.ts'

export interface TaggingDeps {
  readonly db: Database
  readonly pictures: R2Bucket
  readonly webhookQueue: Queue<DeliveryMessage>
  readonly settings: Settings
  readonly budget: IsolateBudget
  readonly fetchImage: typeof fetchImage
  readonly tagPicture: typeof tagPicture
  readonly now: () => number
  readonly sleep: Sleep
}

const budget = createIsolateBudget(isolateLimits)

export function taggingDeps(env: Env): TaggingDeps {
  return {
    db: openDatabase(env.DB),
    pictures: env.PICTURES,
    webhookQueue: env.WEBHOOK_QUEUE,
    settings: settingsOf(env),
    budget,
    fetchImage,
    tagPicture,
    now: Date.now,
    sleep,
  }
}
