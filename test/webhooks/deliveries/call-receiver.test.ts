import { describe, expect, inject, it } from 'vitest'
import { deliveryError } from '../../../src/events/delivery-error.ts'
import { type CallDeps, callReceiver, exchangeTimeoutMs } from '../../../src/webhooks/deliveries/call-receiver.ts'
import { localPolicy, receiver } from '../webhook-scene.ts'

const deps: CallDeps = {
  fetch: (url, init) => fetch(url, init),
  now: Date.now,
  policy: localPolicy,
  timeoutMs: 10_000,
}

/** The answer with its error as it is shown. */
async function post(url: string, changes: Partial<CallDeps> = {}) {
  const call = { url, headers: new Headers(), body: new TextEncoder().encode('{}') }
  const answer = await callReceiver(call, { ...deps, ...changes })
  return { ...answer, error: deliveryError(answer.error) }
}

const name = () => `call-${crypto.randomUUID()}`
const postTo = async (query: string, changes: Partial<CallDeps> = {}) =>
  await post(receiver.url(name(), query), changes)

describe("a receiver's answer", () => {
  it.each([200, 201, 202, 299])('of %d is a success', async (status) => {
    expect(await postTo(`status=${status}&text=thanks`)).toMatchObject({ ok: true, status, error: '', body: 'thanks' })
  })

  it('of 204, which has no body, is a success', async () => {
    expect(await postTo('status=204')).toMatchObject({ ok: true, status: 204, error: '', body: '' })
  })

  it.each([
    [400, 'HTTP 400: Bad Request'],
    [410, 'HTTP 410: Gone'],
    [429, 'HTTP 429: Too Many Requests'],
    [500, 'HTTP 500: Internal Server Error'],
    [503, 'HTTP 503: Service Unavailable'],
  ])('of %d is a failure that reads %j', async (status, error) => {
    expect(await postTo(`status=${status}`)).toMatchObject({ ok: false, status, error })
  })

  it('of a failure without a status text is reported by its number', async () => {
    expect(await postTo('status=599&phrase=')).toMatchObject({ ok: false, status: 599, error: 'HTTP 599' })
  })

  it.each([301, 302, 303, 304, 307, 308])('of %d is a failure and is not followed', async (status) => {
    const [from, to] = [name(), name()]
    const location = encodeURIComponent(receiver.url(to))
    const answer = await post(receiver.url(from, `status=${status}&location=${location}`))
    expect(answer).toMatchObject({ ok: false, status })
    expect(answer.error).toMatch(new RegExp(`^HTTP ${status}: .+ \\(redirects are not followed\\)$`))
    expect(await receiver.received(from)).toHaveLength(1)
    expect(await receiver.received(to)).toHaveLength(0)
  })

  it('includes the Retry-After header', async () => {
    expect(await postTo('status=503&retry-after=17')).toMatchObject({ retryAfter: '17' })
  })

  it('is recorded up to 1 KiB, without control characters or a truncated character', async () => {
    const file = `${inject('httpHost')}/files/${name()}`
    await fetch(file, { method: 'PUT', body: `${'\u0000\u001b[31m\r\n'}${'ä'.repeat(2000)}` })
    const { body } = await post(`${file}?status=500`)
    expect(body).toMatch(/^\[31m ä+$/)
    expect(new TextEncoder().encode(body).length).toBeLessThanOrEqual(1024)
    expect(body).not.toContain('\uFFFD')
  })
})

describe('a misbehaving receiver', () => {
  it.each([
    ['breaks off before its declared length', 'body=break&text=thanks', 'thanks'],
    ['breaks off without a byte', 'body=break&text=', ''],
    ['is not in its declared encoding', 'body=gzip-lie&text=thanks', ''],
    ['stalls', 'body=stall', ''],
    ['stalls in the middle of its encoding', 'body=gzip-stall', ''],
  ])('has accepted an event by a 2xx whose body %s', async (_, query, body) => {
    expect(await postTo(query)).toMatchObject({ ok: true, status: 200, error: '', body })
    expect(await postTo(`${query}&status=503&retry-after=9`)).toMatchObject({ ok: false, status: 503, retryAfter: '9' })
  })

  it('that drips its answer is heard for two seconds', async () => {
    const answer = await postTo('body=drip')
    expect(answer).toMatchObject({ ok: true, status: 200, error: '' })
    expect(answer.body).toMatch(/^\.+$/)
    expect(answer.durationMs).toBeGreaterThanOrEqual(1900)
  })

  it('that stays silent runs into the timeout', async () => {
    const answer = await postTo('silent', { timeoutMs: 500 })
    expect(answer).toMatchObject({ ok: false, status: null, error: 'Timeout after 0.5 s' })
  })

  it.each(['endless', 'gzip-bomb'])('is read to 16 KiB at most when its answer is %s', async (form) => {
    let read = 0
    const counting = async (url: string, init: RequestInit) => {
      const response = await fetch(url, init)
      const count = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          read += chunk.length
          controller.enqueue(chunk)
        },
      })
      return new Response(response.body?.pipeThrough(count) ?? null, response)
    }
    const answer = await post(receiver.url(name(), `body=${form}`), { fetch: counting, timeoutMs: 5000 })
    expect(answer).toMatchObject({ ok: true, status: 200, error: '' })
    // What the stream hands over beyond the limit is at most what lay ready in it.
    expect(read).toBeGreaterThanOrEqual(16 * 1024)
    expect(read).toBeLessThan(128 * 1024)
  })

  it('that hangs up is a failed connection', async () => {
    expect(await postTo('hang-up')).toMatchObject({ ok: false, status: null, error: 'Connection failed' })
  })

  it.each([
    ['Host not found', 530, 1016],
    ['Connection failed', 521, 521],
    ['TLS handshake failed', 525, 525],
  ])(
    'that is unreachable in production, where Cloudflare answers in its place, is reported as: %s',
    async (error, status, code) => {
      const page = `status=${status}&server=cloudflare&cf-ray=8f1c2d3e-FRA&text=${encodeURIComponent(`error code: ${code}`)}`
      expect(await postTo(page)).toMatchObject({ ok: false, status: null, error, body: '' })
    },
  )

  it('that answers 530 itself is reported with that status', async () => {
    const answer = await postTo('status=530&server=cloudflare&cf-ray=8f1c2d3e-FRA&text=full')
    expect(answer).toMatchObject({ ok: false, status: 530, body: 'full' })
  })

  it('that does not listen is a failed connection', async () => {
    expect(await post('http://127.0.0.1:1/')).toMatchObject({ ok: false, status: null, error: 'Connection failed' })
  })
})

it('an exchange with a receiver has 15 seconds', () => expect(exchangeTimeoutMs).toBe(15_000))

it('a forbidden target is not called', async () => {
  const [target, policy] = [name(), { ...localPolicy, allowLocal: false }]
  const answer = await post(receiver.url(target), { policy })
  expect(answer).toMatchObject({ ok: false, status: null, error: 'Not called: url must be an https URL' })
  expect(await post(`https://${new URL(inject('httpHost')).host}/`, { policy })).toMatchObject({
    error: 'Not called: url must name a host, not an IP address',
  })
  expect(await receiver.received(target)).toHaveLength(0)
})
