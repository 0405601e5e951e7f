import { log } from '../../log.ts'
import type { Sender } from '../../queue/enqueue.ts'
import { sleep } from '../../time.ts'
import { locationOf } from '../../settings.ts'
import type { DeliveryMessage } from '../delivery/message.ts'
import { leaseMs } from '../delivery/transitions.ts'

/** A dispatcher answers at once. */
const maxWaitMs = 2000

/** Each endpoint has one of its own, and helpers while it is quick, so that a slow receiver delays no neighbour. */
export const dispatcherName = ({ tenantId, endpoint }: Pick<DeliveryMessage, 'tenantId' | 'endpoint'>) =>
  `${tenantId}/${endpoint}`

/** Hands an attempt to its endpoint's dispatcher, which does not wait for the receiver. */
export async function handOver(env: Env, message: DeliveryMessage): Promise<void> {
  const { tenantId: tenant, deliveryId: delivery } = message
  const name = dispatcherName(message)
  const accept = async (object: string, mayForward: boolean) =>
    await env.DISPATCHER.getByName(object, locationOf(env)).accept(message, mayForward)
  const answer = await accept(name, true)
  const accepted = typeof answer === 'number' ? await accept(`${name}#${answer}`, false) : answer
  // A full backlog defers the delivery: it stays due, and the sweep enqueues it again.
  if (accepted === false) log('warn', 'delivery deferred', { tenant, delivery })
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
      await Promise.race([handOver(env, message), late])
    } catch (error) {
      log('warn', 'dispatcher not reached', { tenant: message.tenantId, delivery: message.deliveryId, error })
      const { isClaimed, ...unclaimed } = message
      await env.WEBHOOK_QUEUE.send(unclaimed, { delaySeconds: isClaimed ? leaseMs / 1000 : 0 })
    }
  },
})
