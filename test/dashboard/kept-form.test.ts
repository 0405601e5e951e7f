import { keepForm } from '../../src/dashboard/keepable-fields.ts'
import { expect, it } from 'vitest'
import { call, newTenant, password, raw } from '../service.ts'
import { app } from '../../src/app.ts'
import { insertGarment } from '../garments/review/complete-garment.ts'
import { sessionOf } from './session-of.ts'

const origin = { Origin: 'http://service.test' }
const hidden = (html: string, name: string) =>
  new RegExp(`<input type="hidden" name="${name}" value="([^"]*)"`).exec(html)?.[1]?.replaceAll('&amp;', '&')

it('a form that is sent after its session has ended is kept across signing in, and saved on request', async () => {
  const { tenantId, merchant, auth } = await newTenant()
  await insertGarment(tenantId, 'g')
  const path = '/dashboard/garment?uuid=g'
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
  expect(page).toContain('action="/dashboard/garment?uuid=g"')
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

it('keeps only the fields that the page declares, and nothing of other pages', () => {
  const endpoint = {
    url: 'https://a.example',
    'event.tagging.completed': 'on',
    secret: 'd',
    headers: 'Authorization: e',
  }
  const saved = keepForm('/dashboard/webhook/new', { ...endpoint, password: 'a', anything: 'b' })
  expect(saved).toBe('url=https%3A%2F%2Fa.example&event.tagging.completed=on')
  expect(keepForm('/dashboard/account/details', { name: 'Ann', email: 'a@b.example', current: 'c' })).toBe(
    'name=Ann&email=a%40b.example',
  )
  for (const path of ['/dashboard/account/password', '/dashboard/account/delete', 'constructor'])
    expect(keepForm(path, { password: 'a', new_password: 'b', confirmation: 'c', code: 'd' })).toBe(undefined)
})

it('a form of another site is not kept', async () => {
  const foreign = { Origin: 'https://evil.example' }
  const response = await raw('POST', '/dashboard/garment?uuid=g', foreign, new URLSearchParams({ 'tag.Brand': 'x' }))
  expect([response.status, hidden(await response.text(), 'kept')]).toEqual([403, undefined])
})

it('after signing in, kept input leads to no page elsewhere', async () => {
  const { merchant } = await newTenant()
  const fields = { email: merchant.email, password, next: 'https://evil.example/', kept: 'a=b' }
  const response = await raw('POST', '/dashboard/sign-in', origin, new URLSearchParams(fields))
  expect(await response.text()).toContain('action="/dashboard"')
  expect((await raw('GET', '/dashboard', { ...(await sessionOf(merchant.id)) })).status).toBe(200)
})

it('pasted lines of an import are kept, and imported afterwards', async () => {
  const { merchant } = await newTenant()
  const csv = 'uuid,image_url\na,nowhere'
  const form = new FormData()
  form.append('csv', csv)
  form.append('file', new File([], ''))
  const encoded = new Response(form)
  const body = await encoded.arrayBuffer()
  const type = encoded.headers.get('content-type') ?? ''
  const headers = { ...origin, 'Content-Type': type, 'Content-Length': String(body.byteLength) }
  const refused = await raw('POST', '/dashboard/imports', headers, body)
  expect(refused.status).toBe(401)
  const kept = hidden(await refused.text(), 'kept') ?? ''
  const credentials = { email: merchant.email, password, next: '/dashboard/imports', kept }
  const signedIn = await raw('POST', '/dashboard/sign-in', origin, new URLSearchParams(credentials))
  const page = await signedIn.text()
  expect([page.includes('action="/dashboard/imports"'), hidden(page, 'csv')]).toEqual([true, csv])
  const session = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const stored = await raw('POST', '/dashboard/imports', { ...origin, Cookie: session }, new URLSearchParams({ csv }))
  expect(stored.headers.get('location')).toMatch(/^\/dashboard\/import\/[0-9a-f-]{36}$/)
})

it('every form that is sent after its session has ended asks to sign in and shows no secret or unknown field', async () => {
  const forms = app.routes
    .filter(({ method, path }) => method === 'POST' && path.startsWith('/dashboard/'))
    .map(({ path }) => path.replaceAll(/\{[^/]*\}/g, '').replace(':id', crypto.randomUUID()))
  const open = /^\/dashboard\/(sign-(up|in|out)|join|reset|recover(\/email)?)$/
  const paths = [...new Set(forms)].filter((path) => !open.test(path))
  expect(paths.length).toBeGreaterThan(20)
  const hiddenFields = ['some', 'password', 'new_password', 'current', 'confirmation', 'secret', 'headers', 'code']
  const fields = {
    ...Object.fromEntries(hiddenFields.map((name) => [name, 'hide me'])),
    name: 'Ann',
    url: 'https://a.b',
  }
  for (const path of paths) {
    const response = await raw('POST', path, origin, new URLSearchParams(fields))
    const page = await response.text()
    expect([path, page.includes('hide')]).toEqual([path, false])
    const answer = response.status === 401 ? hidden(page, 'kept') : response.headers.get('location')
    expect([path, answer]).toEqual([path, expect.stringMatching(/^((name|url)=[^&]*|\/dashboard\/sign-in)$/)])
  }
})
