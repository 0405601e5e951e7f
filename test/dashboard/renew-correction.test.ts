import { expect, it } from 'vitest'
import { call, newTenant, raw } from '../service.ts'
import { insertGarment } from '../garments/review/complete-garment.ts'
import { sessionOf } from './session-of.ts'

it('the correction form is renewed for another item type, keeps what was entered, and saves nothing', async () => {
  const { tenantId, merchant, auth } = await newTenant()
  await insertGarment(tenantId, 'g')
  const headers = { Origin: 'http://service.test', ...(await sessionOf(merchant.id)) }
  const fields = { 'tag.Item Type': 'Shorts', 'tag.Brand': 'Kept', 'measurements.Chest (cm)': '50', intent: 'renew' }
  const response = await raw('POST', '/dashboard/garment?uuid=g', headers, new URLSearchParams(fields))
  const text = await response.text()
  expect(response.status).toBe(200)
  expect(text).toContain('value="Kept"')
  expect(text).toContain('name="measurements.Inseam (cm)"')
  expect(text).not.toContain('name="measurements.Chest (cm)"')
  const { data } = (await call('GET', '/garment-tagging/query?uuid=g', auth)).body
  expect([data.tag['Item Type'], data.corrected]).toEqual(['T-Shirt', undefined])
})
