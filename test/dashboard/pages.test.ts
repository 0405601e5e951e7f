import { createExecutionContext } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { app } from '../../src/app.ts'
import { dashboardRoutes } from '../../src/dashboard/dashboard-routes.tsx'
import { settingsOf } from '../../src/settings.ts'
import { bindings, newMerchant, password, raw } from '../service.ts'
import { sessionOf } from './session-of.ts'

const origin = 'http://service.test'

const post = async (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  await raw('POST', path, { Origin: origin, ...headers }, new URLSearchParams(fields))

describe('every page', () => {
  it.each(['/', '/dashboard', '/dashboard/sign-in', '/dashboard/nothing'])(
    'at %s has a strict content security policy and is not cached',
    async (path) => {
      const { headers } = await raw('GET', path)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      const policy = headers.get('content-security-policy')
      for (const part of ["default-src 'none'", `script-src ${origin}/assets/`, "frame-ancestors 'none'"])
        expect(policy).toContain(part)
      expect(policy).not.toContain('unsafe')
    },
  )

  it('is HTML for unknown paths and wrong methods too, the latter with Allow', async () => {
    const { id } = await newMerchant()
    const session = await sessionOf(id)
    const unknown = await raw('GET', '/dashboard/nothing', session)
    expect([unknown.status, unknown.headers.get('content-type')]).toEqual([404, 'text/html; charset=UTF-8'])
    const wrong = await post('/dashboard/garments', {}, session)
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect(await wrong.text()).toContain('<h1>Method not allowed</h1>')
    const root = await post('/', {})
    expect([root.status, root.headers.get('content-type')]).toEqual([405, 'text/html; charset=UTF-8'])
  })

  it('reveals no internal message when something fails', async () => {
    const { id } = await newMerchant()
    const DB = {
      prepare: () => {
        throw new Error('secret detail')
      },
    }
    const request = new Request(`${origin}/dashboard/garments`, { headers: await sessionOf(id) })
    const response = await app.fetch(request, { ...bindings, DB }, createExecutionContext())
    const text = await response.text()
    expect([response.status, response.headers.get('content-type')]).toEqual([500, 'text/html; charset=UTF-8'])
    expect(text).toContain('Something went wrong on our side')
    expect(text).not.toContain('secret detail')
  })

  it('does not replace the JSON of the API, also at unknown paths', async () => {
    for (const path of ['/nothing', '/dashboards', '/garment-tagging/nothing']) {
      const response = await raw('GET', path)
      expect([response.status, await response.json()]).toMatchObject([404, { status: false, message: 'Not found' }])
    }
  })
})

describe('the session', () => {
  it('is an HttpOnly SameSite cookie, with the __Host- prefix over https', async () => {
    const { email } = await newMerchant()
    const plain = await post('/dashboard/sign-in', { email, password })
    expect([plain.status, plain.headers.get('location')]).toEqual([303, '/'])
    expect(plain.headers.getSetCookie()[0]).toMatch(/^session=[\w.-]+; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax$/)
    const request = new Request('https://service.test/dashboard/sign-in', {
      method: 'POST',
      headers: { Origin: 'https://service.test' },
      body: new URLSearchParams({ email, password }),
    })
    const secure = await app.fetch(request, bindings, createExecutionContext())
    expect(secure.headers.getSetCookie()[0]).toMatch(
      /^__Host-session=[\w.-]+; Max-Age=3600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
  })

  it('has the prefix behind a proxy that ends TLS too, and is read there', async () => {
    const { email } = await newMerchant()
    const env = { ...bindings, ALLOW_LOCAL_TARGETS: 'false', PUBLIC_URL: 'https://service.test' }
    const behind = { 'X-Forwarded-Proto': 'https', 'Sec-Fetch-Site': 'same-origin' }
    const send = async (path: string, init: RequestInit) =>
      await app.fetch(new Request(`http://service.test${path}`, init), env, createExecutionContext())
    const body = new URLSearchParams({ email, password })
    const signedIn = await send('/dashboard/sign-in', { method: 'POST', headers: behind, body })
    const cookie = signedIn.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^__Host-session=[\w.-]+; .*Secure/)
    const headers = { ...behind, Cookie: cookie.split(';')[0] ?? '' }
    expect((await send('/dashboard', { headers })).status).toBe(200)
    const signedOut = await send('/dashboard/sign-out', { method: 'POST', headers, body: new URLSearchParams() })
    expect(signedOut.headers.get('set-cookie')).toMatch(/^__Host-session=; Max-Age=0; Path=\/; Secure/)
  })

  it('is renewed by use, ends an hour after its last use, and ends with the merchant', async () => {
    const { id } = await newMerchant()
    const minute = 60_000
    const fresh = await raw('GET', '/dashboard', await sessionOf(id, Date.now() - 10 * minute))
    expect([fresh.status, fresh.headers.get('set-cookie')]).toEqual([200, null])
    const used = await raw('GET', '/dashboard', await sessionOf(id, Date.now() - 50 * minute))
    expect([used.status, used.headers.get('set-cookie')]).toEqual([200, expect.stringMatching(/^session=/)])
    const expired = await raw('GET', '/dashboard', await sessionOf(id, Date.now() - 61 * minute))
    expect([expired.status, expired.headers.get('location')]).toEqual([303, '/dashboard/sign-in?next=%2Fdashboard'])
    expect((await raw('GET', '/dashboard', await sessionOf('nobody'))).status).toBe(303)
  })

  it('is not accepted by the API, nor an access token by the dashboard', async () => {
    const { id, bearer } = await newMerchant()
    expect((await raw('GET', '/merchant/tenant', await sessionOf(id))).status).toBe(401)
    expect((await raw('GET', '/dashboard', bearer)).status).toBe(303)
  })
})

describe('a form', () => {
  it.each([
    ['from another origin', { Origin: 'https://evil.example' }, 403],
    ['from another origin of the same site', { Origin: 'http://other.service.test' }, 403],
    ['with an opaque origin', { Origin: 'null' }, 403],
    ['marked as cross-site by the browser', { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['sent as JSON', { 'Content-Type': 'application/json' }, 415],
    ['sent as plain text', { 'Content-Type': 'text/plain' }, 415],
  ])('%s changes nothing', async (_, headers, status) => {
    const { id } = await newMerchant()
    const session = await sessionOf(id)
    const fields = { name: 'Planted', domain: `${id}.example` }
    const response = await post('/dashboard/tenant', fields, { ...session, ...headers })
    expect(response.status).toBe(status)
    expect((await raw('GET', '/dashboard/tenant', session)).headers.get('location')).toBe('/dashboard?needs=shop')
  })

  it('of another site is refused at every address that takes one', async () => {
    const { id } = await newMerchant()
    const foreign = { ...(await sessionOf(id)), Origin: 'http://other.test' }
    const posts = dashboardRoutes.routes.filter(
      ({ method, path }) => method === 'POST' && path.startsWith('/dashboard'),
    )
    expect(posts.length).toBeGreaterThan(40)
    for (const { path } of posts)
      expect([path, (await post(path.replaceAll(/:\w+(\{[^/]*\})?/g, 'x'), {}, foreign)).status]).toEqual([path, 403])
  })

  it('without an Origin header changes nothing', async () => {
    const { id } = await newMerchant()
    const body = new URLSearchParams({ name: 'Planted', domain: `${id}.example` })
    expect((await raw('POST', '/dashboard/tenant', await sessionOf(id), body)).status).toBe(403)
  })

  it('that is too large is rejected', async () => {
    const response = await post('/dashboard/sign-in', { email: 'x'.repeat(600_000) })
    expect([response.status, response.headers.get('content-type')]).toEqual([413, 'text/html; charset=UTF-8'])
  })
})

it('the sign-in form and the API share the limit on password guessing, and the page says how long to wait', async () => {
  const { email } = await newMerchant()
  const from = { 'cf-connecting-ip': '203.0.113.77' }
  const limit = settingsOf(bindings).SIGN_IN_LIMIT_PER_MINUTE
  const guess = async () => (await post('/dashboard/sign-in', { email, password: 'x' }, from)).status
  for (let i = 0; i < limit; i++) expect(await guess()).toBe(401)
  const response = await post('/dashboard/sign-in', { email, password }, from)
  expect([response.status, Number(response.headers.get('retry-after')) > 0]).toEqual([429, true])
  expect(await response.text()).toMatch(/Wait \d+ s before the next attempt\./)
  const credentials = JSON.stringify({ email, password })
  const api = await raw('POST', '/merchant/sign-in', { ...from, 'Content-Type': 'application/json' }, credentials)
  expect(api.status).toBe(429)
})
