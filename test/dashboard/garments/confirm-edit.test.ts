import { expect, it } from 'vitest'
import { insertGarment } from '../../garments/review/complete-garment.ts'
import { newTenant, raw } from '../../service.ts'
import { sessionOf } from '../session-of.ts'

it('a change of all that a list finds is asked for again if their number has changed since', async () => {
  const { tenantId, merchant } = await newTenant()
  const headers = { Origin: 'http://service.test', ...(await sessionOf(merchant.id)) }
  const edit = async (confirm: object) => {
    const fields = new URLSearchParams({ 'attribute.Price': '9', scope: 'all', ...confirm })
    const response = await raw('POST', '/dashboard/edit', headers, fields)
    return { status: response.status, page: await response.text() }
  }
  const buttonOf = (page: string) => ({ confirm: /name="confirm" value="([^"]*)"/.exec(page)?.[1] ?? '' })

  await insertGarment(tenantId, 'a')
  const first = await edit({})
  await insertGarment(tenantId, 'b')
  const again = await edit(buttonOf(first.page))
  expect(again.status).toBe(200)
  for (const part of ['Price of 2 garments', 'number of matching garments has changed'])
    expect(again.page).toContain(part)
  expect((await edit(buttonOf(again.page))).status).toBe(303)
})
