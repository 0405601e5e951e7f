import { DurableObject } from 'cloudflare:workers'
import { tenantDatabase } from '../../db/databases/find-database.ts'
import { log } from '../../log.ts'
import { sleep } from '../../time.ts'
import { settingsOf } from '../../settings.ts'
import type { DeliveryMessage } from '../delivery/message.ts'
import { attemptDelivery, attemptDeps } from './attempt-delivery.ts'
import { createBacklog } from './backlog.ts'
import { firstConcurrency, helperOf, nextConcurrency } from './concurrency.ts'
import { createPace } from './pace.ts'

/** About 2 MB. */
const maxWaiting = 10_000

/**
 * Makes the attempts of one endpoint in the background, so that a slow or dead receiver delays only its own deliveries.
 * It makes more at a time while they are answered quickly, and fewer when they are not. It holds state in memory only:
 * the database knows what is due, and the sweep enqueues it after a crash.
 */
export class Dispatcher extends DurableObject<Env> {
  #concurrency = firstConcurrency
  /** Whether the endpoint has a rate limit, which only a single object can enforce. */
  #isPaced = false
  #turn = 0

  readonly #backlog = createBacklog(async (message) => this.#attempt(message), {
    concurrency: () => this.#concurrency.limit,
    maxWaiting,
  })

  readonly #pace = createPace({ now: Date.now, sleep })

  /**
   * Returns at once. False if the backlog is full: the attempt then stays due, and the sweep enqueues it. If it may be
   * forwarded, possibly the number of the helper that is to accept it in place of this object.
   */
  accept(message: DeliveryMessage, mayForward = false): boolean | number {
    if (!mayForward || this.#isPaced) return this.#backlog.accept(message)
    const load = { limit: this.#concurrency.limit, waiting: this.#backlog.waiting(), turn: this.#turn }
    const helper = helperOf(load)
    this.#turn++
    return helper === 0 ? this.#backlog.accept(message) : helper
  }

  async #attempt(message: DeliveryMessage): Promise<void> {
    const { METRICS: metrics, WEBHOOK_QUEUE } = this.env
    try {
      const db = tenantDatabase(this.env, message.tenantId)
      const deps = attemptDeps(db, WEBHOOK_QUEUE, settingsOf(this.env))
      await attemptDelivery(message, {
        ...deps,
        metrics,
        pace: async (maxPerSecond) => {
          this.#isPaced = maxPerSecond !== null
          await this.#pace(maxPerSecond)
        },
        call: async (call, origin) => {
          const answer = await deps.call(call, origin)
          this.#concurrency = nextConcurrency(this.#concurrency, answer)
          return answer
        },
      })
    } catch (error) {
      log('error', 'delivery attempt broke off', { ...message, error })
    }
  }
}
