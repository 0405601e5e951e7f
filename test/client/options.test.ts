import { describe, expect, inject, it } from 'vitest'
import { createClient, GarmentTaggingError, type ClientOptions } from '../../src/client/index.ts'

const success = JSON.stringify({ status: true, data: { uuid: 'g' }, error: [], message: 'success!' })

/** Returns the error that a call throws or rejects with. */
async function errorOf(call: () => unknown): Promise<GarmentTaggingError> {
  const error = await Promise.resolve()
    .then(call)
    .catch((reason: unknown) => reason)
  if (!(error instanceof GarmentTaggingError)) throw new Error(`Threw ${String(error)}`)
  return error
}

// Run concurrently, because these tests mostly wait.
describe.concurrent('a client', () => {
  it.each([
    ['url', {}],
    ['url', { url: '' }],
    ['url', { url: 'localhost:9341' }],
    ['url', { url: 'tagging.example.com' }],
    ['url', { url: 'ftp://tagging.example.com' }],
    ['url', { url: 'https://ann:secret@tagging.example.com' }],
    ['apiKey', { url: 'http://x.test', apiKey: 'gt_…' }],
    ['apiKey', { url: 'http://x.test', apiKey: 'gt_abc\n' }],
    ['apiKey', { url: 'http://x.test', apiKey: null }],
    ['domain', { url: 'http://x.test', domain: 'ann example' }],
    ['token', { url: 'http://x.test', token: '' }],
  ])('cannot be made with a wrong %s: %j', async (name, wrong) => {
    // JavaScript callers can pass any type.
    const options: ClientOptions = JSON.parse(JSON.stringify(wrong))
    const error = await errorOf(() => createClient(options))
    expect([error.code, error.messages]).toEqual(['configuration', [expect.stringMatching(`^${name} `)]])
  })

  it('repeats a request for no longer than allowed while nothing answers', async () => {
    const waits: number[] = []
    const client = createClient({
      url: 'http://service.test',
      apiKey: 'key',
      domain: 'shop',
      maxUnansweredMs: 2500,
      onRetry: (_, waitMs) => waits.push(waitMs),
      fetch: async (_, init) => await fetch(`${inject('httpHost')}/to/unanswered?hang-up`, init),
    })
    expect((await errorOf(async () => await client.query('g'))).code).toBe('network')
    // The pauses take 1 s and 2 s.
    expect(waits).toHaveLength(1)
  })

  it('starts counting again after an answer', async () => {
    const answers = [503, 0, 200]
    const client = createClient({
      url: 'http://service.test',
      apiKey: 'key',
      domain: 'shop',
      // The pause after the 503 takes 2 s. The pause after the lost response takes 2 s to 2.4 s.
      maxUnansweredMs: 3500,
      fetch: async () => {
        const status = answers.shift() ?? 200
        if (status === 0) throw new TypeError('lost')
        return await Promise.resolve(new Response(success, { status, headers: { 'Retry-After': '2' } }))
      },
    })
    expect(await client.query('g')).toEqual({ uuid: 'g' })
    expect(answers).toEqual([])
  })
})

it('repeats a change of an endpoint, which may be made twice', async () => {
  const answers = [503, 200]
  const client = createClient({
    url: 'http://service.test',
    apiKey: 'key',
    domain: 'shop',
    fetch: async () =>
      await Promise.resolve(new Response(success, { status: answers.shift() ?? 500, headers: { 'Retry-After': '0' } })),
  })
  await client.changeEndpoint('e', { enabled: false })
  expect(answers).toEqual([])
})
