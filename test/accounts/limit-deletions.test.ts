import { expect, it } from 'vitest'
import { call, fillThrottle, newTenant } from '../service.ts'

it('a merchant deletes at most 60 tenants a minute, then has to wait, and others do not', async () => {
  const [busy, other] = [await newTenant(), await newTenant()]
  const subject = `tenant-deletions:${busy.merchant.id}`
  await fillThrottle(subject, 60)
  const refused = await call('DELETE', '/merchant/tenant', busy.merchant.bearer)
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
  expect((await call('GET', '/merchant/tenant', busy.merchant.bearer)).status).toBe(200)
  expect((await call('DELETE', '/merchant/tenant', other.merchant.bearer)).status).toBe(200)
})
