import type { Database } from '../../db/client.ts'
import { log } from '../../log.ts'
import type { Settings } from '../../settings.ts'
import { encryptionKeysOf } from '../config/encrypt.ts'
import { continueEndings } from '../delivery/end-deliveries.ts'
import { continueRangeRedeliveries } from '../redelivery/redeliver-range.ts'
import { eraseOldAnswers } from './erase-old-answers.ts'
import { removeExpiredEndpoints } from './remove-expired-endpoints.ts'
import { eraseFormerSecrets, reencryptConfigs } from './rotate-keys.ts'

/** Each keeps one step far below 50 ms of the database's time. */
const answersInStep = 1000
const secretsInStep = 100
const configsInStep = 25

/** Steps of the pass that erases answers in one sweep: 8,000 attempts and 57 queries. */
const maxErasures = 8

async function eraseAnswers(db: Database, nowMs: number): Promise<number> {
  let count = 0
  for (let step = 0; step < maxErasures; step++) {
    const { erased, hasMore } = await eraseOldAnswers(db, nowMs, answersInStep)
    count += erased
    if (!hasMore) break
  }
  return count
}

interface MaintenanceDeps {
  readonly db: Database
  readonly queue: Queue
  readonly settings: Settings
}

/** One step of each background task of webhooks, some 220 queries at most. One that fails does not stop the others. */
export async function maintainWebhooks({ db, queue, settings }: MaintenanceDeps, nowMs: number): Promise<void> {
  const keys = encryptionKeysOf(settings)
  const tasks = {
    endpointsExpired: removeExpiredEndpoints(db, keys, nowMs),
    deliveriesEnded: continueEndings(db, nowMs),
    rangeRedeliveries: continueRangeRedeliveries({ db, queue }, nowMs),
    configsReencrypted: reencryptConfigs(db, keys, configsInStep),
    formerSecretsErased: eraseFormerSecrets(db, nowMs, secretsInStep),
    answersErased: eraseAnswers(db, nowMs),
  }
  const results = await Promise.allSettled(Object.values(tasks))
  Object.keys(tasks).forEach((task, i) => {
    const result = results[i]
    if (result?.status === 'rejected') log('error', 'webhook maintenance failed', { task, error: result.reason })
    else if (result !== undefined && result.value > 0) log('info', 'webhook maintenance', { task, count: result.value })
  })
}
