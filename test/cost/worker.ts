import service, { Dispatcher as RealDispatcher, Sweeper as RealSweeper } from '../../src/index.ts'
import { findExpiringTenants } from '../../src/accounts/retention.ts'
import { removeExpired } from '../../src/operations/sweep.ts'
import { getDatabase } from '../../src/platform/db/databases.ts'
import { eraseOldAnswers } from '../../src/webhooks/maintain-webhooks.ts'
import { countEnv } from './count-env.ts'
import { noCounts } from './counts.ts'

export { Gate, Importer, Throttle } from '../../src/index.ts'

/** Counts, shared with the Durable Objects because they run in the same isolate here. */
const counts = noCounts()

for (const level of ['info', 'warn', 'error'] as const) {
  const write = console[level].bind(console)
  console[level] = (...values: unknown[]) => {
    counts.logLines++
    write(...values)
  }
}

export class Dispatcher extends RealDispatcher {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, countEnv(env, counts))
  }
}

/** Not counted per garment: the sweep costs the same for any number of garments. */
export class Sweeper extends RealSweeper {
  override async alarm(): Promise<void> {}
}

/** Erases receivers' answers and then deletes all garments, as the sweep does after a week and after retention. */
async function expire(env: Env): Promise<void> {
  const nowMs = Date.now()
  for (const table of ['garments', 'deliveries']) await env.DB.exec(`UPDATE ${table} SET created_at = 1`)
  await env.DB.exec('UPDATE delivery_attempts SET at = 1')
  await env.DB.exec('UPDATE tenant_state SET expiry_check_at = 0')
  const counted = countEnv(env, counts)
  const db = getDatabase(counted, 1)
  const tenants = await findExpiringTenants(db, 90, { nowMs, limit: 1 })
  await eraseOldAnswers(db, tenants, nowMs, 500)
  await removeExpired({ db, pictures: counted.PICTURES }, 90, nowMs)
}

/** The real service with counted bindings. */
export default {
  async fetch(request, env, ctx) {
    const { pathname } = new URL(request.url)
    if (pathname === '/test/counts') return Response.json(counts)
    if (pathname === '/test/expire') return Response.json(await expire(env).then(() => counts))
    counts.requests++
    return await service.fetch(request, countEnv(env, counts), ctx)
  },
  async queue(batch, env, ctx) {
    counts.batches++
    // Each message costs a read, and a delete unless it is retried.
    counts.queueOperations += 2 * batch.messages.length
    await service.queue(batch, countEnv(env, counts), ctx)
  },
} satisfies ExportedHandler<Env>
