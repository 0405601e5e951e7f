// The Workers runtime, not Node.js, gives the body of a request.
import 'cloudflare:workers'
import { expect, it, vi } from 'vitest'
import { bodyTooLate } from '../../../src/platform/http/errors.ts'
import { arriving, withDeadline } from '../../../src/platform/limits/deadline.ts'
import { hourMs } from '../../../src/time.ts'

const address = 'https://s.example/'

/** Sends `first`, and nothing more. */
function stalled(first: string) {
  const state: { cancelled?: unknown } = {}
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(first)),
    cancel: (reason) => void (state.cancelled = reason),
  })
  return { state, request: new Request(address, { method: 'POST', body }) }
}

it.each(['text', 'json', 'arrayBuffer', 'formData'] as const)(
  'a body that does not arrive fails %s() with a failure that says so, and is read no further',
  async (read) => {
    const { request, state } = stalled('a=')
    request.headers.set('Content-Type', 'application/x-www-form-urlencoded')
    await expect(withDeadline(request, 20, bodyTooLate)[read]()).rejects.toMatchObject({
      status: 400,
      problems: ['The body did not arrive within 30 s. Send it again, or use a faster connection.'],
    })
    expect(state.cancelled).toMatchObject({ status: 400 })
  },
)

it('a body that arrives stays as it is, and a short one is not touched', async () => {
  const text = 'ж'.repeat(9000)
  const headers = { 'Content-Type': 'text/csv', 'X-Own': 'x' }
  const long = withDeadline(new Request(address, { method: 'PUT', body: text, headers }), 1000, bodyTooLate)
  expect([long.method, long.url, long.headers.get('x-own'), await long.text()]).toEqual(['PUT', address, 'x', text])
  const short = new Request(address, { method: 'POST', body: '{}', headers: { 'Content-Length': '2' } })
  expect(withDeadline(short, 1000, bodyTooLate)).toBe(short)
})

it('no timer stays of a stream that nobody reads on', async () => {
  const [set, clear] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')]
  // Work that other tests have left has timers too, but none so long.
  const ms = 10 * hourMs
  const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(9)) })
  await arriving(body, ms, bodyTooLate).getReader().read()
  const begun = set.mock.results.flatMap(({ value }, i) => (Number(set.mock.calls[i]?.[1]) > ms / 2 ? [value] : []))
  expect(begun).not.toEqual([])
  // The next chunk is read ahead.
  const left = () => begun.filter((timer) => !clear.mock.calls.flat().includes(timer)).length
  await expect.poll(left).toBe(0)
  vi.restoreAllMocks()
})
