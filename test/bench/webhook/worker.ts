import { AsyncLocalStorage } from 'node:async_hooks'
import service, { Dispatcher as RealDispatcher } from '../../../src/index.ts'
import { nextMessage } from '../../../src/events/delivery.ts'
import { signatureHeaders } from '../../../src/webhooks/endpoints/secret.ts'
import { replaceMethods, wrapDatabase } from '../../support/wrap-database.ts'

export { Gate, Importer, Sweeper, Throttle } from '../../../src/index.ts'

/** Connections that the platform allows an invocation or an object at a time. A seventh waits. */
const maxConnections = 6

type Connections = <T>(call: () => Promise<T>) => Promise<T>

function limitConnections(): Connections {
  let open = 0
  const waiting: (() => void)[] = []
  return async (call) => {
    if (open >= maxConnections) await new Promise<void>((resolve) => waiting.push(resolve))
    open++
    try {
      return await call()
    } finally {
      open--
      waiting.shift()?.()
    }
  }
}

/** Open connections of the object that is running. */
const current = new AsyncLocalStorage<Connections>()
const realFetch = globalThis.fetch
globalThis.fetch = async (input, init) => {
  const connections = current.getStore()
  return connections === undefined ? await realFetch(input, init) : await connections(() => realFetch(input, init))
}

function limitEnv(env: Env, connections: Connections): Env {
  const queue = env.WEBHOOK_QUEUE
  return {
    ...env,
    DB: wrapDatabase(env.DB, async (run) => await connections(run)),
    WEBHOOK_QUEUE: replaceMethods(queue, {
      send: async (body: unknown, options?: QueueSendOptions) => await connections(() => queue.send(body, options)),
    }),
  }
}

/** The real dispatcher with the platform's limit of connections, which local runtimes do not enforce. */
export class Dispatcher extends RealDispatcher {
  readonly #connections: Connections

  constructor(ctx: DurableObjectState, env: Env) {
    const connections = limitConnections()
    super(ctx, limitEnv(env, connections))
    this.#connections = connections
  }

  override accept(...args: Parameters<RealDispatcher['accept']>): boolean {
    return current.run(this.#connections, () => super.accept(...args))
  }

  /** Sends signed requests as fast as one object can. Deliveries are compared with this. */
  async sendBare(url: string, secret: string, count: number): Promise<void> {
    const body = new TextEncoder().encode(JSON.stringify({ event: 'tagging.completed', filler: 'x'.repeat(1500) }))
    let left = count
    const sendOnes = async () => {
      while (left-- > 0) {
        const id = crypto.randomUUID()
        const headers = await signatureHeaders({ id, body, secrets: [secret], nowMs: Date.now() })
        await (await this.#connections(() => realFetch(url, { method: 'POST', headers, body }))).text()
      }
    }
    await Promise.all(Array.from({ length: maxConnections }, sendOnes))
  }
}

const columns = 'tenant_id, row_bytes, attribute, origin, status, revision, result, created_at, ended_at'

/** Copies the only garment `count` times, each with a pending delivery, and enqueues them all. */
async function enqueueMany(env: Env, count: number): Promise<void> {
  const now = Date.now()
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO garments (uuid, number, ${columns})
       ${numbers} SELECT '${now}-' || i, 1000 + i, ${columns} FROM n JOIN garments ON uuid = 'g'`,
    ),
    env.DB.prepare(
      `INSERT INTO deliveries (id, tenant_id, garment_uuid, kind, endpoint_id, status, next_attempt_at, due_at, created_at, updated_at)
       ${numbers} SELECT '${now}-' || i, tenant_id, '${now}-' || i, 'tagging', 'first', 'pending', ${now}, ${now + 600_000}, ${now}, ${now}
       FROM n JOIN garments ON uuid = 'g'`,
    ),
  ])
  const tenantId = await env.DB.prepare(`SELECT tenant_id FROM garments WHERE uuid = 'g'`).first<string>('tenant_id')
  if (tenantId === null) throw new Error('There is no garment')
  for (let from = 1; from <= count; from += 100) {
    const ids = Array.from({ length: Math.min(100, count - from + 1) }, (_, i) => `${now}-${from + i}`)
    const bodies = ids.map((id) => nextMessage({ tenantId, id, endpointId: 'first', attemptCount: 0 }))
    await env.WEBHOOK_QUEUE.sendBatch(bodies.map((body) => ({ body })))
  }
}

export default {
  ...service,
  async fetch(request, env, ctx) {
    const { pathname, searchParams } = new URL(request.url)
    const dispatchers = env.DISPATCHER as unknown as DurableObjectNamespace<Dispatcher>
    const of = (name: string) => searchParams.get(name) ?? ''
    if (pathname === '/bench/enqueue') await enqueueMany(env, Number(of('count')))
    else if (pathname === '/bench/bare')
      await dispatchers.getByName('bare').sendBare(of('url'), of('secret'), Number(of('count')))
    else return await service.fetch(request, env, ctx)
    return new Response('ok')
  },
} satisfies ExportedHandler<Env>
