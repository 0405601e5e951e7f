import { log } from '../../log.ts'
import { countDeadLetter } from '../../usage/count-dead-letter.ts'
import { locationOf } from '../../settings.ts'
import { done, settleEach, type Outcome } from '../../queue/settle.ts'
import { deliveryMessage, type DeliveryMessage } from '../delivery/message.ts'

/** Hands each attempt to its endpoint's dispatcher without waiting for it, so that no receiver delays the queue. */
export async function handleDeliveryBatch(batch: MessageBatch, env: Env): Promise<void> {
  await settleEach(batch, deliveryMessage, (message, { attempts }) => dispatch(env, message, attempts))
}

/** A dead letter changes no state: its delivery is still due, visible as pending, and the sweep enqueues it again. */
export async function handleDeadDeliveryBatch(batch: MessageBatch, env: Pick<Env, 'DB'>): Promise<void> {
  await settleEach(batch, deliveryMessage, async (message) => {
    log('error', 'delivery message dead', message)
    await countDeadLetter(env, 'deliveries', Date.now())
    return done
  })
}

/** Each endpoint has one of its own, and helpers while it is quick, so that a slow receiver delays no neighbour. */
export const dispatcherName = ({ tenantId, endpoint }: Pick<DeliveryMessage, 'tenantId' | 'endpoint'>) =>
  endpoint === undefined ? tenantId : `${tenantId}/${endpoint}`

const maxPauseSeconds = 3600

/** 5 s, 10 s, 20 s ... up to an hour: the ten retries of the queue span 85 minutes. */
export const handOverPauseSeconds = (tries: number) => Math.min(5 * 2 ** (tries - 1), maxPauseSeconds)

async function dispatch(env: Env, message: DeliveryMessage, tries: number): Promise<Outcome> {
  const { tenantId: tenant, deliveryId: delivery } = message
  try {
    const name = dispatcherName(message)
    const accept = async (object: string, mayForward: boolean) =>
      await env.DISPATCHER.getByName(object, locationOf(env)).accept(message, mayForward)
    const answer = await accept(name, true)
    const accepted = typeof answer === 'number' ? await accept(`${name}#${answer}`, false) : answer
    // A full backlog defers the delivery: it stays due, and the sweep enqueues it again.
    if (accepted === false) log('warn', 'delivery deferred', { tenant, delivery })
    return done
  } catch (error) {
    log('error', 'dispatcher not reached', { tenant, delivery, error })
    return { retry: true, delaySeconds: handOverPauseSeconds(tries) }
  }
}
