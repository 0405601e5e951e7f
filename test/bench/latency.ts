/**
 * `npm run bench`: measures the time from the upload of a 1200 x 1600 JPEG to its complete result, and from there to
 * the webhook's receiver, one garment at a time.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeJpeg } from '../../src/vision/image/encode-jpeg.ts'
import { createMerchant } from '../support/api-client.ts'
import { makeFlatLay } from '../../training/flat-lay/make-flat-lay.ts'
import { startHttpHost, type Received } from '../support/http-host.ts'
import { freePort } from '../support/free-port.ts'
import { quantile } from '../support/quantile.ts'
import { startService } from '../support/start-service.ts'

const warmUps = 5
const runs = 25

const persistTo = mkdtempSync(join(tmpdir(), 'garment-tagging-'))
const host = await startHttpHost()
const service = await startService({ port: await freePort(), persistTo, vars: { RATE_LIMIT_PER_MINUTE: '10000' } })
const toComplete: number[] = []
const toReceiver: number[] = []
try {
  const { tenant } = await createMerchant(service.url, 'Bench')
  await tenant.expectSuccess('PUT', '/garment-tagging/webhook/config', {
    enabled: true,
    url: `${host.origin}/to/bench`,
  })
  const { picture } = makeFlatLay(3, { width: 1200, height: 1600 })
  const imageUrl = host.store('garment.jpg', encodeJpeg(picture))
  for (let run = 0; run < warmUps + runs; run++) {
    const uuid = `run-${run}`
    const startedAt = Date.now()
    await tenant.expectSuccess('POST', '/garment-tagging/upload', { uuid, image_url: imageUrl })
    let event: Received | undefined
    while ((event = host.received('bench')[run]) === undefined) await sleep(2)
    const { at, body } = event
    // The event's timestamp is the time at which the result was stored.
    const completeAt = Date.parse((JSON.parse(body) as { timestamp: string }).timestamp)
    if (run < warmUps) continue
    toComplete.push(completeAt - startedAt)
    toReceiver.push(at - completeAt)
  }
  for (const [name, values] of Object.entries({ 'upload to complete': toComplete, 'complete to receiver': toReceiver }))
    process.stdout.write(
      `${name}: median ${quantile(values, 0.5)} ms, 95th percentile ${quantile(values, 0.95)} ms, of ${runs}\n`,
    )
} finally {
  await service.stop()
  await host.close()
  rmSync(persistTo, { recursive: true, force: true })
}
