/**
 * `npm run bench -- --floor`: the processor time of queries and uploads, and their throughput, beside those of a bare
 * Worker that makes the same calls. Nine rounds in turn, so that whatever else the machine does meets both; the figures
 * are the medians of the rounds' ratios. On a busy machine the throughput tells little, and processor time more. It is
 * that of workerd, which runs the Worker, its objects, the local database, and the harness's proxy.
 *
 * Both run in wrangler's test harness, not in `wrangler dev`, which attaches an inspector: with it the log line of a
 * request costs 0.9 ms of processor time, without it 0.1 ms, and a deployed Worker has none. Nor has it the local store
 * of traces, which takes a third of a request's time of both.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import process from 'node:process'
import { createTestHarness } from 'wrangler'
import { newApiKey } from '../../../src/accounts/api-keys.ts'
import { quantile } from '../../support/quantile.ts'
import { processorMs, workerdsOf } from '../processes.ts'
import { fillDatabase, type Caller } from './fill-database.ts'

const rounds = 9
const requestsInRound = 150
const concurrency = 8
/** So many that the window of each stays short, as it is with the standard limit. */
const tenantCount = 50

/** Writes a copy of `wrangler.toml` with another entry point and without consumers, so that no upload is tagged. */
function writeConfig(name: string, main: string): string {
  const [top = ''] = readFileSync('wrangler.toml', 'utf8').split('\n# The deployed environments.')
  const config = top
    .replace('main = "src/index.ts"', `main = "../${main}"`)
    .replace(/^(migrations_dir|directory) = "/gm, '$1 = "../')
    .replace('zod = "./', 'zod = "../')
    .replace(/\[\[queues\.consumers\]\]\n(?:(?!\[).*\n?)*/g, '')
  const path = `.wrangler/${name}.toml`
  mkdirSync('.wrangler', { recursive: true })
  writeFileSync(path, config)
  return path
}

const vars = {
  RATE_LIMIT_PER_MINUTE: '10000',
  MAX_WAITING_GARMENTS: '1000000',
  JWT_SECRET: 'for this measurement only, for this only',
  ENCRYPTION_KEY: btoa('for this measurement only, alone'),
}

async function startWorker(name: string, main: string, callers: readonly Caller[]) {
  const others = workerdsOf(process.pid)
  const harness = createTestHarness({ workers: [{ configPath: writeConfig(name, main), vars }] })
  const { url } = await harness.listen()
  const { DB } = await harness.getWorker<Env>().getEnv()
  await fillDatabase(DB, callers)
  const pids = workerdsOf(process.pid).filter((pid) => !others.includes(pid))
  return { url: url.origin, pids, stop: async () => await harness.close() }
}

interface Call {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

const agent = new Agent({ keepAlive: true, maxSockets: concurrency })

async function send(url: string, { method, path, headers, body }: Call): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const sent = request(url + path, { method, headers, agent }, (response) => {
      response.resume()
      response.once('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`${method} ${path}: ${response.statusCode}`)),
      )
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

type Server = Pick<Awaited<ReturnType<typeof startWorker>>, 'url' | 'pids'>

async function sendRound({ url, pids }: Server, nextCall: () => Call) {
  const [startedAt, usedBefore] = [performance.now(), processorMs(pids)]
  let left = requestsInRound
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (left-- > 0) await send(url, nextCall())
    }),
  )
  return {
    perSecond: (requestsInRound * 1000) / (performance.now() - startedAt),
    processorMs: (processorMs(pids) - usedBefore) / requestsInRound,
  }
}

export async function measureFloor(): Promise<void> {
  process.env['X_LOCAL_OBSERVABILITY'] = 'false'
  const callers = Array.from({ length: tenantCount }, (_, i) => ({ domain: `floor-${i}`, apiKey: newApiKey() }))
  const service = await startWorker('floor-service', 'src/index.ts', callers)
  const bare = await startWorker('floor-bare', 'test/bench/floor/bare-worker.ts', callers)
  try {
    const credentials = callers.map(({ domain, apiKey }) => ({ 'API-KEY': apiKey, DOMAIN: domain }))
    let made = 0
    const upload = (): Call => {
      const body = JSON.stringify({ uuid: `g${made}`, image_url: 'https://images.example/x.jpg' })
      const headers = { ...credentials[made++ % tenantCount], 'Content-Type': 'application/json' }
      return { method: 'POST', path: '/garment-tagging/upload', headers, body }
    }
    let asked = 0
    const query = (): Call => {
      const i = asked++ % requestsInRound
      return { method: 'GET', path: `/garment-tagging/query?uuid=g${i}`, headers: { ...credentials[i % tenantCount] } }
    }
    // The first round of both warms them up and makes the garments that are queried.
    for (const server of [service, bare]) {
      made = 0
      await sendRound(server, upload)
      await sendRound(server, query)
    }
    for (const [name, nextCall] of Object.entries({ query, upload })) {
      const pairs: Record<'ours' | 'floor', Awaited<ReturnType<typeof sendRound>>>[] = []
      for (let round = 0; round < rounds; round++) {
        const from = made
        const ours = await sendRound(service, nextCall)
        made = from
        pairs.push({ ours, floor: await sendRound(bare, nextCall) })
      }
      const median = (values: number[]) => quantile(values, 0.5).toFixed(2)
      const say = (what: string, unit: 'perSecond' | 'processorMs', ratios: number[]) =>
        process.stdout.write(
          `${name}: ${median(ratios)} of the bare Worker's ${what} ` +
            `(${median(pairs.map(({ ours }) => ours[unit]))} and ${median(pairs.map(({ floor }) => floor[unit]))}; ` +
            `ratios ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}, of ${rounds} rounds)\n`,
        )
      const faster = pairs.map(({ ours, floor }) => ours.perSecond / floor.perSecond)
      const thriftier = pairs.map(({ ours, floor }) => floor.processorMs / ours.processorMs)
      say('requests for the same processor time, in ms for each', 'processorMs', thriftier)
      say('throughput, in requests a second', 'perSecond', faster)
    }
  } finally {
    await Promise.all([service.stop(), bare.stop()])
  }
}
