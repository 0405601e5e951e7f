import { copyKey } from '../../src/garments/pictures/stored-copy.ts'
import { taggingDelivery } from '../support/tagging-delivery.ts'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import { apiKeys, deliveries, garments, tenantPurges } from '../../src/platform/db/schema.ts'
import { hashApiKey, isWellFormedKey, newApiKey } from '../../src/accounts/api-keys.ts'
import { deleteTenant } from '../../src/accounts/delete-tenant.ts'
import { bindings, call, databaseOf, newMerchant, newTenant, someone } from '../service.ts'
import { purgeTenant } from '../operations/purge-tenant.ts'
import { replaceMethods } from '../support/wrap-database.ts'
import { insertGarments } from '../support/stored-garment/insert-garments.ts'

const accounts = openDatabase(bindings.DB)

const insertStock = async (tenantId: string, count: number, status: 'complete' | 'queuing') =>
  await insertGarments(databaseOf(tenantId), count, (i) => ({
    tenantId,
    status,
    ...(status === 'queuing' && { endedAt: null, dueAt: i }),
  }))

const garmentsOf = async (tenantId: string) =>
  await databaseOf(tenantId).select().from(garments).where(eq(garments.tenantId, tenantId))

describe('a tenant', () => {
  it('is created with what was given, and read back', async () => {
    const { bearer, id } = await newMerchant()
    const fields = {
      name: 'Shop',
      domain: 'My-Shop.Example',
      description: 'Coats',
      settings: { timezone: 'Europe/Berlin', currency: 'EUR', locale: 'de' },
    }
    const { status, body } = await call('POST', '/merchant/tenant', bearer, fields)
    expect(status).toBe(200)
    expect(body.data).toEqual({
      id: expect.any(String),
      name: 'Shop',
      domain: 'my-shop.example',
      description: 'Coats',
      merchant_id: id,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    })
    const read = await call('GET', '/merchant/tenant', bearer)
    expect(read.body.data).toEqual({ ...body.data, settings: fields.settings })
  })

  it('is changed in the fields and settings that are given, and keeps its domain', async () => {
    const { merchant } = await newTenant()
    const change = async (body: object) => await call('PUT', '/merchant/tenant', merchant.bearer, body)
    const { data } = (await call('GET', '/merchant/tenant', merchant.bearer)).body
    const settings = { timezone: 'Europe/Berlin', locale: 'de', theme: 'dark' }
    const first = await change({ name: ' New ', description: 'Coats', settings, domain: 'other.example' })
    const changed = { ...data, name: 'New', description: 'Coats' }
    expect(first.body.data).toEqual({ ...changed, settings: { ...settings, currency: 'USD' } })
    const second = await change({ settings: { currency: 'EUR', theme: null, timezone: undefined } })
    const kept = { timezone: 'Europe/Berlin', currency: 'EUR', locale: 'de' }
    expect(second.body.data).toEqual({ ...changed, settings: kept })
    expect((await change({})).body.data).toEqual({ ...changed, settings: kept })
    expect((await call('GET', '/merchant/tenant', merchant.bearer)).body.data).toEqual({ ...changed, settings: kept })
    const refused = await change({ name: '', settings: { timezone: 'Mars', currency: null, locale: 1 } })
    expect([refused.status, refused.body.error.map((problem) => problem.split(':')[0])]).toEqual([
      400,
      ['name', 'settings.timezone', 'settings.currency', 'settings.locale'],
    ])
    const many = Object.fromEntries(Array.from({ length: 18 }, (_, i) => [`key ${i}`, 'x']))
    expect((await change({ settings: many })).body.error).toEqual(['settings: must have at most 20 keys'])
    expect((await change({ settings: { ...many, 'key 0': null } })).status).toBe(200)
  })

  it('is refused for a domain that is taken, by anyone and in any case, and for a second tenant', async () => {
    const { merchant, domain } = await newTenant()
    const other = await newMerchant()
    const taken = await call('POST', '/merchant/tenant', other.bearer, { name: 'x', domain: domain.toUpperCase() })
    expect([taken.status, taken.body.message]).toEqual([400, 'Domain already exists'])
    const again = await call('POST', '/merchant/tenant', merchant.bearer, { name: 'x', domain })
    expect(again.status).toBe(400)
    const second = await call('POST', '/merchant/tenant', merchant.bearer, { name: 'x', domain: `2.${domain}` })
    expect(second.status).toBe(409)
  })

  it.each([
    [{ domain: '-a' }, 'domain'],
    [{ domain: '_a' }, 'domain'],
    [{ domain: 'a'.repeat(254) }, 'domain'],
    [{ domain: 'münchen.example' }, 'domain'],
    [{ settings: { timezone: 'Mars/Olympus' } }, 'settings.timezone'],
    [{ settings: { currency: 'ZZZ' } }, 'settings.currency'],
    [{ settings: { extra: 1 } }, 'settings.extra'],
    [{ settings: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`k${i}`, 'v'])) }, 'settings'],
    [{ description: 'x'.repeat(2001) }, 'description'],
    [{ name: '' }, 'name'],
  ])('is refused with %j, naming %s', async (change, field) => {
    const { bearer } = await newMerchant()
    const { status, body } = await call('POST', '/merchant/tenant', bearer, {
      name: 'x',
      domain: 'ok.example',
      ...change,
    })
    expect(status).toBe(400)
    expect(body.error).toEqual([expect.stringMatching(new RegExp(`^${field.replace('.', '\\.')}: `))])
  })

  it('is deleted with its keys, frees its domain at once, and is purged of everything in the background', async () => {
    const { merchant, domain, tenantId, auth } = await newTenant()
    const other = await newTenant()
    await insertStock(tenantId, 3, 'complete')
    await insertStock(other.tenantId, 1, 'complete')
    await bindings.PICTURES.put(copyKey(tenantId, 'p1'), 'x')
    await bindings.PICTURES.put(copyKey(other.tenantId, 'p1'), 'x')
    const { status, body } = await call('DELETE', '/merchant/tenant', merchant.bearer)
    expect([status, typeof body.data.message]).toEqual([200, 'string'])
    expect((await call('GET', '/garment-tagging/query?uuid=g1', auth)).status).toBe(401)
    expect((await call('DELETE', '/merchant/tenant', merchant.bearer)).status).toBe(404)
    expect((await call('POST', '/merchant/tenant', merchant.bearer, { name: 'y', domain })).status).toBe(200)
    await purgeTenant(tenantId, 1)
    const purges = () => accounts.select().from(tenantPurges).where(eq(tenantPurges.tenantId, tenantId))
    expect((await purges()).length).toBe(1)
    await insertStock(tenantId, 1, 'complete')
    await purgeTenant(tenantId)
    expect(await garmentsOf(tenantId)).toEqual([])
    expect(await purges()).toEqual([])
    expect((await bindings.PICTURES.list({ prefix: `copies/${tenantId}/` })).objects).toEqual([])
    expect((await garmentsOf(other.tenantId)).length).toBe(1)
    expect((await bindings.PICTURES.list({ prefix: `copies/${other.tenantId}/` })).objects.length).toBe(1)
  })

  it('is deleted with its keys although its gate cannot be reached at first', async () => {
    const { merchant, domain, tenantId, auth } = await newTenant()
    expect((await call('GET', '/garment-tagging/query?uuid=g1', auth)).status).toBe(404)
    let faults = 2
    const getByName = (...name: Parameters<typeof bindings.GATE.getByName>) => {
      if (faults-- > 0) throw new Error('Network connection lost.')
      return bindings.GATE.getByName(...name)
    }
    const env = { ...bindings, GATE: replaceMethods(bindings.GATE, { getByName }) }
    await deleteTenant(env, { id: tenantId, domain, merchantId: merchant.id }, Date.now(), someone)
    expect((await call('GET', '/garment-tagging/query?uuid=g1', auth)).status).toBe(401)
  })

  it('is not deleted while a garment is being tagged', async () => {
    const { merchant, tenantId, auth } = await newTenant()
    await insertStock(tenantId, 1, 'queuing')
    const { status, body } = await call('DELETE', '/merchant/tenant', merchant.bearer)
    expect([status, body.message]).toEqual([409, 'Tenant has active data'])
    expect((await call('GET', '/garment-tagging/query?uuid=g1', auth)).status).toBe(200)
  })
})

describe('a tenant with a pending delivery', () => {
  it('is deleted only once its webhook is off', async () => {
    const { merchant, tenantId, auth } = await newTenant()
    const url = 'http://127.0.0.1:9/'
    await call('PUT', '/garment-tagging/webhook/config', auth, { enabled: true, url })
    const later = Date.now() + 3600_000
    const times = { nextAttemptAt: later, dueAt: later, createdAt: 1, updatedAt: 1 }
    await databaseOf(tenantId)
      .insert(deliveries)
      .values({ ...taggingDelivery, id: crypto.randomUUID(), tenantId, garmentUuid: 'g', status: 'pending', ...times })
    expect((await call('DELETE', '/merchant/tenant', merchant.bearer)).status).toBe(409)
    await call('PUT', '/garment-tagging/webhook/config', auth, { enabled: false, url })
    expect((await call('DELETE', '/merchant/tenant', merchant.bearer)).status).toBe(200)
  })
})

describe('API keys', () => {
  it('are shown once, listed without the key, and stored as a hash only', async () => {
    const { merchant, tenantId, apiKey, keyId, auth } = await newTenant()
    await call('GET', '/garment-tagging/query?uuid=x', auth)
    const { body } = await call('GET', '/merchant/tenant/api-key', merchant.bearer)
    const times = { created_at: expect.any(String), last_used_at: expect.stringMatching(/^20/) }
    expect(body.data).toEqual({ api_keys: [{ id: keyId, name: 'test', prefix: apiKey.slice(0, 9), ...times }] })
    const [row] = await accounts.select().from(apiKeys).where(eq(apiKeys.tenantId, tenantId))
    expect(row?.hash).toBe(hashApiKey(apiKey))
    expect(JSON.stringify(row)).not.toContain(apiKey)
  })

  it('are at most twenty, however many are asked for at once', async () => {
    const { merchant } = await newTenant()
    const ask = () => call('POST', '/merchant/tenant/api-key', merchant.bearer, { name: 'more' })
    const answers = await Promise.all(Array.from({ length: 22 }, ask))
    expect(answers.filter((answer) => answer.status === 200).length).toBe(19)
    expect(answers.filter((answer) => answer.status === 409).length).toBe(3)
  })

  it('of another merchant cannot be revoked', async () => {
    const { keyId, auth } = await newTenant()
    const other = await newTenant()
    expect((await call('DELETE', `/merchant/tenant/api-key/${keyId}`, other.merchant.bearer)).status).toBe(404)
    expect((await call('GET', '/garment-tagging/query?uuid=x', auth)).status).toBe(404)
  })

  it('have a checksum that catches every single mistyped character', async () => {
    const key = newApiKey()
    expect(key).toMatch(/^gt_[0-9A-Za-z]{38}$/)
    expect(isWellFormedKey(key)).toBe(true)
    for (let i = 3; i < key.length; i++) {
      const typo = key.slice(0, i) + (key[i] === 'a' ? 'b' : 'a') + key.slice(i + 1)
      expect(isWellFormedKey(typo)).toBe(false)
    }
  })
})
