import { describe, expect, inject, it } from 'vitest'
import { type ClientOptions, GarmentTaggingError } from '../../src/client/connection.ts'
import { createClient } from '../../src/client/create-client.ts'
import type { Received } from '../support/http-host.ts'

const success = JSON.stringify({ status: true, data: { uuid: 'g' }, error: [], message: 'success!' })
const failure = (message: string, ...error: string[]) =>
  JSON.stringify({ status: false, data: {}, error, message, code: 'rate_limited' })

let made = 0

/** Creates a client whose requests all go to the test's HTTP server. `query` determines the responses. */
function scene(query: Readonly<Record<string, string>>, options: Partial<ClientOptions> = {}) {
  const host = inject('httpHost')
  const name = `client-${++made}`
  const target = `${host}/to/${name}?${new URLSearchParams({ text: success, ...query }).toString()}`
  const waits: number[] = []
  const client = createClient({
    url: 'http://service.test',
    apiKey: 'key',
    domain: 'shop',
    onRetry: (_, waitMs) => waits.push(waitMs),
    fetch: async (_, init) => await fetch(target, init),
    ...options,
  })
  const received = async () => (await (await fetch(`${host}/received/${name}`)).json()) as Received[]
  return { client, waits, received }
}

/** Returns the error that a call throws. */
async function errorOf(call: Promise<unknown>): Promise<GarmentTaggingError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof GarmentTaggingError)) throw new Error(`Threw ${String(error)}`)
  return error
}

// Run concurrently, because these tests mostly wait.
describe.concurrent('a request of the client', () => {
  it('sends the credentials and the body, and returns the data', async () => {
    const { client, received } = scene({})
    expect(await client.correct('g', { tag: { Colour: 'Navy' } })).toEqual({ uuid: 'g' })
    const [request] = await received()
    expect(request).toMatchObject({
      method: 'PATCH',
      body: '{"tag":{"Colour":"Navy"}}',
      headers: { 'api-key': 'key', domain: 'shop', 'content-type': 'application/json' },
    })
  })

  it.each([429, 503])('is repeated after %i, when Retry-After has passed', async (status) => {
    const { client, waits, received } = scene({ status: `${status},${status},200`, 'retry-after': '1' })
    expect(await client.query('g')).toEqual({ uuid: 'g' })
    expect(waits).toEqual([1000, 1000])
    const times = (await received()).map(({ at }) => at)
    expect(times).toHaveLength(3)
    for (const i of [1, 2]) expect((times[i] ?? 0) - (times[i - 1] ?? 0)).toBeGreaterThanOrEqual(990)
  })

  it('waits longer before each repetition if the response names no pause', async () => {
    const { client, waits } = scene({ status: '503,503,200' })
    await client.query('g')
    expect(waits.map((waitMs) => Math.floor(waitMs / 1250))).toEqual([0, 1])
  })

  it('is not repeated more often than allowed', async () => {
    const { client, received } = scene(
      { status: '429', 'retry-after': '0', text: failure('Too many requests') },
      { maxRetries: 2 },
    )
    expect((await errorOf(client.query('g'))).status).toBe(429)
    expect(await received()).toHaveLength(3)
  })

  it('does not wait longer than allowed', async () => {
    const { client, received } = scene({ status: '429', 'retry-after': '3600' })
    const error = await errorOf(client.query('g'))
    expect([error.status, error.retryAfterMs]).toEqual([429, 3600_000])
    expect(await received()).toHaveLength(1)
  })

  it.each([400, 401, 404, 409, 500])('is not repeated after %i', async (status) => {
    const { client, received } = scene({ status: String(status), text: failure('Title', 'One.', 'Two.') })
    const error = await errorOf(client.query('g'))
    expect([error.status, error.messages, error.message]).toEqual([status, ['One.', 'Two.'], 'Title: One. Two.'])
    expect(error.code).toBe('rate_limited')
    expect(await received()).toHaveLength(1)
  })

  it.each([0, 503])('is repeated after status %i, 0 for none, only if it may be handled twice', async (status) => {
    const answer: Record<string, string> = status === 0 ? { 'hang-up': '' } : { status: `${status}`, text: failure('') }
    const reading = scene(answer, { maxRetries: 1 })
    expect((await errorOf(reading.client.upload({ uuid: 'g', image_url: 'u' }))).status).toBe(status)
    const creating = scene(answer, { maxRetries: 1, token: 't' })
    expect((await errorOf(creating.client.createApiKey({ name: 'k' }))).status).toBe(status)
    expect([await reading.received(), await creating.received()].map(({ length }) => length)).toEqual([2, 1])
  })

  it('has deleted what is gone when it is repeated after a lost connection or 503', async () => {
    const client = (...statuses: number[]) => {
      const answer = () => {
        const status = statuses.shift()
        if (status === 0) throw new Error('No answer')
        return new Response(failure(''), { status: status ?? 500, headers: { 'retry-after': '0' } })
      }
      return scene({}, { fetch: () => Promise.resolve().then(answer) }).client
    }
    await Promise.all([client(0, 404).delete('g'), client(503, 429, 404).deleteEndpoint('e')])
    for (const call of [client(404).delete('g'), client(429, 404).delete('g'), client(0, 404).query('g')])
      expect((await errorOf(call)).status).toBe(404)
  })

  it('ends after its timeout', async () => {
    const { client } = scene({ silent: '' }, { timeoutMs: 100, maxRetries: 0 })
    const error = await errorOf(client.query('g'))
    expect([error.code, error.message]).toEqual(['timeout', 'Timeout: No response within 0.1 s.'])
  })

  it('ends after its timeout also in the middle of a body', async () => {
    const { client } = scene({ body: 'stall' }, { timeoutMs: 100, maxRetries: 0 })
    expect((await errorOf(client.query('g'))).message).toBe('Timeout: No response within 0.1 s.')
  })

  it('fails with a clear error when the service cannot be reached', async () => {
    const client = createClient({ url: 'http://127.0.0.1:9', apiKey: 'k', domain: 'd', maxRetries: 0 })
    const error = await errorOf(client.query('g'))
    expect([error.code, error.status, error.message]).toEqual([
      'network',
      0,
      expect.stringContaining('http://127.0.0.1:9 could not be reached'),
    ])
  })

  it('can be aborted while it waits for an answer and while it waits to be repeated', async () => {
    const reason = new Error('enough')
    for (const query of [{ silent: '' }, { status: '429', 'retry-after': '60' }]) {
      const controller = new AbortController()
      setTimeout(() => controller.abort(reason), 100)
      await expect(scene(query).client.query('g', { signal: controller.signal })).rejects.toBe(reason)
    }
    const { client, received } = scene({})
    await expect(client.query('g', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(await received()).toHaveLength(0)
  })

  it('does not follow a redirect with its key', async () => {
    const { client, received } = scene({ status: '301', location: 'https://elsewhere.example/' })
    const error = await errorOf(client.query('g'))
    expect([error.code, error.status, error.message]).toEqual([
      'redirect',
      301,
      expect.stringContaining('https://elsewhere.example/'),
    ])
    expect(await received()).toHaveLength(1)
  })

  it.each([
    [200, '<html>'],
    [502, '<html>'],
    [200, '[]'],
    [200, 'null'],
  ])('reports HTTP %i with %s as not from the service', async (status, text) => {
    const error = await errorOf(scene({ status: String(status), text }).client.query('g'))
    expect([error.code, error.status, error.message]).toEqual([
      'unexpected_response',
      status,
      expect.stringContaining('not from this service'),
    ])
  })

  it('names the missing credential before anything is sent', async () => {
    const { client, received } = scene({})
    await expect(client.getTenant()).rejects.toThrow('token')
    await expect(client.getStatus()).rejects.toThrow('operatorToken')
    expect((await errorOf(client.getStatus())).code).toBe('configuration')
    await expect(createClient({ url: 'http://x.test', apiKey: 'k' }).query('g')).rejects.toThrow('domain')
    expect(await received()).toHaveLength(0)
  })

  it('escapes the parameters in its URL', async () => {
    const urls: string[] = []
    const client = createClient({
      url: 'https://service.test/',
      apiKey: 'k',
      domain: 'd',
      token: 't',
      fetch: (url) => {
        urls.push(url)
        return Promise.resolve(new Response(success))
      },
    })
    await client.query('größe/42 & "more"?x#y')
    await client.revokeApiKey('../../merchant')
    expect(new URL(urls[0] ?? '').searchParams.get('uuid')).toBe('größe/42 & "more"?x#y')
    expect(urls[1]).toBe('https://service.test/merchant/tenant/api-key/..%2F..%2Fmerchant')
  })
})
