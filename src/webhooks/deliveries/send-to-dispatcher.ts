import { log } from '../../log.ts'
import type { Sender } from '../../platform/queue/enqueue.ts'
import { done, type Outcome, settleEach } from '../../platform/queue/settle.ts'
import { deadLetterHandler } from '../../platform/queue/dead-letters.ts'
import { sleep } from '../../time.ts'
import { locationOf } from '../../settings.ts'
import { deliveryMessage, type DeliveryMessage } from '../../events/delivery.ts'
import { leaseMs } from '../../events/transitions.ts'

/** A dispatcher answers at once. */
const maxWaitMs = 2000

/** Each endpoint has one of its own, so that a slow receiver delays no neighbour. */
export const dispatcherName = ({ tenantId, endpoint }: Pick<DeliveryMessage, 'tenantId' | 'endpoint'>) =>
  `${tenantId}/${endpoint}`

/** Gives an attempt to its endpoint's dispatcher, which does not wait for the receiver. */
async function sendToDispatcher(env: Env, message: DeliveryMessage): Promise<void> {
  const { tenantId: tenant, deliveryId: delivery } = message
  const dispatcher = env.DISPATCHER.getByName(dispatcherName(message), locationOf(env))
  const accepted = await dispatcher.accept(message)
  // A full backlog defers the delivery: it stays due, and the sweep enqueues it again.
  if (!accepted) log('warn', 'delivery deferred', { tenant, delivery })
}

/**
 * Hands attempts over without the queue, which saves the three operations of a message. If a dispatcher does not answer
 * soon, the message goes by the queue after all; after the claim has expired, if the delivery was started with one. If
 * the dispatcher has accepted it nevertheless, the second finds the attempt claimed.
 */
export const directSender = (env: Env): Sender<DeliveryMessage> => ({
  async send(message) {
    const late = sleep(maxWaitMs).then(() => {
      throw new Error('The dispatcher did not answer')
    })
    try {
      await Promise.race([sendToDispatcher(env, message), late])
    } catch (error) {
      log('warn', 'dispatcher not reached', { tenant: message.tenantId, delivery: message.deliveryId, error })
      const { isClaimed, ...unclaimed } = message
      await env.WEBHOOK_QUEUE.send(unclaimed, { delaySeconds: isClaimed ? leaseMs / 1000 : 0 })
    }
  },
})

/** Hands each attempt to its endpoint's dispatcher without waiting for it, so that no receiver delays the queue. */
export async function handleDeliveryBatch(batch: MessageBatch, env: Env): Promise<void> {
  await settleEach(batch, deliveryMessage, (message, { attempts }) => dispatch(env, message, attempts))
}

export const handleDeadDeliveryBatch = deadLetterHandler('deliveries', deliveryMessage)

const maxPauseSeconds = 3600

/** 5 s, 10 s, 20 s ... up to an hour: the ten retries of the queue span 85 minutes. */
export const dispatchPauseSeconds = (tries: number) => Math.min(5 * 2 ** (tries - 1), maxPauseSeconds)

async function dispatch(env: Env, message: DeliveryMessage, tries: number): Promise<Outcome> {
  try {
    await sendToDispatcher(env, message)
    return done
  } catch (error) {
    log('error', 'dispatcher not reached', { tenant: message.tenantId, delivery: message.deliveryId, error })
    return { retry: true, delaySeconds: dispatchPauseSeconds(tries) }
  }
}
