import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createMerchant, type Client } from '../support/api-client.ts'
import type { HttpHost } from '../support/http-host.ts'
import { freePort } from '../support/free-port.ts'
import { quantile } from '../support/quantile.ts'
import { startService } from '../support/start-service.ts'

const warmUps = 15
const idleEvents = 30
const pacedEvents = 200
/** Pause between events. */
const paceMs = 40
const healthyTenants = 3
/** Deliveries to the suspect tenant, sent before the others are measured. */
const burst = 24
const oneIn = 5

/**
 * Measures the time from completion to receipt on an idle service, and then on two services at once: on one of them a
 * tenant's receivers never respond. The services take turns, so that other load on the machine affects both.
 */
export async function measureLatency(host: HttpHost, picture: string, base: string, say: (text: string) => void) {
  const [healthy, troubled] = await Promise.all([startSide(host, 'healthy', ''), startSide(host, 'troubled', 'silent')])

  async function startSide(host: HttpHost, name: string, query: string) {
    const persistTo = mkdtempSync(join(base, `garment-tagging-${name}-`))
    const vars = { RATE_LIMIT_PER_MINUTE: '10000', SIGN_IN_LIMIT_PER_MINUTE: '10000', ALLOW_LOCAL_TARGETS: 'true' }
    const service = await startService({ port: await freePort(), persistTo, vars })
    const receiver = `latency-${name}`
    const tenantWith = async (url: string) => {
      const { tenant } = await createMerchant(service.url, name)
      await tenant.expectSuccess('PUT', '/garment-tagging/webhook/config', { enabled: true, url, secret: 'a secret' })
      return tenant
    }
    const others: Client[] = []
    for (let i = 0; i < healthyTenants; i++) others.push(await tenantWith(`${host.origin}/to/${receiver}`))
    const suspect = await tenantWith(`${host.origin}/to/${receiver}-suspect?${query}`)
    let uploads = 0
    const upload = async (tenant: typeof suspect) =>
      await tenant.expectSuccess('POST', '/garment-tagging/upload', { uuid: `g-${uploads++}`, image_url: picture })
    return {
      upload: async () => await upload(others[uploads % others.length] ?? suspect),
      uploadSuspect: async () => await upload(suspect),
      received: () => host.received(receiver),
      /** The times from completion to receipt in ms, without the first `skipped` events. */
      lags: (skipped: number) =>
        host
          .received(receiver)
          .slice(skipped)
          .map(({ at, body }) => at - Date.parse(JSON.parse(body).timestamp)),
      async stop() {
        await service.stop()
        rmSync(persistTo, { recursive: true, force: true })
      },
    }
  }

  async function received(side: typeof healthy, count: number) {
    for (let waited = 0; side.received().length < count && waited < 20_000; waited += 5) await sleep(5)
  }

  try {
    for (let i = 1; i <= warmUps; i++)
      for (const side of [healthy, troubled]) await side.upload().then(() => received(side, i))
    for (let i = 1; i <= idleEvents; i++) await healthy.upload().then(() => received(healthy, warmUps + i))
    const idle = healthy.lags(warmUps)
    say(`completion to receipt, idle: median ${quantile(idle, 0.5)} ms, 95th percentile ${quantile(idle, 0.95)} ms`)

    const sides = [healthy, troubled].map((side) => ({ side, before: side.received().length }))
    for (let i = 0; i < burst; i++) for (const { side } of sides) await side.uploadSuspect()
    await sleep(3000)
    for (let i = 0; i < pacedEvents; i++) {
      // Alternate which service is first.
      for (const { side } of i % 2 === 0 ? sides : sides.toReversed()) {
        await (i % oneIn === 0 ? side.uploadSuspect().then(side.upload) : side.upload())
        await sleep(paceMs)
      }
    }
    for (const { side, before } of sides) {
      await received(side, before + pacedEvents)
      const lags = side.lags(before)
      say(
        `completion to receipt of ${lags.length} events of other tenants, one tenant's receivers ` +
          `${side === troubled ? 'all timing out' : 'responding'}: ` +
          `median ${quantile(lags, 0.5)} ms, 95th percentile ${quantile(lags, 0.95)} ms`,
      )
    }
  } finally {
    await Promise.all([healthy.stop(), troubled.stop()])
  }
}
