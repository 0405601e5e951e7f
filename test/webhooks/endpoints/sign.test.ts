import { describe, expect, it } from 'vitest'
import { secretProblem, signatureHeaders } from '../../../src/webhooks/endpoints/secret.ts'
import { libraries } from '../deliveries/libraries.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const prefixed = (length: number) => `whsec_${btoa('x'.repeat(length))}`

const body = '{"description":"Größe 38 – 日本 👕"}'
const free = 'ein freier Text: Grüße 👋'

describe('the webhook signature', () => {
  it('matches the published example', async () => {
    const headers = await signatureHeaders({
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      body: bytes('{"test": 2432232314}'),
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      nowMs: 1614265330_999,
    })
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
    expect(headers['webhook-timestamp']).toBe('1614265330')
  })

  it('can be verified by hand as the HMAC of the body alone', async () => {
    const secrets = ["It's a Secret to Everybody"] as const
    const headers = await signatureHeaders({ id: 'id', body: bytes('Hello, World!'), secrets, nowMs: 0 })
    expect(headers['X-Webhook-Signature']).toBe(
      'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    )
  })

  it.each(libraries)('is verified by %s, for both kinds of secret and during a rotation', async (_, Library) => {
    const headers = await signatureHeaders({
      id: crypto.randomUUID(),
      body: bytes(body),
      secrets: [prefixed(32), free],
      nowMs: Date.now(),
    })
    const raw = { format: 'raw' } as const
    new Library(prefixed(32)).verify(body, headers)
    new Library(bytes(free), raw).verify(body, headers)
    expect(() => new Library(prefixed(33)).verify(body, headers)).toThrow('No matching signature found')
    expect(() => new Library(prefixed(32)).verify(`${body} `, headers)).toThrow('No matching signature found')
  })
})

it('signs the body with the current secret, and with the former one during a rotation', async () => {
  const sign = async (...secrets: [string, ...string[]]) =>
    await signatureHeaders({ id: 'd', body: bytes(body), secrets, nowMs: 0 })
  const [former, current, both] = [await sign(free), await sign(prefixed(32)), await sign(prefixed(32), free)]
  expect(both['X-Webhook-Signature']).toBe(current['X-Webhook-Signature'])
  expect(both['X-Webhook-Signature-Previous']).toBe(former['X-Webhook-Signature'])
  expect(current).not.toHaveProperty('X-Webhook-Signature-Previous')
})

describe('a webhook secret', () => {
  it.each([
    '',
    'any text',
    'schlüssel 🔑',
    'x'.repeat(256),
    prefixed(24),
    prefixed(64),
    prefixed(25).replace(/=+$/, ''),
  ])('may be %j', (secret) => expect(secretProblem(secret)).toBeNull())
  it.each([
    'whsec_',
    'whsec_short',
    prefixed(23),
    prefixed(65),
    `whsec_${'-'.repeat(40)}`,
    `whsec_${'A'.repeat(33)}`,
    `${prefixed(32)}=`,
  ])('may not be %j', (secret) => expect(secretProblem(secret)).toBe('must be base64 of 24 to 64 bytes after "whsec_"'))
  it('is at most 256 characters', () => expect(secretProblem('x'.repeat(257))).toBe('must have at most 256 characters'))
})
