import { expect, it } from 'vitest'
import { newMember, newMerchant, password, raw } from '../service.ts'
import { sessionOf } from './session-of.ts'

const newPassword = 'another long password'

const post = async (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  await raw('POST', path, { Origin: 'http://service.test', ...headers }, new URLSearchParams(fields))

const codesOf = (html: string) =>
  [...(/aria-label="recovery codes"[^>]*><code>([^<]*)</.exec(html)?.[1]?.matchAll(/[a-z2-7-]{19}/g) ?? [])].map(
    ([code]) => code,
  )

const cookieOf = (response: Response) => ({ Cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' })

it('a new owner sees ten recovery codes once, and sets a new password with one of them', async () => {
  const email = `${crypto.randomUUID()}@example.com`
  const signedUp = await post('/dashboard/sign-up', { name: 'Ann', email, password })
  const page = await signedUp.text()
  const codes = codesOf(page)
  expect([signedUp.status, codes.length]).toEqual([200, 10])
  // The file contains the same codes.
  for (const code of codes) expect(page.split(code).length - 1).toBeGreaterThanOrEqual(2)
  const session = cookieOf(signedUp)
  const account = await (await raw('GET', '/dashboard/account', session)).text()
  expect(account).toContain('10 of 10 codes are left')
  expect(account).not.toContain(codes[0])

  const fields = { email, code: codes[2] ?? '', password: newPassword }
  const recovered = await post('/dashboard/recover', fields)
  expect([recovered.status, recovered.headers.get('location')]).toEqual([303, '/dashboard/account?done=recovered'])
  // The former session has ended. The new one is signed in.
  expect((await raw('GET', '/dashboard/account', session)).status).toBe(303)
  const now = cookieOf(recovered)
  expect(await (await raw('GET', '/dashboard/account', now)).text()).toContain('9 of 10 codes are left')
  expect((await post('/dashboard/sign-in', { email, password })).status).toBe(401)
  expect((await post('/dashboard/sign-in', { email, password: newPassword })).status).toBe(303)
  const log = await (await raw('GET', '/dashboard/audit', now)).text()
  expect(log).toContain('Set a new password by a recovery code')

  const again = await post('/dashboard/recover', fields)
  const refused = await again.text()
  expect(again.status).toBe(401)
  // The form keeps the email, but neither the code nor the password.
  expect([refused.includes(email), refused.includes(fields.code), refused.includes(newPassword)]).toEqual([
    true,
    false,
    false,
  ])
})

it('the account page replaces the codes of an owner who enters the password', async () => {
  const owner = await newMerchant()
  const session = await sessionOf(owner.id)
  expect(await (await raw('GET', '/dashboard/account', session)).text()).toContain('You have no recovery codes')
  const wrong = await post('/dashboard/account/codes', { codes_password: 'wrong' }, session)
  expect([wrong.status, codesOf(await wrong.text())]).toEqual([400, []])
  const created = await post('/dashboard/account/codes', { codes_password: password }, session)
  expect(codesOf(await created.text()).length).toBe(10)
  const editor = await newMember(owner.id, 'editor')
  const theirs = await sessionOf(owner.id, Date.now(), editor.id)
  expect(await (await raw('GET', '/dashboard/account', theirs)).text()).not.toContain('ecovery codes')
  expect((await post('/dashboard/account/codes', { codes_password: password }, theirs)).status).toBe(403)
})

it('a weak new password is refused before a code is used up', async () => {
  const response = await post('/dashboard/recover', { email: 'a@example.com', code: 'x', password: 'short' })
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('Must have at least 8')])
})
