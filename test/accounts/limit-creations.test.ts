import { expect, it } from 'vitest'
import { dayMs } from '../../src/time.ts'
import { sessionOf } from '../dashboard/session-of.ts'
import { call, fillThrottle, newMerchant, newTenant, raw } from '../service.ts'

const origin = 'http://service.test'

it('a merchant creates at most 10 tenants in 24 hours, then has to wait, and others do not', async () => {
  const [busy, other] = [await newTenant(), await newMerchant()]
  await fillThrottle(`tenant-creations:${busy.merchant.id}`, 9, dayMs)
  const { bearer } = busy.merchant
  const domain = `${crypto.randomUUID()}.example`
  // What is refused does not count.
  const taken = { name: 'Shop', domain: (await newTenant()).domain }
  for (let i = 0; i < 2; i++) expect((await call('POST', '/merchant/tenant', bearer, taken)).status).toBe(400)
  const deleteAndCreate = async () => {
    expect((await call('DELETE', '/merchant/tenant', bearer)).status).toBe(200)
    return await call('POST', '/merchant/tenant', bearer, { name: 'Shop', domain })
  }
  expect((await deleteAndCreate()).status).toBe(200)
  const refused = await deleteAndCreate()
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
  expect(refused.body.error[0]).toMatch(/^At most 10 tenants can be created per account in 24 hours; retry in \d+ s\.$/)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(23 * 3600)
  expect((await call('GET', '/merchant/tenant', bearer)).status).toBe(404)

  const headers = { ...(await sessionOf(busy.merchant.id)), Origin: origin }
  const form = new URLSearchParams({ name: 'Shop', domain, 'settings.timezone': 'UTC', 'settings.currency': 'EUR' })
  const page = await raw('POST', '/dashboard/tenant', headers, form)
  expect([page.status, await page.text()]).toEqual([
    429,
    expect.stringContaining('At most 10 tenants can be created per account'),
  ])
  expect((await call('POST', '/merchant/tenant', other.bearer, { name: 'Shop', domain })).status).toBe(200)
})

it('a new tenant does not renew the limits of CSV and image files', async () => {
  const { merchant, domain } = await newTenant()
  await fillThrottle(`imported-csv-files:${merchant.id}`, 20)
  await fillThrottle(`imported-files:${merchant.id}`, 600)
  expect((await call('DELETE', '/merchant/tenant', merchant.bearer)).status).toBe(200)
  expect((await call('POST', '/merchant/tenant', merchant.bearer, { name: 'Shop', domain })).status).toBe(200)
  const headers = {
    ...(await sessionOf(merchant.id)),
    Origin: origin,
    'Content-Type': 'multipart/form-data; boundary=b',
  }
  expect((await raw('POST', '/dashboard/imports', headers, 'no form')).status).toBe(429)
  expect((await raw('POST', '/dashboard/imports/file', headers, 'no form')).status).toBe(429)
})
