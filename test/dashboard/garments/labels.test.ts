import { expect, it } from 'vitest'
import { shortenUuids, shownNumber } from '../../../src/garments/list/garment-number.ts'
import { insertGarment } from '../../garments/review/complete-garment.ts'
import { env } from 'cloudflare:workers'
import { acceptUpload } from '../../../src/garments/accept-upload.ts'
import { databaseOf, newTenant, raw } from '../../service.ts'
import { sessionOf } from '../session-of.ts'

async function newShop() {
  const { merchant, tenantId } = await newTenant()
  await insertGarment(tenantId, 'IMG_4013', {
    number: 1042,
    attribute: '{"Price":"12.50","Currency":"EUR","Size":"M","Title":"Blue <shirt>"}',
  })
  await insertGarment(tenantId, 'other')
  await insertGarment(tenantId, 'failed', { status: 'failed', result: null })
  const session = { ...(await sessionOf(merchant.id)), Origin: 'http://service.test' }
  return {
    get: async (path: string) => await raw('GET', path, session),
    tenantId,
    post: async (path: string, fields: Record<string, string>) =>
      await raw('POST', `/dashboard/garments/labels${path}`, session, new URLSearchParams(fields)),
    labels: async (fields: Record<string, string>, query = '') =>
      await raw('POST', `/dashboard/garments/labels${query}`, session, new URLSearchParams(fields)),
  }
}

const number = 'G-1042'

it('the labels of ticked garments have their number and code, title, size and price', async () => {
  const { labels } = await newShop()
  const page = await (await labels({ sheet: 'a4-24', 'select.IMG_4013': 'yes', 'select.failed': 'yes' })).text()
  expect(page).toContain('<ul class="labels a4-24"')
  expect(page.match(/<li>/g)?.length).toBeGreaterThan(0)
  const [label, ...more] =
    page.slice(page.indexOf('class="labels'), page.indexOf('</main>')).match(/<li>[^]*?<\/li>/g) ?? []
  expect(more).toEqual([])
  for (const text of ['Blue &lt;shirt&gt;', '<span>M</span>', '<strong>12.50 EUR</strong>', number])
    expect(label).toContain(text)
  expect(label).toMatch(/<path d="(M\d+ \d+h1v1h-1z){100,}"/)
})

it('all that the list finds get labels, too, but not none', async () => {
  const { labels } = await newShop()
  const all = await (await labels({ sheet: 'roll-62', scope: 'all' }, '?stage=draft')).text()
  expect(all.match(/class="number"/g)?.length).toBe(2)
  expect((await labels({ sheet: 'roll-62', scope: 'all' }, '?status=failed')).status).toBe(400)
  expect((await labels({ sheet: 'a4-24' })).status).toBe(400)
  expect((await labels({ sheet: 'a3', 'select.other': 'yes' })).status).toBe(400)
})

it.each([
  ['as it is', number],
  ['as it is printed', number],
  ['in the address of the code', `http://service.test/dashboard/garments?search=${number}`],
])('the number in the search opens the garment, %s', async (_, search) => {
  const [shop, other] = [await newShop(), await newTenant()]
  const query = new URLSearchParams({ search }).toString()
  const found = await shop.get(`/dashboard/garments?${query}`)
  expect([found.status, found.headers.get('location')]).toEqual([303, '/dashboard/garment?uuid=IMG_4013'])
  const foreign = await raw('GET', `/dashboard/garments?${query}`, await sessionOf(other.merchant.id))
  expect(foreign.status).toBe(200)
})

it('a part of the number finds nothing, so that sizes and prices find no numbers', async () => {
  const { get } = await newShop()
  for (const part of ['1042', 'G-10', 'G-104'])
    expect(await (await get(`/dashboard/garments?search=${part}`)).text()).not.toContain('uuid=IMG_4013')
})

it('a random uuid is shown as the stock number, or short in a text, and a name that somebody chose stays', () => {
  const uuid = crypto.randomUUID()
  expect(shortenUuids(`${uuid}: Price: 12.50`)).toBe(`${uuid.slice(0, 8)}: Price: 12.50`)
  expect(shownNumber({ uuid, number: 7 })).toBe('G-7')
  for (const name of ['IMG_4013', 'Rock 7', `${uuid}-2`]) expect(shownNumber({ uuid: name, number: 7 })).toBe(name)
})

it('blank labels have reserved numbers, and leave out those that are used', async () => {
  const { get, post, tenantId } = await newShop()
  const printed = await post('/blank', { sheet: 'a4-40' })
  const path = printed.headers.get('location') ?? ''
  expect([printed.status, path]).toEqual([303, expect.stringMatching(/labels\/blank\?sheet=a4-40&first=\d+&count=40$/)])
  const page = async () => (await (await get(path)).text()).match(/<p class="number">G-\d+/g) ?? []
  const numbers = await page()
  expect(numbers).toHaveLength(40)
  const first = Number(/\d+$/.exec(numbers[0] ?? '')?.[0])
  const upload = { uuid: 'labelled', attribute: {}, number: first, image_url: 'https://a.example/a.jpg' }
  await acceptUpload({ env, db: databaseOf(tenantId) }, tenantId, upload, 'https://a.example', Date.now())
  expect(await page()).toEqual(numbers.slice(1))
  const found = await get(`/dashboard/garments/numbers?numbers=1042,${first + 1},999999`)
  expect(await found.json()).toEqual({
    numbers: {
      1042: { status: 'garment', uuid: 'IMG_4013', name: 'Blue <shirt>', thumbnail: expect.any(String) },
      [first + 1]: { status: 'reserved' },
      999999: { status: 'unknown' },
    },
  })
  expect((await get('/dashboard/garments/numbers?numbers=x')).status).toBe(400)
})
