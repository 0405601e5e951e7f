// Imported first, so that nothing reads the real clock before it is replaced.
import './clock.ts'
import { env as startEnv } from 'cloudflare:workers'
import service, { Dispatcher as RealDispatcher } from '../../src/index.ts'
import { withFaults, type FaultRates, type Outage } from './faults.ts'

export { Gate, Importer, LocalCron, Throttle } from '../../src/index.ts'

const rates: FaultRates = { database: 1 / 50, dropped: 1 / 50, doubled: 1 / 50, dispatcher: 1 / 200 }

const { SOAK_OUTAGE_START, SOAK_OUTAGE_END } = startEnv as unknown as Record<string, string>
const outage: Outage = { startMs: Number(SOAK_OUTAGE_START), endMs: Number(SOAK_OUTAGE_END) }

export class Dispatcher extends RealDispatcher {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, withFaults(env, rates, outage))
  }
}

/** The real service, with faults in its database, queues and dispatchers. */
export default {
  fetch: async (request, env, ctx) => await service.fetch(request, withFaults(env, rates, outage), ctx),
  queue: async (batch, env, ctx) => await service.queue(batch, withFaults(env, rates, outage), ctx),
  scheduled: async (controller, env) => {
    const { cron } = controller
    await service.scheduled({ cron, scheduledTime: Date.now(), noRetry: () => {} }, withFaults(env, rates, outage))
  },
} satisfies ExportedHandler<Env>
