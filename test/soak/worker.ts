// Imported first, so that nothing reads the real clock before it is replaced.
import { serviceTime } from './clock.ts'
import { env as startEnv } from 'cloudflare:workers'
import service, { Dispatcher as RealDispatcher, Sweeper as RealSweeper } from '../../src/index.ts'
import { withFaults, type FaultRates, type Outage } from './faults.ts'

export { Gate, Importer, Throttle } from '../../src/index.ts'

const rates: FaultRates = { database: 1 / 50, dropped: 1 / 50, doubled: 1 / 50, dispatcher: 1 / 200 }

const { SOAK_OUTAGE_START, SOAK_OUTAGE_END, SOAK_OUTAGE_DATABASE } = startEnv as unknown as Record<string, string>
const outage: Outage = {
  startMs: Number(SOAK_OUTAGE_START),
  endMs: Number(SOAK_OUTAGE_END),
  database: SOAK_OUTAGE_DATABASE === undefined ? undefined : Number(SOAK_OUTAGE_DATABASE),
}

export class Dispatcher extends RealDispatcher {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, withFaults(env, rates, outage))
  }
}

export class Sweeper extends RealSweeper {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, withFaults(env, rates, outage))
  }

  /** At once, because alarms keep the real clock. */
  override async wake(database: number): Promise<void> {
    this.ctx.storage.kv.put('database', database)
    await this.alarm()
  }
}

/** Returns the batch with sending times in the service's clock. */
function onServiceClock(batch: MessageBatch): MessageBatch {
  const messages = batch.messages.map((message) => ({
    id: message.id,
    body: message.body,
    attempts: message.attempts,
    timestamp: new Date(serviceTime(Number(message.timestamp))),
    ack: () => message.ack(),
    retry: (options?: QueueRetryOptions) => message.retry(options),
  }))
  return {
    queue: batch.queue,
    messages,
    metadata: batch.metadata,
    ackAll: () => batch.ackAll(),
    retryAll: (options) => batch.retryAll(options),
  }
}

/** The real service, with faults in its database, queues and dispatchers. */
export default {
  fetch: async (request, env, ctx) => await service.fetch(request, withFaults(env, rates, outage), ctx),
  queue: async (batch, env, ctx) => await service.queue(onServiceClock(batch), withFaults(env, rates, outage), ctx),
  scheduled: async (controller, env) => {
    const { cron } = controller
    await service.scheduled({ cron, scheduledTime: Date.now(), noRetry: () => {} }, withFaults(env, rates, outage))
  },
} satisfies ExportedHandler<Env>
