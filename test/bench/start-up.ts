/**
 * `node test/bench/start-up.ts`: measures the time from the start of an isolate to its first query response,
 * compared with an empty request: CPU time of workerd, and elapsed time, which other load affects. Excludes reading the
 * script and compiling WASM.
 */
import process from 'node:process'
import { startWorker } from '../eval/start-worker.ts'
import { quantile } from '../support/quantile.ts'
import { processorMs, workerdsOf } from './processes.ts'

const rounds = 7

const vars = {
  RATE_LIMIT_PER_MINUTE: '6',
  JWT_SECRET: 'for this measurement only, for this only',
  ENCRYPTION_KEY: btoa('for this measurement only, alone'),
}

async function measure() {
  const server = await startWorker('../bench/start-up-worker.ts', { vars })
  const pids = workerdsOf(process.pid)
  const time = async (path: string, expected: number) => {
    const [startedAt, usedBefore] = [performance.now(), processorMs(pids)]
    const response = await server.fetch(path)
    await response.arrayBuffer()
    if (response.status !== expected) throw new Error(`The Worker answered ${response.status}`)
    return { clock: performance.now() - startedAt, processor: processorMs(pids) - usedBefore }
  }
  try {
    const empty: Awaited<ReturnType<typeof time>>[] = []
    for (let i = 0; i < 10; i++) empty.push(await time('/', 200))
    const start = await time('/start', 401)
    const beyondEmpty = (unit: keyof typeof start) =>
      start[unit] -
      quantile(
        empty.map((each) => each[unit]),
        0.5,
      )
    return { clock: beyondEmpty('clock'), processor: beyondEmpty('processor') }
  } finally {
    await server.close()
  }
}

const times: Awaited<ReturnType<typeof measure>>[] = []
for (let round = 0; round < rounds; round++) times.push(await measure())
for (const unit of ['processor', 'clock'] as const) {
  const each = times.map((time) => time[unit])
  const all = each.map((ms) => ms.toFixed(0)).join(', ')
  process.stdout.write(`start-up by the ${unit}: ${quantile(each, 0.5).toFixed(0)} ms (${all})\n`)
}
