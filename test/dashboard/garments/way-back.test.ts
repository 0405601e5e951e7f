import { expect, it } from 'vitest'
import { insertGarment } from '../../review/complete-garment.ts'
import { newTenant, raw } from '../../service.ts'
import { sessionOf } from '../session-of.ts'

const list = 'brand=Acme&doubtful=yes'
const listPath = `/dashboard/garments?${list}`.replace('&', '&amp;')

async function newVisitor() {
  const { tenantId, merchant } = await newTenant()
  const session = await sessionOf(merchant.id)
  const show = async (path: string) => await (await raw('GET', path, session)).text()
  const post = async (path: string, fields: Record<string, string>) => {
    const answer = await raw('POST', path, { ...session, Origin: 'http://service.test' }, new URLSearchParams(fields))
    return [answer.status, answer.headers.get('location')]
  }
  return { tenantId, show, post }
}

it('what is done on the page of a garment leads back to the list that it was opened from', async () => {
  const { tenantId, show, post } = await newVisitor()
  await insertGarment(tenantId, 'a', { attribute: '{"Brand":"Acme"}' })
  const page = await show(`/dashboard/garment?uuid=a&${list}`)
  expect(page).toContain(`href="${listPath}"`)
  const correction = `/dashboard/correct?uuid=a&${list}`
  expect(page).toContain(`href="${correction.replaceAll('&', '&amp;')}"`)
  expect(await show(correction)).toContain(`action="${correction.replaceAll('&', '&amp;')}"`)
  const back = `/dashboard/garment?uuid=a&${list}`
  expect(await post(correction, { 'tag.Colour': 'Black' })).toEqual([303, back])
  const undo = `/dashboard/correct/undo?uuid=a&${list}`
  expect(await show(back)).toContain(`action="${undo.replaceAll('&', '&amp;')}"`)
  expect(await post(undo, { part: 'tag', name: 'Colour' })).toEqual([303, `${back}#history`])
  expect(await post(`/dashboard/lines?${list}`, { uuid: 'a' })).toEqual([303, back])
  const deleted = `/dashboard/garments?${list}&done=deleted`
  expect(await post(`/dashboard/garment/delete?uuid=a&${list}`, {})).toEqual([303, deleted])
})

it('a garment that is tagged again stays one of the list that it was opened from', async () => {
  const { tenantId, show, post } = await newVisitor()
  await insertGarment(tenantId, 'a', { status: 'failed', failureReason: 'no_garment', tag: null, measurements: null })
  const page = await show('/dashboard/garment?uuid=a&status=failed')
  expect(page).toContain('action="/dashboard/garment/retry?status=failed"')
  const answer = await post('/dashboard/garment/retry?status=failed', { uuid: 'a' })
  expect(answer).toEqual([303, '/dashboard/garment?uuid=a&status=failed'])
})

it('another status of a list keeps its search and its other filters', async () => {
  const { show } = await newVisitor()
  const page = await show('/dashboard/garments?search=dress&status=failed')
  expect(page).toContain('href="/dashboard/garments?search=dress&amp;status=complete"')
})
