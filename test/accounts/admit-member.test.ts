import { expect, it } from 'vitest'
import { admitMember } from '../../src/accounts/authenticate.ts'
import { sessionOf } from '../dashboard/session-of.ts'
import { call, newTenant, origin, raw } from '../service.ts'

it('a member has at most 50 requests under way, of the dashboard and of its API together; others go on', async () => {
  const [{ merchant }, { merchant: other }] = [await newTenant(), await newTenant()]
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const underWay = Array.from(
    { length: 50 },
    async () => await admitMember({ id: merchant.id, memberId: merchant.id }, async () => await ended),
  )
  const [session, otherSession] = [await sessionOf(merchant.id), await sessionOf(other.id)]
  const page = await raw('GET', '/dashboard/garments', session)
  expect([page.status, page.headers.get('retry-after')]).toEqual([429, '5'])
  expect(await page.text()).toContain('Wait until your other requests are answered.')
  // A file that arrives takes none of these places.
  const form = new URLSearchParams({})
  const added = await raw(
    'POST',
    '/dashboard/garment/pictures/add?uuid=none',
    { ...session, Origin: origin, Accept: 'application/json' },
    form,
  )
  expect(added.status).toBe(415)
  const refused = await call('GET', '/merchant/tenant', merchant.bearer)
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
  expect((await raw('GET', '/dashboard/garments', otherSession)).status).toBe(200)
  end()
  await Promise.all(underWay)
  expect((await raw('GET', '/dashboard/garments', session)).status).toBe(200)
})
