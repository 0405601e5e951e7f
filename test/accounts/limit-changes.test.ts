import { expect, it } from 'vitest'
import { throttleOf } from '../../src/platform/limits/throttle.ts'
import { bindings, call, fillThrottle, newMember, newMerchant } from '../service.ts'

it('an account makes at most 60 changes a minute through the API, and reads on', async () => {
  const { id, bearer } = await newMerchant()
  await fillThrottle(`merchant-changes:${id}`, 59)
  // It counts, although it is invalid.
  expect((await call('POST', '/merchant/tenant', bearer, { name: '' })).status).toBe(400)

  const tenant = { name: 'Shop', domain: `${id}.example` }
  const refused = await call('POST', '/merchant/tenant', bearer, tenant)
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
  expect(refused.body.error[0]).toMatch(/^At most 60 changes of an account per minute; retry in \d+ s\.$/)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await call('DELETE', '/merchant', bearer)).status).toBe(429)

  expect((await call('GET', '/merchant/tenant', bearer)).status).toBe(404)
  const other = await newMerchant()
  expect((await call('POST', '/merchant/tenant', other.bearer, { ...tenant, name: '' })).status).toBe(400)
})

it('what is refused for its token or its role uses up no change of the account', async () => {
  const { id, bearer } = await newMerchant()
  const reviewer = await newMember(id, 'reviewer')
  expect((await call('DELETE', '/merchant', reviewer.bearer)).status).toBe(403)
  await call('POST', '/merchant/sign-out', bearer)
  expect((await call('DELETE', '/merchant', bearer)).status).toBe(401)
  // The sign-out counts.
  expect(await throttleOf(bindings, `merchant-changes:${id}`).enter(2, 60_000)).toBe(null)
})
