import { sql } from 'drizzle-orm'
import { batch } from '../../db/batch.ts'
import { openDatabase } from '../../db/client.ts'
import { log } from '../../log.ts'
import { done, settleEach, type Outcome } from '../../queue/settle.ts'
import { endStatements } from '../delivery/end-pending.ts'
import { deliveryMessage, type DeliveryMessage } from '../delivery/message.ts'

/** Hands each attempt to its tenant's dispatcher and is done: no receiver holds up the queue. */
export async function handleDeliveryBatch(batch: MessageBatch, env: Env): Promise<void> {
  await settleEach(batch, deliveryMessage, (message, tries) => dispatch(env, message, tries))
}

/** What could not even be handed over, for more than an hour, ends where its tenant sees it, and can be redelivered by hand. */
export async function handleDeadDeliveryBatch(batch: MessageBatch, env: Env): Promise<void> {
  await settleEach(batch, deliveryMessage, (message) => endDelivery(env, message))
}

const maxPauseSeconds = 3600

/** 5 s, 10 s, 20 s ... up to an hour: ten retries span 85 minutes, so that a passing fault ends no delivery. */
export const handOverPauseSeconds = (tries: number) => Math.min(5 * 2 ** (tries - 1), maxPauseSeconds)

async function dispatch(env: Env, message: DeliveryMessage, tries: number): Promise<Outcome> {
  const { tenantId: tenant, deliveryId: delivery } = message
  try {
    // A backlog that is full defers: the delivery stays due, and the sweep enqueues it when its time has come.
    const accepted = await env.DISPATCHER.getByName(tenant).accept(message)
    if (!accepted) log('warn', 'delivery deferred', { tenant, delivery })
    return done
  } catch (error) {
    log('error', 'dispatcher not reached', { tenant, delivery, error })
    return { retry: true, delaySeconds: handOverPauseSeconds(tries) }
  }
}

async function endDelivery(env: Env, { tenantId, deliveryId, attempt }: DeliveryMessage): Promise<Outcome> {
  const now = Date.now()
  const stillWaits = sql`id = ${deliveryId} AND attempt_count = ${attempt - 1} AND (lease_until IS NULL OR lease_until <= ${now})`
  await batch(
    openDatabase(env.DB),
    endStatements(tenantId, stillWaits, 'The service could not make this attempt; redeliver it', now),
  )
  return done
}
