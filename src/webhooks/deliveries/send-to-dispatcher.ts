import { log } from '../../log.ts'
import type { Sender } from '../../platform/queue/enqueue.ts'
import { done, type Outcome, settleEach } from '../../platform/queue/settle.ts'
import { deadLetterHandler } from '../../platform/queue/dead-letters.ts'
import { sleep } from '../../time.ts'
import { locationOf } from '../../settings.ts'
import { deliveryMessage, type DeliveryMessage } from '../../events/delivery.ts'

const maxWaitMs = 2000

/** Each endpoint has its own dispatcher, so that a slow receiver delays no other. */
export const dispatcherName = ({ tenantId, endpointId }: Pick<DeliveryMessage, 'tenantId' | 'endpointId'>) =>
  `${tenantId}/${endpointId}`

/** Gives an attempt to its endpoint's dispatcher, which does not wait for the receiver. */
async function sendToDispatcher(env: Env, message: DeliveryMessage): Promise<void> {
  const { tenantId: tenant, deliveryId: delivery } = message
  const dispatcher = env.DISPATCHER.getByName(dispatcherName(message), locationOf(env))
  const accepted = await dispatcher.accept(message)
  // A full backlog defers the delivery: it stays due, and the sweep enqueues it again.
  if (!accepted) log('warn', 'delivery deferred', { tenant, delivery })
}

/**
 * Sends messages to dispatchers directly, which saves three queue operations. If a dispatcher does not answer in time,
 * its message goes to the queue. At most one of two attempts gets the claim.
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
      await env.WEBHOOK_QUEUE.send(message)
    }
  },
})

export async function handleDeliveryBatch(batch: MessageBatch, env: Env): Promise<void> {
  await settleEach(batch, deliveryMessage, (message, { attempts }) => dispatch(env, message, attempts))
}

export const handleDeadDeliveryBatch = deadLetterHandler('deliveries', deliveryMessage)

const maxPauseSeconds = 3600

/** 5 s, 10 s, 20 s and so on up to an hour: the ten retries of the queue span 85 minutes. */
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
