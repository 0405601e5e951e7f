// Imported first, so that nothing reads the real clock before it is replaced.
import './clock.ts'
import service, { Dispatcher as RealDispatcher } from '../../src/index.ts'
import { withFaults, type FaultRates } from './faults.ts'

export { Gate, LocalCron, Throttle } from '../../src/index.ts'

const rates: FaultRates = { database: 1 / 50, dropped: 1 / 50, doubled: 1 / 50, dispatcher: 1 / 200 }

export class Dispatcher extends RealDispatcher {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, withFaults(env, rates))
  }
}

/** The real service, with faults in its database, queues and dispatchers. */
export default {
  fetch: async (request, env, ctx) => await service.fetch(request, withFaults(env, rates), ctx),
  queue: async (batch, env, ctx) => await service.queue(batch, withFaults(env, rates), ctx),
  scheduled: async (controller, env) => {
    const { cron } = controller
    await service.scheduled({ cron, scheduledTime: Date.now(), noRetry: () => {} }, withFaults(env, rates))
  },
} satisfies ExportedHandler<Env>
