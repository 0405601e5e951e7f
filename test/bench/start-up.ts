/**
 * `node test/bench/start-up.ts`: how long the modules of the service take to run when an isolate starts, by the wall
 * clock: the first import of its entry beside an empty request. Compiling the WASM is not in it.
 */
import { stdout } from 'node:process'
import { startWorker } from '../eval/start-worker.ts'
import { quantile } from '../support/quantile.ts'

const rounds = 5

const vars = {
  RATE_LIMIT_PER_MINUTE: '6',
  JWT_SECRET: 'for this measurement only, for this only',
  ENCRYPTION_KEY: btoa('for this measurement only, alone'),
}

async function measure(): Promise<{ startMs: number; emptyMs: number }> {
  const server = await startWorker('../bench/start-up-worker.ts', vars)
  const time = async (path: string) => {
    const startedAt = performance.now()
    const response = await server.fetch(path)
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`The Worker answered ${response.status}`)
    return performance.now() - startedAt
  }
  try {
    const empty = []
    for (let i = 0; i < 10; i++) empty.push(await time('/'))
    return { startMs: await time('/start'), emptyMs: quantile(empty, 0.5) }
  } finally {
    await server.close()
  }
}

const times: number[] = []
for (let round = 0; round < rounds; round++) {
  const { startMs, emptyMs } = await measure()
  times.push(startMs - emptyMs)
}
stdout.write(`start-up: ${quantile(times, 0.5).toFixed(0)} ms (${times.map((ms) => ms.toFixed(0)).join(', ')})\n`)
