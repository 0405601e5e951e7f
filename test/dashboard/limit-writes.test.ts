import { describe, expect, it } from 'vitest'
import { fillThrottle, newMember, newTenant, raw } from '../service.ts'
import { sessionOf } from './session-of.ts'

const isFields = (fields: BodyInit | Record<string, string>): fields is Record<string, string> =>
  Object.getPrototypeOf(fields) === Object.prototype

async function signedInTenant() {
  const { tenantId, merchant } = await newTenant()
  const headers = { Origin: 'http://service.test', ...(await sessionOf(merchant.id)) }
  return {
    tenantId,
    merchant,
    get: async (path: string) => await raw('GET', path, headers),
    post: async (path: string, fields: BodyInit | Record<string, string>) =>
      await raw('POST', path, headers, isFields(fields) ? new URLSearchParams(fields) : fields),
  }
}

describe('uploads, test events, redeliveries, exports and changes from the dashboard', () => {
  it('share a limit of 60 a minute for each tenant', async () => {
    const { tenantId, post, get } = await signedInTenant()
    await fillThrottle(`dashboard-writes:${tenantId}`, 57)
    // Invalid forms count, too.
    expect((await post('/dashboard/upload', { uuid: 'x' })).status).toBe(400)
    expect((await post('/dashboard/webhook/test', {})).status).toBe(409)
    expect((await post('/dashboard/delivery', { uuid: 'x' })).status).toBe(404)

    const refused = await post('/dashboard/upload', { uuid: 'kept', image_url: 'https://a.example/x.jpg' })
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    const page = await refused.text()
    expect(page).toMatch(
      /At most 60 uploads, test events, redeliveries, exports and changes of many garments a minute are possible here; retry in \d+ s\./,
    )
    expect(page).toContain('value="kept"')
    expect((await post('/dashboard/webhook/test', {})).status).toBe(429)

    // A bulk edit takes hundreds of queries, whether or not the garments exist.
    const selected = { 'select.gone': 'yes' }
    expect((await post('/dashboard/garments/delete', selected)).status).toBe(429)
    expect((await post('/dashboard/edit', { ...selected, 'attribute.Price': '1', scope: 'selected' })).status).toBe(429)

    expect((await post('/dashboard/export/file', { format: 'csv' })).status).toBe(429)
    expect((await get('/dashboard/export?check=google')).status).toBe(429)
    expect((await get('/dashboard/export')).status).toBe(200)

    const other = await signedInTenant()
    expect((await other.post('/dashboard/garments/delete', selected)).status).toBe(303)
    expect((await other.post('/dashboard/upload', { uuid: 'x' })).status).toBe(400)
  })
})

describe('exports', () => {
  it('have a limit of 10 a minute for each tenant, files and checks together', async () => {
    const [busy, other] = [await signedInTenant(), await signedInTenant()]
    await fillThrottle(`dashboard-exports:${busy.tenantId}`, 8)
    const check = '/dashboard/export?check=google'
    expect((await busy.post('/dashboard/export/file', { format: 'csv' })).status).toBe(200)
    expect((await busy.get(check)).status).toBe(200)

    const refused = await busy.post('/dashboard/export/file', { format: 'csv' })
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect(await refused.text()).toMatch(/At most 10 exports and checks a minute are possible here; retry in \d+ s\./)
    expect((await busy.get(check)).status).toBe(429)
    expect((await busy.get('/dashboard/export')).status).toBe(200)
    expect((await other.get(check)).status).toBe(200)
  })
})

it('the attributes to review are chosen at most 3 times a minute for each tenant', async () => {
  const [busy, other] = [await signedInTenant(), await signedInTenant()]
  const path = '/dashboard/review/attributes'
  for (const name of ['Colour', 'Fit', 'Sleeve']) expect((await busy.post(path, { [name]: 'yes' })).status).toBe(303)
  const refused = await busy.post(path, { Colour: 'yes' })
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
  expect(await refused.text()).toContain('At most 3 choices of the attributes to review a minute')
  expect((await other.post(path, { Colour: 'yes' })).status).toBe(303)
})

describe('changes by CSV, and of all that a list finds', () => {
  it('are limited to 20 a minute, before the file is read and before the garments are looked for', async () => {
    const { merchant, post } = await signedInTenant()
    const tooLarge = new FormData()
    tooLarge.set('csv', 'x'.repeat(9_000_000))
    const all = { scope: 'all', 'attribute.Price': '1' }
    expect((await post('/dashboard/imports', tooLarge)).status).toBe(413)
    const [none, text] = await post('/dashboard/edit', all).then(async (each) => [each.status, await each.text()])
    expect([none, text]).toEqual([400, expect.stringContaining('The list finds no complete garment')])

    // Both forms have counted.
    await fillThrottle(`imported-csv-files:${merchant.id}`, 18)
    const refused = await post('/dashboard/imports', tooLarge)
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect(await refused.text()).toContain('Import the lines')
    expect((await post('/dashboard/edit', all)).status).toBe(429)
  })
})

describe('everything that members send from the dashboard', () => {
  it('shares a limit of 600 a minute for each account, apart from files and from what is for owners', async () => {
    const { merchant, post, get } = await signedInTenant()
    await fillThrottle(`dashboard-changes:${merchant.id}`, 599)
    // Deleting an unknown garment counts, too.
    const deletion = '/dashboard/garment/delete?uuid=x'
    expect((await post(deletion, {})).status).toBe(404)

    const refused = await post(deletion, {})
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect(await refused.text()).toMatch(
      /At most 600 changes of an account a minute are possible here; retry in \d+ s\./,
    )
    expect((await post('/dashboard/tenant/studios', { studio_name: 'A', cm_per_pixel: '1' })).status).toBe(429)

    expect((await get('/dashboard/garments')).status).toBe(200)
    const file = new FormData()
    file.set('csv', 'uuid,Price\n')
    expect((await post('/dashboard/imports', file)).status).toBe(400)
    expect((await post('/dashboard/keys', { name: 'k' })).status).toBe(200)
    const other = await signedInTenant()
    expect((await other.post(deletion, {})).status).toBe(404)
  })

  it('is limited to 60 a minute where it is for owners, which other members cannot use up', async () => {
    const { merchant, post, get } = await signedInTenant()
    const reviewer = await newMember(merchant.id, 'reviewer')
    const headers = { Origin: 'http://service.test', ...(await sessionOf(merchant.id, Date.now(), reviewer.id)) }
    const attempt = await raw('POST', '/dashboard/team/remove', headers, new URLSearchParams({ id: merchant.id }))
    expect(attempt.status).toBe(403)

    await fillThrottle(`dashboard-owner-changes:${merchant.id}`, 59)
    expect((await post('/dashboard/webhook/new', { url: 'no address' })).status).toBe(400)
    for (const path of ['/dashboard/webhook/delete', '/dashboard/keys/revoke', '/dashboard/team/invite']) {
      const refused = await post(path, { id: 'x' })
      expect([path, refused.status]).toEqual([path, 429])
      expect(await refused.text()).toContain('At most 60 changes by owners of an account a minute')
    }
    expect((await get('/dashboard/keys')).status).toBe(200)
    expect((await post('/dashboard/garment/delete?uuid=x', {})).status).toBe(404)
  })
})
