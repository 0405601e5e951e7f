import { createExecutionContext } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { app } from '../src/app.ts'
import { bindings, call, newMerchant, newTenant, raw, replaceDatabases } from './service.ts'
import { wrapDatabase } from './support/wrap-database.ts'

const json = { 'Content-Type': 'application/json' }

describe('the API', () => {
  it('answers a success in the success envelope', async () => {
    const { status, body } = await call('GET', '/health')
    expect([status, body]).toEqual([200, { status: true, data: {}, error: [], message: 'success!' }])
  })

  it('finds a route by one look-up, which paths that its router does not support would make a walk', async () => {
    await call('GET', '/health')
    expect(app.router.name).toBe('SmartRouter + RegExpRouter')
  })

  it('answers an unknown path with a failure envelope and a request id', async () => {
    const { status, body, headers } = await call('GET', '/no/such/path')
    expect(status).toBe(404)
    const error = ['There is nothing at this path.']
    expect(body).toEqual({ status: false, data: {}, error, message: 'Not found', code: 'not_found' })
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{8,}$/)
  })

  it("has a request id of the service's own, whatever the caller sends", async () => {
    const { headers } = await call('GET', '/health', { 'X-Request-Id': 'the-id-of-another-request' })
    expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
  })

  it('answers a method that a path does not have with 405 and the allowed ones', async () => {
    const { status, headers, body } = await call('PATCH', '/merchant/tenant')
    expect(status).toBe(405)
    expect(headers.get('allow')?.split(', ').sort()).toEqual(['DELETE', 'GET', 'HEAD', 'POST', 'PUT'])
    expect(body.data).toEqual({})
    const long = await call('PUT', `/merchant/tenant/api-key/${'x'.repeat(5000)}`)
    expect([long.status, String(long.body.error).length < 300]).toEqual([405, true])
  })

  it('answers on the paths that it serves without the other routes as with them', async () => {
    for (const path of ['/garment-tagging/upload', '/garment-tagging/query?uuid=a', '/garment-tagging/upload/'])
      for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
        const [alone, withAll] = [
          await raw(method, path),
          await app.request(path, { method }, bindings, createExecutionContext()),
        ]
        expect([alone.status, alone.headers.get('allow')]).toEqual([withAll.status, withAll.headers.get('allow')])
        expect(await alone.json()).toEqual(await withAll.json())
      }
  })

  it.each(['{', '', '[1,', '{"email": undefined}', '\u0000'])('answers 400 to the malformed JSON %j', async (text) => {
    const response = await raw('POST', '/merchant/sign-up', json, text)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ status: false, data: {}, message: 'Malformed request' })
  })

  it.each(['[]', 'null', '"text"', '17'])('answers 400 to the JSON %s, which is no object', async (text) => {
    expect((await raw('POST', '/merchant/sign-up', json, text)).status).toBe(400)
  })

  it('answers 415 to a body that is not JSON', async () => {
    const response = await raw('POST', '/merchant/sign-up', { 'Content-Type': 'text/plain' }, '{}')
    expect(response.status).toBe(415)
    expect(await response.json()).toMatchObject({ status: false, message: 'Unsupported media type' })
  })

  it('accepts a content type with parameters and in any case', async () => {
    const response = await raw('POST', '/merchant/sign-up', { 'Content-Type': 'Application/JSON; charset=utf-8' }, '{}')
    expect(response.status).toBe(400)
  })

  it('answers 413 to a body over 64 KiB, whether its length is declared or not', async () => {
    const big = JSON.stringify({ name: 'x'.repeat(65 * 1024) })
    expect((await raw('POST', '/merchant/sign-up', json, big)).status).toBe(413)
    const streamed = new Blob([big]).stream()
    expect((await raw('POST', '/merchant/sign-up', json, streamed)).status).toBe(413)
  })

  it('lists every problem of a body, each with its field', async () => {
    const { status, body } = await call('POST', '/merchant/sign-up', {}, { email: 'no', password: 'short', nam: 'x' })
    expect(status).toBe(400)
    expect(body.error).toEqual([
      'email: must be an email address',
      'password: must have at least 8 characters',
      'name: is required',
      'nam: is not a field; did you mean name?',
    ])
  })

  it('refuses a parameter of a query that an endpoint does not have, which would leave a list without its filter', async () => {
    const { auth } = await newTenant()
    const refused = async (query: string) => (await call('GET', `/garment-tagging/export?${query}`, auth)).body.error
    expect(await refused('since=2026-01-01&form=2026-01-01')).toEqual([
      'form: is not a field; did you mean from?',
      'since: is not a parameter. Known parameters: format, report, from, to, status, limit, cursor',
    ])
    expect(await refused(Array.from({ length: 1000 }, (_, i) => `p${i}=`).join('&'))).toHaveLength(10)
    expect((await raw('GET', '/health?a-monitor-avoids-caches=1')).status).toBe(200)
  })

  it('refuses a key that no object keeps, rather than drop it', async () => {
    const { auth } = await newTenant()
    const body = '{"uuid":"a","image_url":"https://example.com/a.jpg","attribute":{"__proto__" : "x"}}'
    const refused = await raw('POST', '/garment-tagging/upload', { ...auth, ...json }, body)
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('a key __proto__')])
    const value = body.replace('"__proto__"', '"Brand"').replace('"x"', JSON.stringify('"__proto__": 1'))
    expect((await raw('POST', '/garment-tagging/upload', { ...auth, ...json }, value)).status).toBe(200)
  })

  it('lists the first twenty problems of a body and how many more there are', async () => {
    const { bearer } = await newMerchant()
    const settings = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, i]))
    const { status, body } = await call('POST', '/merchant/tenant', bearer, {
      name: 'x',
      domain: 'x.example',
      settings,
    })
    expect([status, body.error.length, body.error[20]]).toEqual([400, 21, 'and 4980 more'])
    expect(body.error[0]).toBe('settings.k0: must be a string')
  })

  it('ignores unknown fields of a body', async () => {
    const fields = { uuid: 'x', image_url: 'http://127.0.0.1:9/x.jpg', later_addition: { deep: true } }
    const { auth } = await newTenant()
    expect((await call('POST', '/garment-tagging/upload', auth, fields)).status).toBe(200)
    const config = { enabled: false, later_addition: 1 }
    expect((await call('PUT', '/garment-tagging/webhook/config', auth, config)).status).toBe(200)
  })

  it('does not reveal the cause of an internal error', async () => {
    const broken = {
      ...bindings,
      ...replaceDatabases((database) => wrapDatabase(database, () => Promise.reject(new Error('secret detail')))),
    }
    const { auth } = await newTenant()
    const request = new Request('http://service.test/garment-tagging/query?uuid=x', { headers: auth })
    const response = await app.fetch(request, broken, createExecutionContext())
    const text = await response.text()
    expect(response.status).toBe(500)
    expect(text).not.toContain('secret detail')
    expect(JSON.parse(text)).toMatchObject({ status: false, data: {}, message: 'Internal error' })
  })

  it('answers 503 with Retry-After while the database is overloaded', async () => {
    const busy = {
      ...bindings,
      ...replaceDatabases((database) =>
        wrapDatabase(database, () => Promise.reject(new Error('D1 DB is overloaded. Too many requests queued.'))),
      ),
    }
    const { auth } = await newTenant()
    const request = new Request('http://service.test/garment-tagging/query?uuid=x', { headers: auth })
    const response = await app.fetch(request, busy, createExecutionContext())
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
  })
})
