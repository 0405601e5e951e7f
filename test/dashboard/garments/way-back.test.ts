import { notProcessed } from '../../../src/garments/failure.ts'
import { describe, expect, it } from 'vitest'
import { correctTag, insertGarment } from '../../garments/review/complete-garment.ts'
import { newTenant, raw } from '../../service.ts'
import { sessionOf } from '../session-of.ts'

const list = 'from=2026-01-02&sort=oldest'
const inHtml = list.replace('&', '&amp;')

async function newList() {
  const { tenantId, merchant } = await newTenant()
  await insertGarment(tenantId, 'g')
  await correctTag(tenantId, 'g', { Fit: 'Slim' })
  const session = await sessionOf(merchant.id)
  return {
    tenantId,
    show: async (path: string) => await (await raw('GET', path, session)).text(),
    post: async (path: string, fields: Record<string, string>) => {
      const headers = { Origin: 'http://service.test', ...session }
      return (await raw('POST', path, headers, new URLSearchParams(fields))).headers.get('location')
    },
  }
}

describe('a garment that was opened from a list', () => {
  it('keeps that list in the addresses of its forms', async () => {
    const { show } = await newList()
    const page = await show(`/dashboard/garment?uuid=g&${list}`)
    const forms = ['correct/undo?uuid=g&amp;', 'garment/delete?uuid=g&amp;', 'garment?uuid=g&amp;']
    for (const form of forms) expect(page).toContain(`"/dashboard/${form}${inHtml}"`)
  })

  it.each([
    ['garment', { 'tag.Colour': 'Navy' }, '&done=saved'],
    ['correct/undo', { part: 'tag', name: 'Fit' }, '&done=undone#history'],
  ])('returns to it after a change by %s', async (form, fields, end) => {
    const { post } = await newList()
    expect(await post(`/dashboard/${form}?uuid=g&${list}`, fields)).toBe(`/dashboard/garment?uuid=g&${list}${end}`)
  })

  it('leads back to the list when it is deleted', async () => {
    const { post } = await newList()
    const path = `/dashboard/garment/delete?uuid=g&${list}`
    expect(await post(path, {})).toContain(`/dashboard/garments?${list}&done=deleted&binned=`)
  })
})

it('a garment that is tagged again stays one of the list that it was opened from', async () => {
  const { tenantId, show, post } = await newList()
  await insertGarment(tenantId, 'f', { status: 'failed', failure: notProcessed, result: null })
  expect(await show('/dashboard/garment?uuid=f&status=failed')).toContain('"/dashboard/garment/retry?status=failed"')
  const answer = await post('/dashboard/garment/retry?status=failed', { uuid: 'f' })
  expect(answer).toBe('/dashboard/garment?uuid=f&status=failed')
})

it('choosing a status keeps the other filters and the order of the list', async () => {
  const { show } = await newList()
  const page = await show(`/dashboard/garments?brand=Ann&from=2026-01-02`)
  expect(page).toContain('"/dashboard/garments?brand=Ann&amp;from=2026-01-02&amp;status=complete"')
})
