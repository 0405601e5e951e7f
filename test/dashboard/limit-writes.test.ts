import { describe, expect, it } from 'vitest'
import { throttleOf } from '../../src/rate-limit/throttle.ts'
import { bindings, newTenant, raw } from '../service.ts'
import { sessionOf } from './session-of.ts'

const limit = 60

async function signedInTenant() {
  const { tenantId, merchant } = await newTenant()
  const headers = { Origin: 'http://service.test', ...(await sessionOf(merchant.id)) }
  return {
    tenantId,
    post: async (path: string, fields: Record<string, string>) =>
      await raw('POST', path, headers, new URLSearchParams(fields)),
  }
}

describe('uploads, test events and redeliveries from the dashboard', () => {
  it('share a limit of 60 a minute for each tenant', async () => {
    const { tenantId, post } = await signedInTenant()
    const throttle = throttleOf(bindings, `dashboard-writes:${tenantId}`)
    for (let count = 0; count < limit - 3; count++) await throttle.enter(limit, 60_000)
    // Each counts, although it is invalid.
    expect((await post('/dashboard/upload', { uuid: 'x' })).status).toBe(400)
    expect((await post('/dashboard/webhook/test', {})).status).toBe(409)
    expect((await post('/dashboard/delivery', { uuid: 'x' })).status).toBe(404)

    const refused = await post('/dashboard/upload', { uuid: 'kept', image_url: 'https://a.example/x.jpg' })
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    const page = await refused.text()
    expect(page).toMatch(
      /At most 60 uploads, test events, redeliveries and changes of many garments a minute are possible here; retry in \d+ s\./,
    )
    expect(page).toContain('value="kept"')
    expect((await post('/dashboard/webhook/test', {})).status).toBe(429)

    // Hundreds of queries each, whether or not the garments are there.
    const selected = { 'select.gone': 'yes' }
    expect((await post('/dashboard/garments/delete', selected)).status).toBe(429)
    expect((await post('/dashboard/edit', { ...selected, 'attribute.Price': '1', scope: 'selected' })).status).toBe(429)

    const other = await signedInTenant()
    expect((await other.post('/dashboard/garments/delete', selected)).status).toBe(303)
    expect((await other.post('/dashboard/upload', { uuid: 'x' })).status).toBe(400)
  })
})
