import { DurableObject } from 'cloudflare:workers'
import { tenantDatabase } from '../../db/databases/find-database.ts'
import { settingsOf } from '../../settings.ts'
import { log } from '../../log.ts'
import { sleep } from '../../queue/retry-fault.ts'
import { attemptDelivery, attemptDeps } from './attempt-delivery.ts'
import { createBacklog } from './backlog.ts'
import { createPace } from './pace.ts'
import type { DeliveryMessage } from '../delivery/message.ts'

/** A Worker may wait on six connections at a time: receivers that never answer must leave some for the database. */
const concurrency = 4

/** About 2 MB. */
const maxWaiting = 10_000

/**
 * Makes the attempts of one endpoint in the background, so that a slow or dead receiver delays only its own deliveries. It holds state in memory only: the database knows what is due, and the sweep enqueues it after a crash.
 */
export class Dispatcher extends DurableObject<Env> {
  readonly #backlog = createBacklog(async (message) => this.#attempt(message), { concurrency, maxWaiting })

  readonly #pace = createPace({ now: Date.now, sleep })

  /** Returns at once. False if the backlog is full: the attempt then stays due, and the sweep enqueues it. */
  accept(message: DeliveryMessage): boolean {
    return this.#backlog.accept(message)
  }

  async #attempt(message: DeliveryMessage): Promise<void> {
    const { METRICS, WEBHOOK_QUEUE } = this.env
    try {
      const db = tenantDatabase(this.env, message.tenantId)
      const deps = attemptDeps(db, WEBHOOK_QUEUE, settingsOf(this.env))
      await attemptDelivery(message, { ...deps, metrics: METRICS, pace: this.#pace })
    } catch (error) {
      log('error', 'delivery attempt broke off', { ...message, error })
    }
  }
}
