import { log } from '../../log.ts'
import { countDeadLetter } from '../../usage/count-dead-letter.ts'
import { done, settleEach, type Outcome } from '../../queue/settle.ts'
import { deliveryMessage, type DeliveryMessage } from '../delivery/message.ts'
import { handOver } from './hand-over.ts'

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

const maxPauseSeconds = 3600

/** 5 s, 10 s, 20 s ... up to an hour: the ten retries of the queue span 85 minutes. */
export const handOverPauseSeconds = (tries: number) => Math.min(5 * 2 ** (tries - 1), maxPauseSeconds)

async function dispatch(env: Env, message: DeliveryMessage, tries: number): Promise<Outcome> {
  try {
    await handOver(env, message)
    return done
  } catch (error) {
    log('error', 'dispatcher not reached', { tenant: message.tenantId, delivery: message.deliveryId, error })
    return { retry: true, delaySeconds: handOverPauseSeconds(tries) }
  }
}
