import { log } from '../log.ts'
import { purgeTenants } from '../tenant/purge-tenants.ts'
import { sweepDeliveries } from '../webhook/delivery/sweep-deliveries.ts'
import { sweepGarments } from '../tagging/sweep-garments.ts'

/** Repairs whatever was lost between the database and the queues. A part that fails does not keep the others from running. */
export async function sweep(env: Env, now: number): Promise<void> {
  const parts = {
    garments: sweepGarments(env, now),
    deliveries: sweepDeliveries(env, now),
    purge: purgeTenants(env, now),
  }
  const results = await Promise.allSettled(Object.values(parts))
  Object.keys(parts).forEach((part, i) => {
    const result = results[i]
    if (result?.status === 'rejected') log('error', 'sweep failed', { part, error: result.reason })
    else if (typeof result?.value === 'number' && result.value > 0)
      log('warn', 'sweep enqueued', { part, count: result.value })
  })
}
