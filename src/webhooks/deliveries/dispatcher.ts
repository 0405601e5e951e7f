import { DurableObject } from 'cloudflare:workers'
import { tenantDatabase } from '../../platform/db/databases.ts'
import { forRequest, log } from '../../log.ts'
import { sleep } from '../../time.ts'
import { settingsOf } from '../../settings.ts'
import type { DeliveryMessage } from '../../events/delivery.ts'
import { attemptDelivery, attemptDeps } from './attempt-delivery.ts'
import { createBacklog, createPace } from './backlog.ts'

const limits = {
  /** An invocation may wait on six connections at a time, and an attempt opens one at a time. */
  concurrency: 6,
  /** About 2 MB. */
  maxWaiting: 10_000,
  /** An invocation may make 10,000 subrequests. An attempt makes three, or 20 if the database fails at each step. */
  perInvocation: 480,
} as const

/**
 * Makes the attempts of one endpoint in the background, so that a slow receiver delays only its own deliveries. After a
 * crash the sweep enqueues whatever is due.
 */
export class Dispatcher extends DurableObject<Env> {
  readonly #backlog = createBacklog(
    async (message) => this.#attempt(message),
    () => this.#pause(),
    limits,
  )

  readonly #pace = createPace({ now: Date.now, sleep })

  #isPaused = false

  /** Returns false if the backlog is full. The attempt then stays due, and the sweep enqueues it. */
  accept(message: DeliveryMessage): boolean {
    return this.#backlog.accept(message)
  }

  override alarm(): void {
    this.#isPaused = false
    this.#backlog.proceed()
  }

  #pause(): void {
    if (this.#isPaused) return
    this.#isPaused = true
    this.ctx.storage.setAlarm(Date.now()).catch((error: unknown) => {
      // The next attempt that arrives or ends sets the alarm again.
      this.#isPaused = false
      log('error', 'dispatcher not woken', { error })
    })
  }

  async #attempt(message: DeliveryMessage): Promise<void> {
    await forRequest(message.requestId, async () => {
      try {
        const db = tenantDatabase(this.env, message.tenantId)
        const deps = attemptDeps(db, this.env.WEBHOOK_QUEUE, settingsOf(this.env))
        await attemptDelivery(message, { ...deps, metrics: this.env, pace: this.#pace })
      } catch (error) {
        log('error', 'delivery attempt broke off', { ...message, error })
      }
    })
  }
}
