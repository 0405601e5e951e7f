import { env as startEnv } from 'cloudflare:workers'
import { settingsOf } from './settings.ts'
import { createApp } from './platform/http/create-app.ts'
import { garmentRoutes } from './garments/garment-routes.ts'
import { wakeSweepers } from './operations/sweeper.ts'
import { handleDeadDeliveryBatch, handleDeliveryBatch } from './webhooks/deliveries/send-to-dispatcher.ts'

export { Gate } from './accounts/gate-object.ts'
export { Importer } from './imports/importer.ts'
export { Throttle } from './platform/limits/throttle-object.ts'
export { Sweeper } from './operations/sweeper.ts'
export { Dispatcher } from './webhooks/deliveries/dispatcher.ts'

// A bad setting stops the Worker at its start, with a sentence that names it.
const { ALLOW_LOCAL_TARGETS: isLocal } = settingsOf(startEnv)

/**
 * Uploads and queries, nearly all that is asked. What an isolate is asked besides (the rest of the API, the dashboard,
 * tagging) is loaded by its first request, since all modules together take three times as long to run as these.
 */
const frequentApp = createApp((app) => app.route('/', garmentRoutes))
const isFrequent = /^https?:\/\/[^/]+\/garment-tagging\/(?:upload|query)(?:\?|$)/

type BatchHandler = (batch: MessageBatch, env: Env, ctx: ExecutionContext) => Promise<void>

/** The handler of a queue by what its name contains, so that it may be named differently in another environment. */
const batchHandlers: readonly (readonly [RegExp, BatchHandler])[] = [
  [/tagging.*dead/, async (batch, env) => (await import('./tagging/queue.ts')).handleDeadTaggingBatch(batch, env)],
  [/tagging/, async (batch, env, ctx) => (await import('./tagging/queue.ts')).handleTaggingBatch(batch, env, ctx)],
  [/(webhook|deliver).*dead/, handleDeadDeliveryBatch],
  [/webhook|deliver/, handleDeliveryBatch],
]

let wokeSweepers = false

export default {
  async fetch(request, env, ctx) {
    // `wrangler dev` runs no cron triggers.
    if (isLocal && !wokeSweepers) {
      wokeSweepers = true
      ctx.waitUntil(wakeSweepers(env))
    }
    const app = isFrequent.test(request.url) ? frequentApp : (await import('./app.ts')).app
    return await app.fetch(request, env, ctx)
  },

  async queue(batch, env, ctx) {
    const found = batchHandlers.find(([name]) => name.test(batch.queue))
    if (found === undefined) throw new Error(`No handler for the queue ${batch.queue}`)
    await found[1](batch, env, ctx)
  },

  async scheduled(_controller, env) {
    await wakeSweepers(env)
  },
} satisfies ExportedHandler<Env>
