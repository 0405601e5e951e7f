import { expect, it } from 'vitest'
import { searchesPerMinute } from '../../../src/garments/list/limit-searches.ts'
import { sessionOf } from '../../dashboard/session-of.ts'
import { call, fillThrottle, newTenant, raw } from '../../service.ts'

it('searches, filters and counts share a limit per minute for each tenant, and plain lists have none', async () => {
  const { tenantId, merchant, auth } = await newTenant()
  const session = await sessionOf(merchant.id)
  const page = async (path: string) => await raw('GET', path, session)
  await fillThrottle(`searches:${tenantId}`, searchesPerMinute - 3)
  expect((await page('/dashboard/garments?search=dress')).status).toBe(200)
  expect((await page('/dashboard/review/count')).status).toBe(200)
  expect((await call('GET', '/garment-tagging/garments?colour=Red', auth)).status).toBe(200)

  const refused = await call('GET', '/garment-tagging/garments?q=dress', auth)
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
  expect(refused.body.error[0]).toMatch(/^At most 60 searches and counts per minute; retry in \d+ s\.$/)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await page('/dashboard/garments?search=dress')).status).toBe(429)
  expect((await page('/dashboard/garments?count=yes')).status).toBe(429)

  expect((await page('/dashboard/garments')).status).toBe(200)
  expect((await call('GET', '/garment-tagging/garments', auth)).status).toBe(200)
  const other = await newTenant()
  expect((await call('GET', '/garment-tagging/garments?q=dress', other.auth)).status).toBe(200)
})
