import { expect, it } from 'vitest'
import { insertGarment } from '../garments/review/complete-garment.ts'
import { newTenant, raw } from '../service.ts'
import { sessionOf } from './session-of.ts'

it("a seller's overview counts what is in doubt, without a price or failed, and what was added this week", async () => {
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
  expect(work).toContain('2 garments added in the last 7 days')
  const unpriced = await show('/dashboard/garments?unpriced=yes')
  expect([unpriced.includes('uuid=bare'), unpriced.includes('uuid=priced')]).toEqual([true, false])
})
