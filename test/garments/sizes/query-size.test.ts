import { expect, it } from 'vitest'
import { insertGarment, machineTag } from '../review/complete-garment.ts'
import { call, newTenant } from '../../service.ts'

it.each([
  ['10P', "Women's", { system: 'US', value: '10', type: 'petite' }],
  ['42R', "Men's", { system: 'UK', value: '42', type: 'regular' }],
  ['x-large', '', { system: 'letter', value: 'XL', type: null }],
  ['see label', '', null],
])('the query has the size “%s” as it was understood, beside the words', async (text, gender, size) => {
  const { tenantId, auth } = await newTenant()
  const tag = { ...machineTag, ...(gender && { Gender: gender }) }
  await insertGarment(tenantId, 'a', { tag, attribute: JSON.stringify({ Size: text }) })
  const { body } = await call('GET', '/garment-tagging/query?uuid=a', auth)
  expect([body.data.size, body.data.listing.size]).toEqual([size, text])
})
