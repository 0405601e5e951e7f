import { expect, it } from 'vitest'
import { call, newTenant, password, raw } from '../service.ts'
import { insertGarment } from '../review/complete-garment.ts'
import { sessionOf } from './session-of.ts'

const origin = { Origin: 'http://service.test' }
const hidden = (html: string, name: string) =>
  new RegExp(`<input type="hidden" name="${name}" value="([^"]*)"`).exec(html)?.[1]?.replaceAll('&amp;', '&')

it('a form that is sent after its session has ended is kept across signing in, and saved on request', async () => {
  const { tenantId, merchant, auth } = await newTenant()
  await insertGarment(tenantId, 'g')
  const path = '/dashboard/correct?uuid=g'
  const refused = await raw('POST', path, origin, new URLSearchParams({ 'tag.Brand': 'Ann & Bob', password: 'p' }))
  const signIn = await refused.text()
  expect([refused.status, hidden(signIn, 'next')]).toEqual([401, path])
  const kept = hidden(signIn, 'kept') ?? ''
  expect(kept).not.toContain('password')

  const credentials = { email: merchant.email, next: path, kept }
  const sent = async (given: string) =>
    await raw('POST', '/dashboard/sign-in', origin, new URLSearchParams({ ...credentials, password: given }))
  expect(hidden(await (await sent('not the password')).text(), 'kept')).toBe(kept)
  const signedIn = await sent(password)
  const page = await signedIn.text()
  expect(signedIn.status).toBe(200)
  expect(page).toContain('action="/dashboard/correct?uuid=g"')
  expect(hidden(page, 'tag.Brand')).toBe('Ann & Bob')
  const { data: before } = (await call('GET', '/garment-tagging/query?uuid=g', auth)).body
  expect(before.tag.Brand).toBe(undefined)

  const session = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const saved = await raw(
    'POST',
    path,
    { ...origin, Cookie: session },
    new URLSearchParams({ 'tag.Brand': 'Ann & Bob' }),
  )
  expect(saved.status).toBe(303)
  const { data: after } = (await call('GET', '/garment-tagging/query?uuid=g', auth)).body
  expect(after.tag.Brand).toBe('Ann & Bob')
})

it('a form of another site is not kept', async () => {
  const foreign = { Origin: 'https://evil.example' }
  const response = await raw('POST', '/dashboard/correct?uuid=g', foreign, new URLSearchParams({ 'tag.Brand': 'x' }))
  expect([response.status, hidden(await response.text(), 'kept')]).toEqual([403, undefined])
})

it('after signing in, kept input leads to no page elsewhere', async () => {
  const { merchant } = await newTenant()
  const fields = { email: merchant.email, password, next: 'https://evil.example/', kept: 'a=b' }
  const response = await raw('POST', '/dashboard/sign-in', origin, new URLSearchParams(fields))
  expect(await response.text()).toContain('action="/dashboard"')
  expect((await raw('GET', '/dashboard', { ...(await sessionOf(merchant.id)) })).status).toBe(200)
})
