import { expect, it } from 'vitest'
import { inventDomain, normalizeDomain } from '../../src/accounts/tenant.ts'
import { newMerchant, raw } from '../service.ts'
import { sessionOf } from './session-of.ts'

const origin = { Origin: 'http://service.test' }

async function newVisitor() {
  const session = await sessionOf((await newMerchant()).id)
  const page = async (path: string, headers = {}) => await (await raw('GET', path, { ...session, ...headers })).text()
  const redirect = async (path: string) => (await raw('GET', path, session)).headers.get('location')
  const create = async (fields: Record<string, string>) =>
    await raw('POST', '/dashboard/tenant', { ...origin, ...session }, new URLSearchParams(fields))
  return { page, redirect, create }
}

const zone = { 'settings.timezone': 'UTC', 'settings.currency': 'EUR' }

it('asks first what somebody came for, and then only for what that needs', async () => {
  const { page, create } = await newVisitor()
  const welcome = await page('/dashboard')
  expect([welcome.includes('?purpose=here'), welcome.includes('?purpose=api')]).toEqual([true, true])
  expect(welcome).not.toContain('name="domain"')
  const here = await page('/dashboard?purpose=here')
  expect([here.includes('name="name"'), here.includes('name="domain"')]).toEqual([true, false])
  expect(await page('/dashboard?purpose=api')).toContain('name="domain"')

  const refused = await create({ purpose: 'here', name: '', ...zone })
  expect([refused.status, (await refused.text()).includes('name="domain"')]).toEqual([400, false])
  const created = await create({ purpose: 'here', name: 'Ann & Söhne', ...zone })
  expect([created.status, created.headers.get('location')]).toEqual([303, '/dashboard'])
  expect(await page('/dashboard/tenant')).toMatch(/<code>ann-sohne-[0-9a-f]{8}<\/code>/)
  const next = await page('/dashboard')
  expect([next.includes('1 of 2 done'), next.includes('action="/dashboard/keys"')]).toEqual([true, false])
  expect(await page('/dashboard/build')).toContain('action="/dashboard/keys"')
})

it('explains that other pages need a shop, and leads back to its creation', async () => {
  const { page, redirect } = await newVisitor()
  expect(await redirect('/dashboard/garments')).toBe('/dashboard?needs=shop')
  expect(await page('/dashboard?needs=shop')).toContain('First give your shop a name.')
  expect(await page('/dashboard')).not.toContain('First give your shop a name.')
})

it('suggests currency and listing language by the browser, and keeps the language', async () => {
  const { page, create } = await newVisitor()
  const form = await page('/dashboard?purpose=here', { 'Accept-Language': 'de-AT,de;q=0.9' })
  expect(form).toMatch(/name="settings\.currency"[^>]*value="EUR"/)
  expect(form).toContain('<option value="de" selected="">Deutsch</option>')
  await create({ purpose: 'here', name: 'Anna', language: 'de', ...zone })
  expect(await page('/dashboard/export')).toContain('<option value="de" selected="">Deutsch</option>')
})

it.each(['', '!!!', '服装', 'A'.repeat(200), '-x-', 'Ann & Söhne'])('a domain is made up for %j', (name) => {
  const domain = inventDomain(name, crypto.randomUUID())
  expect(normalizeDomain(domain)).toBe(domain)
  expect(inventDomain(name, crypto.randomUUID())).not.toBe(domain)
})
