import { describe, expect, it } from 'vitest'
import { verifyWebhook } from '../../src/client/verify-webhook.ts'
import { signatureHeaders } from '../../src/webhooks/endpoints/secret.ts'
import { samplePayload } from '../../src/webhooks/describe-events.ts'

const nowMs = Date.UTC(2026, 10, 21, 12)
const body = samplePayload('webhook.test', nowMs).body
const whsec = `whsec_${btoa('a key of thirty-two bytes, ascii')}`
const text = 'a secret of no particular form: ü'

/** Signs with the service's own code. */
const sign = async (...secrets: [string, ...string[]]) => await signatureHeaders({ id: 'd1', body, secrets, nowMs })
const options = { nowMs }

describe('verifyWebhook', () => {
  it.each([whsec, whsec.replace(/=+$/, ''), text])(
    'returns the event of a webhook that the service signed with %s',
    async (secret) => {
      const event = await verifyWebhook(body, await sign(secret), secret, options)
      expect(event).toEqual({ event: 'webhook.test', timestamp: new Date(nowMs).toISOString(), test: true })
    },
  )

  it('takes the body as text, and the headers of fetch and of Node.js', async () => {
    const headers = await sign(whsec)
    const lowerCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
    const upperCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
    for (const each of [new Headers(headers), lowerCase, upperCase])
      expect((await verifyWebhook(new TextDecoder().decode(body), each, whsec, options)).event).toBe('webhook.test')
  })

  it('accepts the old and the new secret while the service signs with both', async () => {
    const headers = await sign(whsec, text)
    for (const secret of [whsec, text]) expect(await verifyWebhook(body, headers, secret, options)).toBeTruthy()
  })

  it('accepts any of the secrets that the receiver has', async () => {
    for (const secret of [whsec, text])
      expect(await verifyWebhook(body, await sign(secret), ['another', text, whsec], options)).toBeTruthy()
  })

  it('refuses another secret, and every change of body, id and timestamp', async () => {
    const headers = await sign(whsec)
    const changed = body.slice()
    changed[0] = 0x5b
    const attempts = [
      verifyWebhook(body, headers, text, options),
      verifyWebhook(changed, headers, whsec, options),
      verifyWebhook(body.subarray(0, -1), headers, whsec, options),
      verifyWebhook(body, { ...headers, 'webhook-id': 'd2' }, whsec, options),
      verifyWebhook(body, { ...headers, 'webhook-timestamp': String(nowMs / 1000 + 1) }, whsec, options),
    ]
    await Promise.all(attempts.map((attempt) => expect(attempt).rejects.toThrow('No signature matches')))
  })

  it('refuses a webhook from more than five minutes ago or ahead', async () => {
    const headers = await sign(whsec)
    for (const minutes of [-5, 5])
      expect(await verifyWebhook(body, headers, whsec, { nowMs: nowMs + minutes * 60_000 })).toBeTruthy()
    for (const ms of [-300_001, 300_001])
      await expect(verifyWebhook(body, headers, whsec, { nowMs: nowMs + ms })).rejects.toThrow('too old')
    const tolerant = { nowMs: nowMs + 3600_000, toleranceMs: 3600_000 }
    expect(await verifyWebhook(body, headers, whsec, tolerant)).toBeTruthy()
  })

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('refuses a webhook without %s', async (name) => {
    const { [name]: _, ...headers } = await sign(whsec)
    await expect(verifyWebhook(body, headers, whsec, options)).rejects.toThrow(`${name} is missing`)
    await expect(verifyWebhook(body, new Headers(headers), whsec, options)).rejects.toThrow(`${name} is missing`)
    await expect(verifyWebhook(body, { ...headers, [name]: ['a', 'b'] }, whsec, options)).rejects.toThrow('missing')
  })

  it('refuses signatures of another version or form', async () => {
    const headers = await sign(whsec)
    const [, signature = ''] = headers['webhook-signature']?.split(',') ?? []
    for (const bad of [signature, `v2,${signature}`, 'v1,', 'v1,%%%', `v1,${signature}`.slice(0, -8), ' ', 'v1'])
      await expect(verifyWebhook(body, { ...headers, 'webhook-signature': bad }, whsec, options)).rejects.toThrow(
        'could not be verified',
      )
    const many = { ...headers, 'webhook-signature': `${'v1,AAAA '.repeat(10_000)}v1,${signature}` }
    await expect(verifyWebhook(body, many, whsec, options)).rejects.toThrow('No signature matches')
  })

  it('refuses timestamps that are not whole seconds', async () => {
    const headers = await sign(whsec)
    for (const timestamp of ['soon', '1e9', '-1', `${nowMs / 1000}.5`, '0x10'])
      await expect(verifyWebhook(body, { ...headers, 'webhook-timestamp': timestamp }, whsec, options)).rejects.toThrow(
        'not a time',
      )
  })

  it('refuses an invalid secret by a clear error', async () => {
    const headers = await sign(whsec)
    await expect(verifyWebhook(body, headers, '', options)).rejects.toThrow('must not be empty')
    await expect(verifyWebhook(body, headers, 'whsec_%', options)).rejects.toThrow('base64')
  })
})
