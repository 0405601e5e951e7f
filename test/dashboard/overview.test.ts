import { expect, it } from 'vitest'
import { insertGarment } from '../garments/review/complete-garment.ts'
import { call, newTenant, raw } from '../service.ts'
import { sessionOf } from './session-of.ts'

it("a seller's overview counts what is in doubt, without a price or failed", async () => {
  const { tenantId, merchant } = await newTenant()
  await insertGarment(tenantId, 'priced', { attribute: '{"Price":"12.00","Currency":"EUR"}', createdAt: Date.now() })
  await insertGarment(tenantId, 'bare', { createdAt: Date.now() })
  await insertGarment(tenantId, 'old', { createdAt: Date.now() - 30 * 86_400_000 })
  await insertGarment(tenantId, 'failed', { status: 'failed', result: null })
  const session = await sessionOf(merchant.id)
  const show = async (path: string) => await (await raw('GET', path, session)).text()
  const work = await show('/dashboard')
  const counted = [...work.matchAll(/<strong>(\d+)<\/strong> ([^<]+)</g)].map(([, count, name]) => `${count} ${name}`)
  expect(counted).toEqual([
    expect.stringMatching(/^\d in doubt$/),
    '2 without a price',
    '1 failed',
    '0 ready',
    '0 listed',
    '0 sold',
  ])
  expect(work).toContain('No sales yet')
  const unpriced = await show('/dashboard/garments?unpriced=yes')
  expect([unpriced.includes('uuid=bare'), unpriced.includes('uuid=priced')]).toEqual([true, false])
})

it("a seller's overview shows the revenue by week and month, and what has been in stock for longest", async () => {
  const { tenantId, merchant, auth } = await newTenant()
  const now = Date.now()
  const day = 86_400_000
  await insertGarment(tenantId, 'old', {
    attribute: '{"Stage":"listed","Title":"Old coat"}',
    createdAt: now - 90 * day,
  })
  await insertGarment(tenantId, 'new', { attribute: '{"Stage":"listed","Title":"New coat"}', createdAt: now - day })
  for (const [uuid, price] of Object.entries({ one: '12.50', two: '7.50' })) {
    await insertGarment(tenantId, uuid, { attribute: JSON.stringify({ Price: price }), createdAt: now - 10 * day })
    const attribute = { Stage: 'sold', 'Sold channel': 'Vinted' }
    expect((await call('PATCH', `/garment-tagging/garment?uuid=${uuid}`, auth, { attribute })).status).toBe(200)
  }
  const session = await sessionOf(merchant.id)
  const show = async (path: string) => await (await raw('GET', path, session)).text()
  for (const [path, period] of [
    ['/dashboard', 'week'],
    ['/dashboard?by=month', 'month'],
  ] as const) {
    const page = await show(path)
    expect(page).toMatch(new RegExp(`20 USD <span class="hint">this ${period}`))
    expect(page).toContain('2 sold.')
    expect(page).toContain('took 10 days or less')
    expect(page.match(/<li><span class="value">/g)?.length).toBe(12)
    expect(page).toMatch(/Longest in stock[^]*Old coat[^]*90 days[^]*New coat[^]*1 day</)
  }
})
