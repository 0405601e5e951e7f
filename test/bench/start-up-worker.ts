/** `/start` evaluates the modules of the service, once; any other path answers at once. */
export default {
  async fetch(request: Request): Promise<Response> {
    if (new URL(request.url).pathname === '/start') await import('../../src/index.ts')
    return new Response()
  },
}
