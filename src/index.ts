import { env as startEnv } from 'cloudflare:workers'
import { settingsOf } from './settings.ts'
import { app } from './app.ts'
import { sweep } from './sweep/sweep.ts'
import { handleDeadTaggingBatch, handleTaggingBatch } from './tagging/queue.ts'
import { handleDeadDeliveryBatch, handleDeliveryBatch } from './webhook/dispatch/queue.ts'

export { Gate } from './gate/object.ts'
export { Importer } from './import/run/importer.ts'
export { Throttle } from './rate-limit/throttle-object.ts'
export { LocalCron } from './local/cron.ts'
export { Dispatcher } from './webhook/dispatch/dispatcher.ts'

// A bad setting stops the Worker at its start, with a sentence that names it.
const { ALLOW_LOCAL_TARGETS: isLocal } = settingsOf(startEnv)

type BatchHandler = (batch: MessageBatch, env: Env, ctx: ExecutionContext) => Promise<void>

const batchHandlers: Readonly<Record<string, BatchHandler>> = {
  'garment-tagging': handleTaggingBatch,
  'garment-tagging-dead': handleDeadTaggingBatch,
  'webhook-delivery': handleDeliveryBatch,
  'webhook-delivery-dead': handleDeadDeliveryBatch,
}

let cronStarted = false

export default {
  async fetch(request, env, ctx) {
    if (isLocal && !cronStarted) {
      cronStarted = true
      ctx.waitUntil(env.LOCAL_CRON.getByName('cron').start())
    }
    return await app.fetch(request, env, ctx)
  },

  async queue(batch, env, ctx) {
    // In a deployed environment the names of the queues end with its name.
    const handle = batchHandlers[batch.queue.replace(/-(production|staging)$/, '')]
    if (handle === undefined) throw new Error(`No handler for the queue ${batch.queue}`)
    await handle(batch, env, ctx)
  },

  async scheduled(controller, env) {
    await sweep(env, controller.scheduledTime)
  },
} satisfies ExportedHandler<Env>
