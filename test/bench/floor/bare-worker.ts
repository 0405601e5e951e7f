/**
 * The least that a query and an upload cost: the same calls as the service's, in the same order, and nothing else. It
 * takes the place of `src/index.ts` in the same configuration.
 */
import { DurableObject } from 'cloudflare:workers'

/** One stored counter for a domain. */
export class Gate extends DurableObject<Env> {
  count(): number {
    const count = (this.ctx.storage.kv.get<number>('count') ?? 0) + 1
    this.ctx.storage.kv.put('count', count)
    return count
  }
}

export class Throttle extends DurableObject<Env> {}
export class Dispatcher extends DurableObject<Env> {}
export class Sweeper extends DurableObject<Env> {}
export class Importer extends DurableObject<Env> {}

const gateOf = (env: Env, domain: string) => env.GATE.getByName(domain) as unknown as { count(): Promise<number> }

const select = 'SELECT * FROM garments WHERE tenant_id = ? AND uuid = ?'
const insert = `INSERT INTO garments (tenant_id, uuid, number, attribute, row_bytes, origin, status, revision, created_at)
  VALUES (?, ?, abs(random()), json_object('image_url', ?), 0, '', 'queuing', ?, ?)`

export default {
  async fetch(request, env, ctx) {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/health') return new Response()
    const domain = request.headers.get('domain') ?? ''
    await gateOf(env, domain).count()
    if (request.method === 'GET')
      return Response.json(await env.DB.prepare(select).bind(domain, searchParams.get('uuid')).first())
    const { uuid, image_url } = await request.json<{ uuid: string; image_url: string }>()
    await env.DB.prepare(insert).bind(domain, uuid, image_url, crypto.randomUUID(), Date.now()).run()
    ctx.waitUntil(env.TAGGING_QUEUE.send({ domain, uuid }))
    return Response.json({})
  },
} satisfies ExportedHandler<Env>
