import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { parseCorrections } from '../../../src/garments/corrections/correction.ts'
import { garments } from '../../../src/platform/db/schema.ts'
import { insertGarment } from '../../garments/review/complete-garment.ts'
import { databaseOf, newMember, newTenant, raw } from '../../service.ts'
import { sessionOf } from '../session-of.ts'

const before = { price: '5.00', Description: 'Two\nlines', Condition: 'excellent', Shelf: 'A' }

async function newGarment() {
  const { tenantId, merchant } = await newTenant()
  await insertGarment(tenantId, 'g', { attribute: JSON.stringify(before) })
  await insertGarment(tenantId, 'failed', { status: 'failed', result: null })
  const session = await sessionOf(merchant.id)
  return {
    merchant,
    async show(uuid = 'g', who = session) {
      return await (await raw('GET', `/dashboard/garment?uuid=${uuid}&search=x`, who)).text()
    },
    async save(fields: Record<string, string>, uuid = 'g', who = session) {
      const headers = { Origin: 'http://service.test', ...who }
      const path = `/dashboard/garment?uuid=${uuid}&search=x`
      const response = await raw('POST', path, headers, new URLSearchParams(fields))
      return { status: response.status, location: response.headers.get('location'), html: await response.text() }
    },
    async attribute() {
      const rows = await databaseOf(tenantId).select().from(garments).where(eq(garments.tenantId, tenantId))
      return JSON.parse(rows.find(({ uuid }) => uuid === 'g')?.attribute ?? '') as unknown
    },
  }
}

/** Returns the cookie in which a save keeps the former values. */
const undoCookieIn = (response: Response) =>
  response.headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith('undo='))
    ?.split(';')[0] ?? ''

/** Returns the fields of the form that undoes the last save. */
const undoFieldsIn = (html: string): Record<string, string> => {
  const [toast = ''] = /<div class="toast"[^]*?<\/form>/.exec(html) ?? []
  return Object.fromEntries(
    [...toast.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll('&quot;', '"'),
    ]),
  )
}

it('a save is undone as a whole, unless the garment has changed since', async () => {
  const { tenantId, merchant } = await newTenant()
  await insertGarment(tenantId, 'g', { attribute: JSON.stringify(before) })
  const session = await sessionOf(merchant.id)
  const send = async (fields: Record<string, string>) =>
    await raw(
      'POST',
      '/dashboard/garment?uuid=g',
      { Origin: 'http://service.test', ...session },
      new URLSearchParams(fields),
    )
  const show = async (cookie: string) =>
    await (await raw('GET', '/dashboard/garment?uuid=g&done=saved', { Cookie: `${session.Cookie}; ${cookie}` })).text()
  const stored = async () => {
    const rows = await databaseOf(tenantId).select().from(garments).where(eq(garments.tenantId, tenantId))
    const { tag, measurements } = parseCorrections(rows[0]?.corrections ?? null)
    const valuesOf = (part: typeof tag | typeof measurements) =>
      Object.fromEntries(Object.entries(part).map(([name, { value }]) => [name, value]))
    return { attribute: JSON.parse(rows[0]?.attribute ?? '') as unknown, ...valuesOf(tag), ...valuesOf(measurements) }
  }
  await send({ 'tag.Colour': 'Black' })
  const first = await stored()
  const saved = await send({
    'tag.Colour': 'White',
    'tag.Fit': 'Slim',
    'measurements.Chest (cm)': '50',
    'attribute.price': '6',
    'attribute.Shelf': '',
    other: 'Row',
    value: '7',
  })
  const cookie = undoCookieIn(saved)
  expect(await stored()).not.toEqual(first)
  const fields = undoFieldsIn(await show(cookie))
  const undone = await send(fields)
  expect(undone.headers.get('location')).toBe('/dashboard/garment?uuid=g&done=undone')
  expect(await stored()).toEqual(first)

  const again = await send({ 'tag.Fit': 'Slim' })
  const late = undoFieldsIn(await show(undoCookieIn(again)))
  await send({ 'attribute.price': '8' })
  const now = await stored()
  expect((await send(late)).status).toBe(412)
  expect(await stored()).toEqual(now)
  const page = await show(undoCookieIn(again))
  expect(page).toContain('Undo in the history')
})

it('a save of more text than a cookie holds is undone in the history', async () => {
  const { tenantId, merchant } = await newTenant()
  const columns = Array.from({ length: 8 }, (_, i) => `Column ${i}`)
  const long = Object.fromEntries(columns.map((name) => [name, 'a'.repeat(500)]))
  await insertGarment(tenantId, 'g', { attribute: JSON.stringify(long) })
  const headers = { Origin: 'http://service.test', ...(await sessionOf(merchant.id)) }
  const fields = new URLSearchParams(columns.map((name) => [`attribute.${name}`, 'Short']))
  expect(undoCookieIn(await raw('POST', '/dashboard/garment?uuid=g', headers, fields))).toBe('undo=')
})

const baseIn = (html: string) => (/name="base" value="([^"]*)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&')

it("one garment's values are changed, added and removed on its page, in its own spelling", async () => {
  const { show, save, attribute } = await newGarment()
  const page = await show()
  expect(page).toContain('action="/dashboard/garment?uuid=g&amp;search=x"')
  expect(page).toMatch(/<textarea[^>]*name="attribute.Description"[^>]*>\nTwo\nlines<\/textarea>/)
  expect(page).toContain('name="attribute.price"')
  expect(page).not.toContain('name="attribute.Price"')
  const saved = await save({
    base: baseIn(page),
    'attribute.price': ' 6 ',
    'attribute.Description': 'Two\r\nlines',
    'attribute.Condition': 'excellent',
    'attribute.Shelf': '',
    'attribute.Title': 'Blue shirt',
    other: 'Row',
    value: '7',
  })
  expect([saved.status, saved.location]).toEqual([303, '/dashboard/garment?uuid=g&search=x&done=saved'])
  expect(await attribute()).toEqual({
    price: '6.00',
    Description: 'Two\nlines',
    Condition: 'excellent',
    Title: 'Blue shirt',
    Row: '7',
  })
  expect(await show()).toContain('price: 5.00 → 6.00')
})

it('the form of values first shows what somebody else changed meanwhile, and saving it again undoes none of that', async () => {
  const { show, save, attribute } = await newGarment()
  const base = baseIn(await show())
  await save({ base, 'attribute.price': '7' })
  const mine = { 'attribute.price': '5', 'attribute.Shelf': 'B' }
  const stale = await save({ base, ...mine })
  expect([stale.status, stale.html.includes('Somebody else has changed this garment')]).toEqual([409, true])
  expect(stale.html).toContain('price: 7.00')
  expect(await attribute()).toMatchObject({ price: '7.00', Shelf: 'A' })
  await save({ base: baseIn(stale.html), 'attribute.price': '7', 'attribute.Shelf': 'B' })
  expect(await attribute()).toMatchObject({ price: '7.00', Shelf: 'B' })
})

it.each([
  [{ 'attribute.price': 'x'.repeat(513) }, 'Must be at most 512 characters'],
  [{ other: 'Row' }, 'Must not be empty'],
  [{ value: '7' }, 'Name the column'],
])('the form of values changes nothing by %j, and says why', async (fields, problem) => {
  const { save, attribute } = await newGarment()
  const { status, html } = await save(fields)
  expect([status, html.includes(problem), html.includes('data-focus')]).toEqual([400, true, true])
  expect(await attribute()).toEqual(before)
})

it('the form of values is shown to editors only, and for complete garments only', async () => {
  const { merchant, show, save } = await newGarment()
  const reviewer = await sessionOf(merchant.id, Date.now(), (await newMember(merchant.id, 'reviewer')).id)
  expect(await show('g', reviewer)).not.toContain('name="attribute.')
  expect((await save({ 'attribute.price': '9' }, 'g', reviewer)).status).toBe(403)
  expect(await show('failed')).not.toContain('name="attribute.')
  expect((await save({ 'attribute.Price': '9' }, 'failed')).status).toBe(409)
  expect((await save({ 'attribute.Price': '9' }, 'unknown')).status).toBe(404)
})
