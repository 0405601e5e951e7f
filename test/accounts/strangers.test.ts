import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { hashApiKey, newApiKey } from '../../src/accounts/api-keys.ts'
import { findRefusal, rememberUnknown } from '../../src/accounts/gate.ts'
import { countDatabase } from '../support/count-database.ts'
import { bindings, call, newMerchant, newTenant } from '../service.ts'

const config = '/garment-tagging/webhook/config'
const stubOf = (domain: string) => bindings.GATE.getByName(domain)

/** Enters the gate of a domain with each key, and counts how often the gate asks the database. */
async function readsOf(domain: string, keys: readonly string[]): Promise<number> {
  const hashes = keys.map(hashApiKey)
  return await runInDurableObject(stubOf(domain), async (gate) => {
    let reads = 0
    const { DB } = countDatabase(bindings.DB, () => reads++)
    Object.assign(gate, { env: { ...bindings, DB } })
    for (const hash of hashes) await gate.enter(domain, hash)
    Object.assign(gate, { env: bindings })
    return reads
  })
}

const newKeys = (count: number) => Array.from({ length: count }, newApiKey)

describe('strangers', () => {
  it('of an unknown domain leave nothing in storage', async () => {
    const domain = 'nobody.example'
    expect(await readsOf(domain, newKeys(2))).toBe(2)
    const tables = await runInDurableObject(stubOf(domain), (_, { storage }) =>
      storage.sql.exec('SELECT name FROM sqlite_master').toArray(),
    )
    expect(tables).toEqual([])
  })

  it('with unknown keys of a known domain cause no database read', async () => {
    const { domain, auth } = await newTenant()
    await call('GET', config, auth)
    expect(await readsOf(domain, newKeys(10))).toBe(0)
  })

  it('that repeat a refused key do not reach the Durable Object', async () => {
    const { domain } = await newTenant()
    const [key = ''] = newKeys(1)
    const stranger = { 'API-KEY': key, DOMAIN: domain }
    expect((await call('GET', config, stranger)).status).toBe(401)
    expect(findRefusal(domain, hashApiKey(key), Date.now())).toMatchObject({ outcome: 'unauthorized' })
    expect((await call('GET', config, stranger)).status).toBe(401)
  })

  it('get 401 and never 429, however many requests they send', async () => {
    const { domain } = await newTenant()
    const keys = newKeys(20)
    const answers = await Promise.all(keys.map((key) => call('GET', config, { 'API-KEY': key, DOMAIN: domain })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
  })
})

describe('remembered refusals of keys', () => {
  it('are forgotten after a minute, and the oldest when there are too many', () => {
    const isRefused = (...args: Parameters<typeof findRefusal>) => findRefusal(...args) !== undefined
    rememberUnknown('a.example', 'first', 0)
    expect([isRefused('a.example', 'first', 59_999), isRefused('a.example', 'first', 60_000)]).toEqual([true, false])
    expect([isRefused('b.example', 'first', 1), isRefused('a.example', 'second', 1)]).toEqual([false, false])
    for (let i = 0; i < 1000; i++) rememberUnknown('a.example', `later ${i}`, 1)
    expect([isRefused('a.example', 'first', 2), isRefused('a.example', 'later 999', 2)]).toEqual([false, true])
  })
})

describe('a new API key', () => {
  it('works immediately, even if strangers have just tried the same domain', async () => {
    const merchant = await newMerchant()
    const domain = `asked-for-${merchant.id}.example`
    const [strange = ''] = newKeys(1)
    const knock = async () => (await call('GET', config, { 'API-KEY': strange, DOMAIN: domain })).status
    expect(await knock()).toBe(401)
    await call('POST', '/merchant/tenant', merchant.bearer, { name: 'Shop', domain })
    expect(await knock()).toBe(401)
    for (let i = 0; i < 3; i++) {
      const { body } = await call('POST', '/merchant/tenant/api-key', merchant.bearer, { name: `key ${i}` })
      const answer = await call('GET', config, { 'API-KEY': body.data.api_key as string, DOMAIN: domain })
      expect(answer.status).toBe(200)
    }
  })

  it('is not created for a deleted tenant', async () => {
    const { merchant } = await newTenant()
    const [created, deleted] = await Promise.all([
      call('POST', '/merchant/tenant/api-key', merchant.bearer, { name: 'late' }),
      call('DELETE', '/merchant/tenant', merchant.bearer),
    ])
    expect(deleted.status).toBe(200)
    const auth = { 'API-KEY': String(created.body.data.api_key), DOMAIN: 'x' }
    expect([200, 404]).toContain(created.status)
    expect((await call('GET', config, auth)).status).toBe(401)
  })
})

describe('a domain', () => {
  const move = async (domain: string, from: Record<string, string>, to: Record<string, string>) => {
    expect((await call('DELETE', '/merchant/tenant', from)).status).toBe(200)
    expect((await call('POST', '/merchant/tenant', to, { name: 'New', domain })).status).toBe(200)
    const { body } = await call('POST', '/merchant/tenant/api-key', to, { name: 'new' })
    return { 'API-KEY': body.data.api_key as string, DOMAIN: domain }
  }

  it('that moves to another merchant starts with an empty window and without times of use', async () => {
    const { domain, auth, merchant, tenantId } = await newTenant()
    const heir = await newMerchant()
    for (let i = 0; i < 6; i++) await call('GET', config, auth)
    expect(Object.keys(await stubOf(domain).lastUsed())).toHaveLength(1)
    const moved = await move(domain, merchant.bearer, heir.bearer)
    expect((await call('GET', config, auth)).status).toBe(401)
    const list = await call('GET', '/merchant/tenant/api-key', heir.bearer)
    expect(list.body.data.api_keys[0].last_used_at).toBe(null)
    expect((await call('GET', config, moved)).headers.get('ratelimit-remaining')).toBe('5')
    expect(Object.keys(await stubOf(domain).lastUsed())).toHaveLength(1)
    expect(await bindings.DB.prepare('SELECT 1 FROM tenants WHERE id = ?').bind(tenantId).first()).toBe(null)
  })

  it('that the same merchant deletes and creates again keeps its window', async () => {
    const { domain, auth, merchant } = await newTenant()
    for (let i = 0; i < 6; i++) await call('GET', config, auth)
    const renewed = await move(domain, merchant.bearer, merchant.bearer)
    expect((await call('GET', config, renewed)).status).toBe(429)
  })
})
