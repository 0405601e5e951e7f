import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createMerchant } from '../support/api-client.ts'
import { freePort } from '../support/free-port.ts'
import type { HttpHost } from '../support/http-host.ts'
import { quantile } from '../support/quantile.ts'
import { startService } from '../support/start-service.ts'

const warmUps = 20
const events = 150
/** Pause between events. */
const paceMs = 80

/**
 * Measures the time from completion to receipt at an endpoint that is its tenant's only one, and at one whose tenant
 * has two more: one that never responds and one that takes two seconds. Uploads alternate on one service, so that other
 * load on the machine affects both.
 */
export async function measureEndpoints(host: HttpHost, picture: string, base: string, say: (text: string) => void) {
  const persistTo = mkdtempSync(join(base, 'garment-tagging-endpoints-'))
  const vars = { RATE_LIMIT_PER_MINUTE: '10000', SIGN_IN_LIMIT_PER_MINUTE: '10000', ALLOW_LOCAL_TARGETS: 'true' }
  const service = await startService({ port: await freePort(), persistTo, vars })

  async function tenantWith(name: string, neighbours: readonly string[]) {
    const { tenant } = await createMerchant(service.url, name)
    for (const url of [...neighbours, `${host.origin}/to/${name}`])
      await tenant.expectSuccess('POST', '/garment-tagging/webhook/endpoints', { url, secret: 'a secret' })
    let uploads = 0
    return {
      name,
      async upload() {
        const body = { uuid: `g-${uploads++}`, image_url: picture }
        await tenant.expectSuccess('POST', '/garment-tagging/upload', body)
      },
      lags: () =>
        host
          .received(name)
          .slice(warmUps)
          .map(({ at, body }) => at - Date.parse(JSON.parse(body).timestamp)),
    }
  }

  try {
    const alone = await tenantWith('endpoint-alone', [])
    const neighbours = [`${host.origin}/to/endpoint-dead?silent`, `${host.origin}/to/endpoint-slow?delay=2000`]
    const among = await tenantWith('endpoint-among-three', neighbours)
    for (let i = 0; i < warmUps + events; i++) {
      // Alternate which is first.
      for (const tenant of i % 2 === 0 ? [alone, among] : [among, alone]) {
        await tenant.upload()
        await sleep(paceMs)
      }
    }
    const areComplete = () => [alone, among].every(({ name }) => host.received(name).length >= warmUps + events)
    for (let waited = 0; !areComplete() && waited < 60_000; waited += 50) await sleep(50)
    for (const { name, lags } of [alone, among])
      say(
        `completion to receipt of ${lags().length} events, ${name}: median ${quantile(lags(), 0.5)} ms, ` +
          `95th percentile ${quantile(lags(), 0.95)} ms`,
      )
    const ratio = quantile(among.lags(), 0.95) / quantile(alone.lags(), 0.95)
    say(`95th percentile with a dead and a slow neighbour: ${ratio.toFixed(2)} times that alone`)
  } finally {
    await service.stop()
    rmSync(persistTo, { recursive: true, force: true })
  }
}
