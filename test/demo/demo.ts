/** `npm run demo`: shows every step from sign-up to a verified webhook on one picture. */
import { mkdirSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyWebhook } from '../../src/client/verify-webhook.ts'
import { createMerchant } from '../support/api-client.ts'
import { startHttpHost, type HttpHost, type Received } from '../support/http-host.ts'
import { isServing, startService } from '../support/start-service.ts'

const serviceUrl = 'http://localhost:8787'
const annotatedPath = '.wrangler/demo/annotated.jpg'
const secret = `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`

const say = (text: string, value?: unknown) =>
  process.stdout.write(value === undefined ? `${text}\n` : `${text}\n${JSON.stringify(value, null, 2)}\n\n`)

async function runDemo(): Promise<void> {
  const host = await startHttpHost()
  const webhookUrl = `${host.origin}/to/webhook?status=204`
  try {
    const { credentials, domain, apiKey, client } = await createMerchant(serviceUrl, 'Demo Shop')
    say(`Signed up and signed in as ${credentials.email}.`)
    say(`Created the tenant ${domain} and the API key ${apiKey.slice(0, 9)}… (shown in full only once).`)
    await client.putWebhookConfig({ enabled: true, url: webhookUrl, secret })
    say(`Configured the webhook ${webhookUrl} with a secret.\n`)
    const uuid = 'dress-1'
    const image_url = `${serviceUrl}/samples/dress.jpg`
    const startedAt = performance.now()
    await client.upload({ uuid, image_url, attribute: { Brand: 'Demo', Gender: "Women's", Material: 'Cotton' } })
    say(`Uploaded ${image_url} as ${uuid}, a photograph of a dress on a bed.`)
    const garment = await client.wait(uuid, { onPoll: ({ status }) => say(`Polled: ${status}.`), waitMs: 30_000 })
    const { headers, body } = await nextWebhook(host, 1)
    say(`Complete and webhook received ${Math.round(performance.now() - startedAt)} ms after the upload.\n`)
    const { event } = await verifyWebhook(body, headers, secret)
    say(`Webhook ${event} (${headers['webhook-id']}): its signature is valid.\n`)
    if (garment.status === 'failed') throw new Error(`The tagging failed: ${garment.failure_reason}`)
    say('Tags', garment.tag)
    say('Measurements, estimated from what is usual for a dress: all may be off by the same 15 %', garment.measurements)
    say(`Description\n${garment.description}\n`)
    mkdirSync('.wrangler/demo', { recursive: true })
    writeFileSync(annotatedPath, new Uint8Array(await (await fetch(garment.annotated_img)).arrayBuffer()))
    say(`The annotated picture is at ${garment.annotated_img}\nA copy was saved as ${annotatedPath}\n`)
    await client.upload({ uuid: 'shirt-1', image_url: `${serviceUrl}/samples/shirt-with-card.jpg` })
    const second = await nextWebhook(host, 2)
    const shirt = JSON.parse(second.body) as { scale: string; measurements: object }
    say('Uploaded a shirt beside the printed card, and received its webhook.')
    say(`Measurements by the ${shirt.scale}, to about a centimetre`, shirt.measurements)
  } finally {
    await host.close()
  }
}

/** Waits for that number of deliveries and returns the last one. */
async function nextWebhook(host: HttpHost, count: number): Promise<Received> {
  for (let waited = 0; waited < 20_000; waited += 20) {
    const received = host.received('webhook')[count - 1]
    if (received !== undefined) return received
    await sleep(20)
  }
  throw new Error('The webhook was not received within 20 s.')
}

const running = await isServing(serviceUrl)
say(running ? `The service is running on ${serviceUrl}.` : `Starting the service on ${serviceUrl} ...`)
const service = running ? null : await startService({ port: 8787 })
try {
  await runDemo()
} catch (error) {
  say(`The demo failed. ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
} finally {
  await service?.stop()
}
