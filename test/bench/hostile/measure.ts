import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createMerchant } from '../../support/api-client.ts'
import { freePort } from '../../support/free-port.ts'
import { startService } from '../../support/start-service.ts'
import { writeConfig } from '../../support/write-config.ts'
import { watchIsolate } from './watch-isolate.ts'

/** Sends requests to a service, and says what came of them. */
type Act = (url: string) => Promise<string>

/** Maximum growth of the database in MB: as much text as the default quotas allow a tenant. */
const maxGrowthMb = 200
const maxHeapMb = 100
const maxRatio = 2

/** An attack at the empty Worker ends early, so it is repeated for this time. */
const minBareMs = 2000

/** Starts the service, with another tenant in it, and a Worker that does nothing. */
export async function startMeasuring() {
  const persistTo = mkdtempSync(join(tmpdir(), 'garment-tagging-'))
  const [port, inspectorPort] = [await freePort(), await freePort()]
  const vars = { RATE_LIMIT_PER_MINUTE: '1000' }
  const service = await startService({ port, persistTo, vars, inspectorPort })
  const [barePort, bareInspectorPort] = [await freePort(), await freePort()]
  const bare = await startService({
    port: barePort,
    persistTo: join(persistTo, 'bare'),
    config: writeConfig({ main: 'test/bench/hostile/bare-worker.ts', databases: 1 }),
    inspectorPort: bareInspectorPort,
  })

  const other = await createMerchant(service.url, 'Other')

  const databaseMb = () =>
    globSync(`${persistTo}/**/*d1*/**/*.sqlite*`).reduce((sum, file) => sum + statSync(file).size, 0) / 1_000_000

  let missed = 0
  function report(what: string, value: number, goal: number, unit: string): void {
    if (value > goal) missed++
    const text = `  ${what}: ${value.toFixed(1)} ${unit}, at most ${goal.toFixed(1)}${value > goal ? ' MISSED' : ''}`
    process.stdout.write(`${text}\n`)
  }

  /** The first measurement, in which nothing happens. */
  let idleMs = Infinity

  /** `/health`, and the 95th percentile of requests, beside `act` at a Worker that does nothing, in ms. */
  async function measureBare(act: Act) {
    let outcome = ''
    const attack = async () => {
      const until = performance.now() + minBareMs
      do outcome = await act(bare.url)
      while (performance.now() < until)
    }
    const ask = async () => await (await fetch(`${bare.url}/query`)).text()
    const { healthMs, othersMs } = await watchIsolate(bare.url, bareInspectorPort, attack, ask)
    const text = `/health ${healthMs} ms, requests ${othersMs.toFixed(1)} ms; ${outcome}`
    process.stdout.write(`At a Worker that does nothing: ${text}\n`)
    return { healthMs, othersMs }
  }

  async function measure(name: string, act: Act, maxHealthMs = 300): Promise<void> {
    const nothing = await measureBare(act)
    const before = databaseMb()
    let outcome = ''
    const ask = async () => await other.client.query('x').catch(() => null)
    const { heapMb, healthMs, othersMs } = await watchIsolate(
      service.url,
      inspectorPort,
      async () => void (outcome = await act(service.url)),
      ask,
    )
    process.stdout.write(`${name}: ${outcome}\n`)
    report('heap', heapMb, maxHeapMb, 'MB')
    report(`/health, ${nothing.healthMs} at a Worker that does nothing`, healthMs, maxHealthMs, 'ms')
    report('database grows by', databaseMb() - before, maxGrowthMb, 'MB')
    if (idleMs === Infinity) idleMs = othersMs
    report("another tenant's requests, 95th percentile", othersMs, Math.max(idleMs, nothing.othersMs) * maxRatio, 'ms')
  }

  return {
    service,
    bare,
    measure,
    report,
    missed: () => missed,
    async stop() {
      await Promise.all([service.stop(), bare.stop()])
      rmSync(persistTo, { recursive: true, force: true })
    },
  }
}
