import { afterEach, expect, it, vi } from 'vitest'
import { openApi } from '../../src/local/cloudflare.ts'
import { OperatorError } from '../../src/local/wrangler.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

/** The error of a call whose request has this outcome. */
async function failWith(outcome: () => Promise<Response>): Promise<unknown> {
  vi.stubEnv('CLOUDFLARE_API_TOKEN', 'token')
  vi.stubGlobal('fetch', outcome)
  const call = await openApi('account')
  return await call('GET', '/queues').catch((error: unknown) => error)
}

it('without a network, a call fails with one sentence for the operator', async () => {
  const cause = new Error('getaddrinfo ENOTFOUND api.cloudflare.com')
  const error = await failWith(async () => await Promise.reject(new TypeError('fetch failed', { cause })))
  expect(error).toBeInstanceOf(OperatorError)
  expect(String(error)).toMatch(/cannot be reached \(getaddrinfo ENOTFOUND api\.cloudflare\.com\)\. Check the network/)
})

it('an answer that is not JSON is named by its status', async () => {
  const error = await failWith(async () => await Promise.resolve(new Response('<html>', { status: 502 })))
  expect(error).toBeInstanceOf(OperatorError)
  expect(String(error)).toContain('answered HTTP 502 without a result')
})
