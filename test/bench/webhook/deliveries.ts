/**
 * `node test/bench/webhook/deliveries.ts`: measures deliveries per second to one endpoint that responds in 20 ms,
 * through the real queue. Compares them with a bare loop of signed requests from one Durable Object. Both use at most
 * six connections, as the platform allows. The two take turns.
 *
 * --count 1500   deliveries per round
 * --rounds 3     number of rounds
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { encodeJpeg } from '../../../src/vision/image/encode-jpeg.ts'
import { makeFlatLay } from '../../../training/flat-lay/make-flat-lay.ts'
import { createMerchant } from '../../support/api-client.ts'
import { freePort } from '../../support/free-port.ts'
import { startHttpHost } from '../../support/http-host.ts'
import { quantile } from '../../support/quantile.ts'
import { startService } from '../../support/start-service.ts'
import { writeConfig } from '../../support/write-config.ts'

const { values: options } = parseArgs({
  options: { count: { type: 'string', default: '1500' }, rounds: { type: 'string', default: '3' } },
})
const count = Number(options.count)
const secret = `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`

// In memory if possible, so that the disk does not limit the throughput.
const base = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const persistTo = mkdtempSync(join(base, 'garment-tagging-deliveries-'))
const host = await startHttpHost()
const service = await startService({
  port: await freePort(),
  persistTo,
  config: writeConfig({ main: 'test/bench/webhook/worker.ts', databases: 1 }),
  vars: { RATE_LIMIT_PER_MINUTE: '10000', SIGN_IN_LIMIT_PER_MINUTE: '1000', ALLOW_LOCAL_TARGETS: 'true' },
})

/** Returns requests per second, from the first to the last of `count` requests after `start`. */
async function measure(name: string, start: Promise<unknown>): Promise<number> {
  await start
  for (let waited = 0; host.received(name).length < count && waited < 120_000; waited += 20) await sleep(20)
  const times = host.received(name).map(({ at }) => at)
  if (times.length < count) throw new Error(`${times.length} of ${count} requests arrived`)
  return (count - 1) / ((Math.max(...times) - Math.min(...times)) / 1000)
}

try {
  const { tenant } = await createMerchant(service.url, 'deliveries')
  const picture = encodeJpeg(makeFlatLay(1, { width: 96, height: 128 }).picture)
  await tenant.expectSuccess('POST', '/garment-tagging/upload', { uuid: 'g', image_url: host.store('g.jpg', picture) })
  const isComplete = async () =>
    ((await tenant.expectSuccess('GET', '/garment-tagging/query?uuid=g')) as { complete: boolean }).complete
  while (!(await isComplete())) await sleep(200)
  const rounds: { bare: number; delivered: number }[] = []
  for (let round = 0; round < Number(options.rounds); round++) {
    const [bareName, name] = [`bare-${round}`, `delivered-${round}`]
    const receiver = (to: string) => `${host.origin}/to/${to}?delay=20`
    const bareQuery = new URLSearchParams({ url: receiver(bareName), secret, count: String(count) })
    const bare = await measure(bareName, fetch(`${service.url}/bench/bare?${bareQuery.toString()}`))
    const config = { enabled: true, url: receiver(name), secret }
    await tenant.expectSuccess('PUT', '/garment-tagging/webhook/config', config)
    const delivered = await measure(name, fetch(`${service.url}/bench/enqueue?count=${count}`))
    console.log(
      `${delivered.toFixed(0)} deliveries a second; bare ${bare.toFixed(0)}; ratio ${(delivered / bare).toFixed(2)}`,
    )
    rounds.push({ bare, delivered })
  }
  const median = (values: number[]) => quantile(values, 0.5).toFixed(0)
  console.log(
    `median: ${median(rounds.map((r) => r.delivered))} deliveries a second; bare ${median(rounds.map((r) => r.bare))}`,
  )
} finally {
  await service.stop()
  await host.close()
  rmSync(persistTo, { recursive: true, force: true })
}
