/**
 * `/start` evaluates the modules of the service and has them refuse a query that has no key; any other path answers at
 * once.
 */
export default {
  async fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    if (new URL(request.url).pathname !== '/start') return new Response()
    const { default: service } = await import('../../src/index.ts')
    return await service.fetch(new Request('https://service.example/garment-tagging/query?uuid=a'), env, ctx)
  },
}
