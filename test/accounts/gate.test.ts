import { createExecutionContext, evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { app } from '../../src/app.ts'
import { sessionOf } from '../dashboard/session-of.ts'
import { replaceMethods } from '../support/wrap-database.ts'
import { bindings, call, newTenant } from '../service.ts'

const config = '/garment-tagging/webhook/config'

describe('the gate', () => {
  it('admits six requests a minute for a domain over all endpoints and keys, then says when to retry', async () => {
    const { auth, merchant, domain } = await newTenant()
    const second = await call('POST', '/merchant/tenant/api-key', merchant.bearer, { name: 'second' })
    const otherKey = { 'API-KEY': second.body.data.api_key as string, DOMAIN: domain.toUpperCase() }
    for (let i = 0; i < 3; i++) {
      const a = await call('GET', config, auth)
      expect(a.headers.get('ratelimit-remaining')).toBe(String(5 - 2 * i))
      const b = await call('GET', '/garment-tagging/query?uuid=none', otherKey)
      expect(b.status).toBe(404)
      expect(b.headers.get('ratelimit-limit')).toBe('6')
    }
    const refused = await call('GET', config, auth)
    expect(refused.status).toBe(429)
    expect(refused.body).toMatchObject({ status: false, data: {}, message: 'Too many requests' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    expect(refused.headers.get('ratelimit-remaining')).toBe('0')
  })

  it('admits exactly six of twenty requests that come at once', async () => {
    const { auth } = await newTenant()
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('GET', config, auth)))
    expect(answers.filter((answer) => answer.status === 200).length).toBe(6)
    expect(answers.filter((answer) => answer.status === 429).length).toBe(14)
  })

  it('is not asked again by a key above the limit, until the time that it was told', async () => {
    const { auth, domain } = await newTenant()
    for (let i = 0; i < 7; i++) await call('GET', config, auth)
    await runInDurableObject(bindings.GATE.getByName(domain), async (_, { storage }) => await storage.deleteAll())
    await evictDurableObject(bindings.GATE.getByName(domain))
    const refused = await call('GET', config, auth)
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect([refused.headers.get('ratelimit-limit'), refused.headers.get('ratelimit-remaining')]).toEqual(['6', '0'])
    const { apiKey } = await newTenant()
    expect((await call('GET', config, { ...auth, 'API-KEY': apiKey })).status).toBe(401)
  })

  it('keeps its window when its object is evicted', async () => {
    const { auth, domain } = await newTenant()
    for (let i = 0; i < 6; i++) await call('GET', config, auth)
    await evictDurableObject(bindings.GATE.getByName(domain))
    expect((await call('GET', config, auth)).status).toBe(429)
  })

  it('does not count strangers against a tenant', async () => {
    const { auth, domain } = await newTenant()
    const { apiKey } = await newTenant()
    for (let i = 0; i < 10; i++) await call('GET', config, { 'API-KEY': apiKey, DOMAIN: domain })
    expect((await call('GET', config, auth)).headers.get('ratelimit-remaining')).toBe('5')
  })

  it('refuses a revoked key from the next request on', async () => {
    const { auth, merchant, keyId } = await newTenant()
    expect((await call('GET', config, auth)).status).toBe(200)
    expect((await call('DELETE', `/merchant/tenant/api-key/${keyId}`, merchant.bearer)).status).toBe(200)
    expect((await call('GET', config, auth)).status).toBe(401)
  })

  it('forgets when a revoked key was used, of which a merchant can make any number', async () => {
    const { auth, merchant, domain, keyId } = await newTenant()
    const { data } = (await call('POST', '/merchant/tenant/api-key', merchant.bearer, { name: 'second' })).body
    await call('GET', config, auth)
    await call('DELETE', `/merchant/tenant/api-key/${keyId}`, merchant.bearer)
    await call('GET', config, { 'API-KEY': data.api_key as string, DOMAIN: domain })
    expect(Object.keys(await bindings.GATE.getByName(domain).lastUsed())).toEqual([data.id])
  })

  it('that was never used is woken by nothing but a call of the API, and is told of keys from then on', async () => {
    const { auth, merchant, domain, keyId } = await newTenant()
    const unused = await newTenant()
    const woken: string[] = []
    const getByName = (name: string) => {
      const stub = bindings.GATE.getByName(name)
      return new Proxy(stub, {
        get:
          (_, method) =>
          async (...args: unknown[]) => {
            woken.push(`${name} ${String(method)}`)
            return await (Reflect.get(stub, method) as (...args: unknown[]) => Promise<unknown>)(...args)
          },
      })
    }
    const env = { ...bindings, GATE: replaceMethods(bindings.GATE, { getByName }) }
    const send = async (method: string, path: string, headers: Record<string, string>, body?: object) => {
      const init = body === undefined ? {} : { body: JSON.stringify(body) }
      const all = { ...headers, 'Content-Type': 'application/json' }
      const request = new Request(`http://s.test${path}`, { method, headers: all, ...init })
      const response = await app.fetch(request, env, createExecutionContext())
      expect(response.status).toBe(200)
      await response.text()
    }
    const keys = '/merchant/tenant/api-key'
    const changeKeys = async (owner: typeof unused) => {
      const { bearer, id } = owner.merchant
      await send('POST', keys, bearer, { name: 'second' })
      await send('GET', keys, bearer)
      for (const page of ['/build', '/usage', '/keys']) await send('GET', `/dashboard${page}`, await sessionOf(id))
      await send('DELETE', `${keys}/${owner.keyId}`, bearer)
    }
    await changeKeys(unused)
    await send('DELETE', '/merchant/tenant', unused.merchant.bearer)
    expect(woken).toEqual([])
    await send('GET', config, auth)
    await changeKeys({ ...unused, merchant, keyId })
    const methods = ['enter', 'forget', 'lastUsed', 'usage', 'usage', 'lastUsed', 'forget']
    expect(woken).toEqual(methods.map((method) => `${domain} ${method}`))
    expect((await call('GET', config, auth)).status).toBe(401)
  })

  it('refuses a repeated header', async () => {
    const { auth, apiKey } = await newTenant()
    expect((await call('GET', config, { ...auth, 'API-KEY': `${apiKey}, ${apiKey}` })).status).toBe(401)
    expect((await call('GET', config, { ...auth, DOMAIN: `${auth.DOMAIN}, ${auth.DOMAIN}` })).status).toBe(401)
  })
})
