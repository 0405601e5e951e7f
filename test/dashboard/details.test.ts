import { expect, it } from 'vitest'
import { correctTag, insertGarment } from '../garments/review/complete-garment.ts'
import { call, newMember, newTenant, password, raw } from '../service.ts'
import { sessionOf } from './session-of.ts'

async function signedIn() {
  const { merchant, ...tenant } = await newTenant()
  const session = await sessionOf(merchant.id)
  const post = async (path: string, fields: Record<string, string>) =>
    await raw('POST', path, { Origin: 'http://service.test', ...session }, new URLSearchParams(fields))
  const show = async (path: string) => await (await raw('GET', path, session)).text()
  return { ...tenant, merchant, post, show }
}

it('an owner renames the shop and chooses its time zone and currency, which the audit log says', async () => {
  const { post, show } = await signedIn()
  const fields = { name: 'New name', 'settings.timezone': 'Europe/Berlin', 'settings.currency': 'eur' }
  const saved = await post('/dashboard/tenant/settings', fields)
  expect([saved.status, saved.headers.get('location')]).toEqual([303, '/dashboard/tenant?done=settings-saved'])
  const page = await show('/dashboard/tenant')
  for (const part of ['<h1>New name</h1>', 'value="Europe/Berlin"', 'value="EUR"', 'Times are in Europe/Berlin.'])
    expect(page).toContain(part)
  expect(await show('/dashboard/audit')).toContain('Changed the shop')
  const refused = await post('/dashboard/tenant/settings', { ...fields, 'settings.currency': 'Euro' })
  expect([refused.status, (await refused.text()).includes('Must be an ISO 4217 code')]).toEqual([400, true])
})

it('a member changes their name and email by their password, but to no email of somebody else', async () => {
  const { merchant, post, show } = await signedIn()
  const email = `new-${crypto.randomUUID()}@example.com`
  const details = { name: 'Ann Other', email, current: password }
  const wrong = await post('/dashboard/account/details', { ...details, current: 'a wrong password' })
  expect(wrong.status).toBe(400)
  const other = await newMember(merchant.id, 'editor')
  expect((await post('/dashboard/account/details', { ...details, email: other.email })).status).toBeGreaterThanOrEqual(
    400,
  )
  expect((await post('/dashboard/account/details', details)).status).toBe(303)
  const page = await show('/dashboard/account')
  expect([page.includes('value="Ann Other"'), page.includes(`value="${email}"`)]).toEqual([true, true])
  expect((await call('POST', '/merchant/sign-in', {}, { email, password })).status).toBe(200)
})

it('the audit log says what was corrected, and that a correction was taken back', async () => {
  const { tenantId, post, show } = await signedIn()
  await insertGarment(tenantId, 'g')
  await correctTag(tenantId, 'g', { Colour: 'Black' })
  expect(await show('/dashboard/audit')).toContain('g: Colour: Navy → Black')
  await post('/dashboard/correct/undo?uuid=g', { part: 'tag', name: 'Colour' })
  expect(await show('/dashboard/audit')).toContain('g: Colour: Black → Navy')
})
