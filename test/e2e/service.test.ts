import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { assert, describe, expect, inject, it } from 'vitest'
import type { Client } from '../../src/client/create-client.ts'
import { encodeJpeg } from '../../src/vision/image/encode-jpeg.ts'
import { createMerchant } from '../support/api-client.ts'
import { makeFlatLay } from '../../training/flat-lay/make-flat-lay.ts'
import { useHttpHost } from './support/use-http-host.ts'

const serviceUrl = inject('sharedServiceUrl')
const { picture } = makeFlatLay(11, { width: 300, height: 400 })
const jpeg = encodeJpeg(picture)
const secret = 'a secret of no particular form: ü'

const host = await useHttpHost()

const uploadAndWait = async (client: Client, uuid: string, image_url: string) =>
  await client.uploadAndWait({ uuid, image_url, attribute: { Brand: 'Ünique' } })

describe('the service, end to end', () => {
  it('tags a picture and delivers the signed result', async () => {
    const { client } = await createMerchant(serviceUrl, 'Story')
    const url = `${host.origin}/to/story?status=500,200`
    const config = { enabled: true, url, secret, headers: { Authorization: 'Bearer r' } }
    expect(await client.putWebhookConfig(config)).toEqual(config)
    const uuid = 'größe/42 & "more"'
    const garment = await uploadAndWait(client, uuid, host.store('garment.jpg', jpeg))
    expect(garment).toMatchObject({ uuid, complete: true, status: 'complete', failure_reason: '' })
    expect(garment.tag?.['Brand']).toBe('Ünique')
    expect(garment.tag?.['Item Type Confidence']).toMatch(/^(High|Medium|Low)$/)
    for (const [name, value = NaN] of Object.entries(garment.measurements ?? {})) {
      expect(name).toMatch(/ \(cm\)$/)
      expect(value * 2).toBe(Math.round(value * 2))
    }
    const annotated = await fetch(garment.annotated_img)
    expect([annotated.status, annotated.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect(annotated.headers.get('cache-control')).toContain('immutable')
    expect(annotated.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(new Uint8Array(await annotated.arrayBuffer()).subarray(0, 3)).toEqual(new Uint8Array([0xff, 0xd8, 0xff]))

    // The first response is a 500, and the second attempt comes after five seconds.
    await expect.poll(() => host.received('story').length).toBe(2)
    const [first, second] = host.received('story')
    assert(first !== undefined && second !== undefined)
    expect(second.body).toBe(first.body)
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id'])
    const { event, timestamp, ...data } = JSON.parse(second.body)
    expect([event, Date.parse(timestamp) > 0]).toEqual(['tagging.completed', true])
    const { failure_reason: _reason, failure_code: _code, ...result } = garment
    expect(data).toEqual(result)
    new Webhook(new TextEncoder().encode(secret), { format: 'raw' }).verify(second.body, { ...second.headers })
    const byHand = createHmac('sha256', secret).update(second.body).digest('hex')
    expect(second.headers['x-webhook-signature']).toBe(`sha256=${byHand}`)
    expect(second.headers['authorization']).toBe('Bearer r')

    await expect.poll(async () => (await client.getDelivery(uuid)).status).toBe('delivered')
    expect(await client.getDelivery(uuid)).toMatchObject({
      uuid: second.headers['x-delivery-id'],
      garment_uuid: uuid,
      status: 'delivered',
      attempt_count: 2,
      next_attempt_at: null,
      response_status: 200,
    })
  })

  it('logs upload, tagging and deliveries with the id of the request', async () => {
    const { client, apiKey, domain } = await createMerchant(serviceUrl, 'Logged')
    await client.putWebhookConfig({ enabled: true, url: `${host.origin}/to/logged`, secret: '', headers: {} })
    const body = JSON.stringify({ uuid: 'logged', image_url: host.store('logged.jpg', jpeg) })
    const init = {
      method: 'POST',
      headers: { 'API-KEY': apiKey, DOMAIN: domain, 'Content-Type': 'application/json' },
      body,
    }
    const { headers: answered } = await fetch(`${serviceUrl}/garment-tagging/upload`, init)
    const id = answered.get('x-request-id') ?? 'none'
    const events = () =>
      readFileSync(inject('sharedServiceLog'), 'utf8')
        .split('\n')
        .filter((line) => line.includes(id))
        .map((line) => /"event":"([^"]+)"/.exec(line)?.[1])
    await expect.poll(events).toEqual(['request', 'garment tagged', 'delivered'])
  })

  it('gives a reason for every picture that cannot be tagged, and tags the next one', async () => {
    const { client } = await createMerchant(serviceUrl, 'Broken')
    const html = new TextEncoder().encode('<!doctype html><title>Not a picture</title>')
    const cases: Record<string, [url: string, reason: RegExp]> = {
      missing: [`${host.origin}/files/none`, /HTTP 404/],
      broken: [`${host.origin}/to/broken?status=500`, /HTTP 500.* tried 5 times/],
      html: [host.store('page.html', html), /JPEG, PNG/],
      empty: [host.store('empty.jpg', new Uint8Array()), /empty/],
      truncated: [host.store('truncated.jpg', jpeg.subarray(0, jpeg.length / 2)), /truncated|incomplete|cut|ends/i],
      endless: [`${host.origin}/to/endless?body=endless-jpeg`, /20 MiB/],
      loop: [`${host.origin}/to/loop?status=302&location=%23x`, /redirects more than 5/],
      refused: ['http://127.0.0.1:9/x.jpg', /could not be reached.* tried 5 times/],
      blank: [host.store('blank.jpg', encodeJpeg(blank(400, 300))), /no garment/i],
    }
    await Promise.all(
      Object.entries(cases).map(async ([uuid, [url, reason]]) => {
        const garment = await uploadAndWait(client, uuid, url)
        expect([uuid, garment.status, garment.complete, garment.tag]).toEqual([uuid, 'failed', false, null])
        expect(garment.failure_reason).toMatch(reason)
      }),
    )
    expect((await uploadAndWait(client, 'good', host.store('garment.jpg', jpeg))).status).toBe('complete')
  })

  it('tags pictures while another image host does not respond', async () => {
    const slow = await createMerchant(serviceUrl, 'Slow')
    const { client } = await createMerchant(serviceUrl, 'Quick')
    for (let i = 0; i < 3; i++) {
      const image_url = `${host.origin}/to/silent?silent&n=${i}`
      await slow.client.upload({ uuid: `slow-${i}`, image_url })
    }
    await expect.poll(() => host.received('silent').length).toBeGreaterThan(0)
    await client.upload({ uuid: 'quick', image_url: host.store('beside.jpg', jpeg) })
    while (!(await client.query('quick')).complete) await sleep(50)
    // Its picture was fetched while the service still waited for the other one.
    const [fetched] = host.received('beside.jpg')
    expect(fetched?.unanswered).toContain('/to/silent?silent&n=0')
    const waiting = await slow.client.query('slow-0')
    // A garment is processing only once its picture has arrived.
    expect(waiting.status).toBe('queuing')
  })

  it('responds to unusual requests with the envelope', async () => {
    const { domain, apiKey } = await createMerchant(serviceUrl, 'Odd')
    const key: [string, string] = ['API-KEY', apiKey]
    const names: [string, string] = ['DOMAIN', domain]
    expect(await rawStatus('/garment-tagging/webhook/config', [key, names])).toBe(200)
    expect(await rawStatus('/garment-tagging/webhook/config', [key, key, names])).toBe(401)
    expect(await rawStatus('/garment-tagging/webhook/config', [key, names, names])).toBe(401)
    expect(await rawStatus('/garment-tagging/query?uuid=%', [key, names])).toBe(404)
    expect(await rawStatus('/%2e%2e/%00', [])).toBe(404)
    expect(await rawStatus('//garment-tagging//query', [])).toBe(404)
  })
})

function blank(width: number, height: number) {
  return { width, height, data: new Uint8ClampedArray(width * height * 4).fill(240) }
}

/** Sends headers unchanged, including repeated ones. Throws if the response is not an envelope. */
async function rawStatus(path: string, headers: readonly (readonly [string, string])[]): Promise<number> {
  return await new Promise((resolve, reject) => {
    const outgoing = request(
      { host: 'localhost', port: new URL(serviceUrl).port, path, headers: ['Host', 'localhost', ...headers.flat()] },
      (response) => {
        let body = ''
        response.on('data', (chunk) => (body += String(chunk)))
        response.on('end', () => {
          const { status, error } = JSON.parse(body) as { status: unknown; error: unknown }
          if (typeof status !== 'boolean' || !Array.isArray(error)) reject(new Error(`no envelope: ${body}`))
          resolve(response.statusCode ?? 0)
        })
      },
    )
    outgoing.on('error', reject).end()
  })
}
