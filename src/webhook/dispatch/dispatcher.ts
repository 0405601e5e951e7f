import { DurableObject } from 'cloudflare:workers'
import { openDatabase } from '../../db/client.ts'
import { settingsOf } from '../../settings.ts'
import { log } from '../../log.ts'
import { attemptDelivery, attemptTools } from './attempt-delivery.ts'
import { createBacklog } from './backlog.ts'
import type { DeliveryMessage } from '../delivery/message.ts'

/** A Worker may have six connections waiting for an answer: a receiver that never answers must leave some for the database. */
const concurrency = 4

/** About 2 MB. */
const maxWaiting = 10_000

/**
 * Makes the attempts of one tenant, in the background, so that a receiver that is slow or dead keeps only its own
 * tenant's deliveries waiting. Memory only: the database knows what is due, and the sweep brings it back after a crash.
 */
export class Dispatcher extends DurableObject<Env> {
  readonly #backlog = createBacklog(async (message) => this.#attempt(message), { concurrency, maxWaiting })

  /** Returns at once; false if the backlog is full, in which case the attempt stays due and the sweep brings it back. */
  accept(message: DeliveryMessage): boolean {
    return this.#backlog.accept(message)
  }

  async #attempt(message: DeliveryMessage): Promise<void> {
    const { DB, WEBHOOK_QUEUE } = this.env
    try {
      await attemptDelivery(message, attemptTools(openDatabase(DB), WEBHOOK_QUEUE, settingsOf(this.env)))
    } catch (error) {
      log('error', 'delivery attempt failed on our side', { ...message, error })
    }
  }
}
