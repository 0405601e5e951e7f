import { describe, expect, it } from 'vitest'
import { listGarments } from '../../../src/garments/list/list-garments.ts'
import { correctTag, insertGarment, machineTag } from '../../garments/review/complete-garment.ts'
import { databaseOf, newTenant, raw } from '../../service.ts'
import { storedPicture } from '../../support/stored-garment/stored-pictures.ts'
import { totalText } from '../../../src/dashboard/garments/garments-page.tsx'
import { sessionOf } from '../session-of.ts'

describe('the list of garments', () => {
  it('shows colour, brand and doubt, as they are after correction', async () => {
    const { tenantId, merchant } = await newTenant()
    await insertGarment(tenantId, 'g', { tag: { ...machineTag, 'Item Type Confidence': 'Low', Brand: '<COS>' } })
    await correctTag(tenantId, 'g', { Colour: 'Black' })
    const page = await (await raw('GET', '/dashboard/garments?view=rows', await sessionOf(merchant.id))).text()
    expect(page).toMatch(/<span class="clipped title">Black \w+/)
    expect(page).toContain('&lt;COS&gt;')
    expect(page).toContain('<span class="badge busy">Some doubt</span>')
  })

  it('shows the title and price of garments that have them, however their names are spelled', async () => {
    const { tenantId, merchant } = await newTenant()
    const session = await sessionOf(merchant.id)
    const page = async (path: string) => await (await raw('GET', path, session)).text()
    await insertGarment(tenantId, 'bare')
    expect(await page('/dashboard/garments')).toContain('No price yet')
    await insertGarment(tenantId, 'named', { attribute: '{"PRICE":" 12.50","currency":"EUR","title":"<b>Blue"}' })
    await insertGarment(tenantId, 'priced', { attribute: '{"Currency":"GBP","Price":"9.90"}' })
    for (const path of ['/dashboard/garments', '/dashboard/garments?search=named'])
      expect(await page(path)).toMatch(/uuid=named[^]*&lt;b&gt;Blue<\/span>[^]*12\.50 EUR<\/span>/)
    const list = await page('/dashboard/garments?view=rows')
    expect(list).toMatch(/aria-label="Price of Navy T-shirt"[^>]*value="9\.90"[^>]*\/>\s*<span class="hint">GBP</)
    // Scripts save the cell under the garment's own spelling.
    expect(list).toMatch(/aria-label="Price of &lt;b&gt;Blue"[^>]*data-cell="attribute\.PRICE"[^>]*value=" 12\.50"/)
  })

  it('shows the uploaded file of a failed garment, and a hanger without one', async () => {
    const { tenantId, merchant } = await newTenant()
    const file = { id: 'f1', name: 'IMG_1.jpg', digest: 'd' }
    const failed = { status: 'failed', result: null } as const
    await insertGarment(tenantId, 'with-file', { ...failed, pictures: [storedPicture({ url: null, file })] })
    await insertGarment(tenantId, 'by-address', failed)
    const session = await sessionOf(merchant.id)
    for (const view of ['grid', 'rows']) {
      const page = await (await raw('GET', `/dashboard/garments?view=${view}`, session)).text()
      expect(page).toMatch(
        new RegExp(`uuid=with-file[^]{0,80}<img class="thumbnail" src="/garment-tagging/upright/${tenantId}/f1.jpg`),
      )
      expect(page).toMatch(/uuid=by-address[^]{0,80}<span class="thumbnail none"><svg class="hanger"/)
    }
  })

  it('marks a picture of several garments, as its page and its review do, unless they are a set', async () => {
    const { tenantId, merchant } = await newTenant()
    const details = { shown: 'several', scale: null, notes: ['several'], probabilities: {}, tagger: '1.0' } as const
    await insertGarment(tenantId, 'two', { details })
    const session = { Origin: 'http://service.test', ...(await sessionOf(merchant.id)) }
    const page = async (path: string) => await (await raw('GET', path, session)).text()
    const title = 'The picture seems to show several garments.'
    const next = await raw('POST', '/dashboard/review/next', session, new URLSearchParams())
    expect(await page(next.headers.get('location') ?? '')).toContain(title)
    await insertGarment(tenantId, 'set', { details, tag: { ...machineTag, 'Item Type': 'Set' } })
    for (const view of ['grid', 'rows'])
      expect((await page(`/dashboard/garments?view=${view}`)).match(/>Several garments</g)).toHaveLength(1)
    expect(await page('/dashboard/garment?uuid=two')).toContain(title)
    expect(await page('/dashboard/garment?uuid=set')).not.toContain(title)
  })

  it('finds the words of a uuid in upper and lower case, page by page', async () => {
    const { tenantId } = await newTenant()
    for (const uuid of ['IMG_1', 'IMG_2', 'img_3', 'imx', 'Img_4']) await insertGarment(tenantId, uuid)
    const found: string[] = []
    let cursor: string | undefined
    do {
      const page = await listGarments(databaseOf(tenantId), tenantId, { search: 'img_', limit: 2, cursor })
      found.push(...page.garments.map(({ uuid }) => uuid))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(found).toEqual(['img_3', 'Img_4', 'IMG_2', 'IMG_1'])
  })
})

it("a garment's page leads to the complete garments that were uploaded before and after it", async () => {
  const { tenantId, merchant } = await newTenant()
  const session = await sessionOf(merchant.id)
  for (const [index, uuid] of ['a', 'b', 'c'].entries())
    await insertGarment(tenantId, uuid, { createdAt: 1000 + index })
  await insertGarment(tenantId, 'b2', { createdAt: 1001, status: 'failed', result: null })
  const links = async (uuid: string) => {
    const page = await (await raw('GET', `/dashboard/garment?uuid=${uuid}`, session)).text()
    return ['prev', 'next'].map((rel) => new RegExp(`uuid=(\\w+)" rel="${rel}"`).exec(page)?.[1] ?? null)
  }
  expect(await links('a')).toEqual(['b', null])
  expect(await links('b')).toEqual(['c', 'a'])
  expect(await links('b2')).toEqual(['c', 'b'])
  expect(await links('c')).toEqual([null, 'b'])
})

it("a garment's page leads through the list that it is looked at from, and back to it", async () => {
  const { tenantId, merchant } = await newTenant()
  const session = await sessionOf(merchant.id)
  for (const [index, Colour] of ['Navy', 'Red', 'Navy', 'Navy'].entries())
    await insertGarment(tenantId, `g${index}`, { createdAt: 1000 + index, tag: { ...machineTag, Colour } })
  const page = async (path: string) => (await (await raw('GET', path, session)).text()).replaceAll('&amp;', '&')
  const list = await page('/dashboard/garments?colour=Navy')
  expect(list).toContain('href="/dashboard/garment?uuid=g2&colour=Navy"')
  const garment = await page('/dashboard/garment?uuid=g2&colour=Navy')
  expect(garment).toContain('href="/dashboard/garments?colour=Navy"')
  expect(garment).toContain('href="/dashboard/garment?uuid=g3&colour=Navy" rel="prev"')
  expect(garment).toContain('href="/dashboard/garment?uuid=g0&colour=Navy" rel="next"')
  const oldestFirst = await page('/dashboard/garment?uuid=g2&sort=oldest')
  expect(oldestFirst).toContain('href="/dashboard/garment?uuid=g1&sort=oldest" rel="prev"')
  expect(oldestFirst).toContain('href="/dashboard/garment?uuid=g3&sort=oldest" rel="next"')
  const searched = await page('/dashboard/garment?uuid=g2&search=g')
  expect(searched).toContain('href="/dashboard/garments?search=g"')
  expect(searched).not.toMatch(/rel="(prev|next)"/)
})

it('a list is shown as a grid or as rows, which the browser remembers', async () => {
  const { tenantId, merchant } = await newTenant()
  const session = await sessionOf(merchant.id)
  await insertGarment(tenantId, 'g')
  const grid = await raw('GET', '/dashboard/garments', session)
  expect(await grid.text()).toContain('<ul class="cards">')
  const rows = await raw('GET', '/dashboard/garments?view=rows', session)
  expect(await rows.text()).toContain('class="garments stack"')
  const cookie = /view=rows/.exec(rows.headers.get('set-cookie') ?? '')?.[0] ?? ''
  const again = await raw('GET', '/dashboard/garments', { Cookie: `${session['Cookie']}; ${cookie}` })
  expect(await again.text()).toContain('class="garments stack"')
})

it('filters list the values of the garments with their numbers, and keep each other', async () => {
  const { tenantId, merchant } = await newTenant()
  const session = await sessionOf(merchant.id)
  for (const [index, Colour] of ['Navy', 'Red', 'Navy'].entries())
    await insertGarment(tenantId, `g${index}`, { createdAt: 1000 + index, tag: { ...machineTag, Colour } })
  const page = async (path: string) =>
    (await (await raw('GET', path, session)).text()).replaceAll('&amp;', '&').replaceAll(/<svg.*?<\/svg>/gs, '')
  const filters = await page('/dashboard/garments/filters?brand=Ann')
  expect(filters).toContain('<a href="/dashboard/garments?brand=Ann&colour=Navy">Navy <span class="hint">2</span></a>')
  expect(filters).toContain('<a href="/dashboard/garments?brand=Ann&colour=Red">Red <span class="hint">1</span></a>')
  expect(filters).not.toContain('colour=Blue')
  const list = await page('/dashboard/garments?colour=Red&filters=yes')
  expect(list).toContain('colour=Navy')
  expect(list).toMatch(/href="\/dashboard\/garments">.*Colour: Red/s)
})

it('a list has a total and an order, both with its filter', async () => {
  const { tenantId, merchant } = await newTenant()
  const session = await sessionOf(merchant.id)
  for (const [index, Colour] of ['Navy', 'Red', 'Navy'].entries())
    await insertGarment(tenantId, `g${index}`, { createdAt: 1000 + index, tag: { ...machineTag, Colour } })
  const page = async (path: string) => (await (await raw('GET', path, session)).text()).replaceAll('&amp;', '&')
  expect(await page('/dashboard/garments/count?colour=Navy')).toBe('2 garments')
  expect(await page('/dashboard/garments/count?colour=Red&brand=None')).toBe('0 garments')
  const list = await page('/dashboard/garments?status=complete')
  expect(list).toContain('data-count="/dashboard/garments/count?status=complete"')
  expect(list).toContain('href="/dashboard/garments?status=complete&sort=oldest"')
  expect(await page('/dashboard/garments?count=yes&sort=oldest')).toMatch(/3 garments.*g0.*g1.*g2/s)
  expect(await page('/dashboard/garments?sort=sideways')).toMatch(/g2.*g1.*g0/s)
  expect(await page('/dashboard/garments?colour=Navy&sort=oldest')).toMatch(/g0.*g2|g1.*g2|g0.*g1/s)
  expect(await page('/dashboard/garments?doubtful=yes')).toContain('Most doubtful first')
})

it.each([
  [{ count: 1, isAll: true }, '1 garment'],
  [{ count: 40, isAll: false }, 'at least 40 garments'],
  [{ count: 10_000, isAll: false }, '10,000 garments and more'],
])('the total %j reads as a text', (total, text) => {
  expect(totalText(total, 10_000)).toBe(text)
})
