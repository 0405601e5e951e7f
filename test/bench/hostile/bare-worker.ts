/**
 * Takes the place of `src/index.ts` in the same configuration: reads every request, answers an export with as many
 * bytes as the service, and does nothing else. What requests cost here is the machine's and the local server's.
 */
export { Dispatcher, Gate, Importer, Sweeper, Throttle } from '../floor/bare-worker.ts'

const page = 'ж'.repeat(2_100_000)

export default {
  async fetch(request) {
    await request.arrayBuffer()
    return new Response(new URL(request.url).pathname.endsWith('/export') ? page : '{}')
  },
} satisfies ExportedHandler<Env>
