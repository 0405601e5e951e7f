import { describe, expect, it } from 'vitest'
import { newMerchant, newTenant, password, raw } from '../service.ts'

const newPassword = 'another long password'
const signInPage = '/dashboard/sign-in?next=%2Fdashboard%2Faccount'

const post = async (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  await raw('POST', path, { Origin: 'http://service.test', ...headers }, new URLSearchParams(fields))

async function signIn(email: string, secret = password) {
  const response = await post('/dashboard/sign-in', { email, password: secret })
  const cookie = /^session=[^;]+/.exec(response.headers.get('set-cookie') ?? '')?.[0]
  return cookie === undefined ? null : { Cookie: cookie }
}

async function signedIn(email: string, secret = password) {
  const session = await signIn(email, secret)
  if (session === null) throw new Error('not signed in')
  return session
}

const isSignedIn = async (session: Record<string, string>) => {
  const { status, headers } = await raw('GET', '/dashboard/account', session)
  return !(status === 303 && headers.get('location') === signInPage)
}

describe('a session', () => {
  it('ends with its sign-out, also for whoever copied the cookie, and leaves other sessions valid', async () => {
    const { email, bearer } = await newMerchant()
    const [one, other] = [await signedIn(email), await signedIn(email)]
    expect((await post('/dashboard/sign-out', {}, one)).status).toBe(303)
    expect([await isSignedIn(one), await isSignedIn(other)]).toEqual([false, true])
    expect((await raw('GET', '/merchant/tenant', bearer)).status).toBe(404)
  })

  it('ends in every browser, with the tokens, by signing out everywhere', async () => {
    const { email, bearer } = await newMerchant()
    const [one, other] = [await signedIn(email), await signedIn(email)]
    expect((await post('/dashboard/account/sign-out', {}, one)).headers.get('location')).toBe('/')
    expect([await isSignedIn(one), await isSignedIn(other)]).toEqual([false, false])
    expect((await raw('GET', '/merchant/tenant', bearer)).status).toBe(401)
  })

  it('of the dashboard is ended by the API too', async () => {
    const { email, bearer } = await newMerchant()
    const session = await signedIn(email)
    expect((await raw('POST', '/merchant/sign-out', bearer)).status).toBe(200)
    expect(await isSignedIn(session)).toBe(false)
  })
})

describe('the account page', () => {
  it('changes the password, stays signed in here and nowhere else', async () => {
    const { email } = await newMerchant()
    const [here, elsewhere] = [await signedIn(email), await signedIn(email)]
    const response = await post('/dashboard/account/password', { password, new_password: newPassword }, here)
    expect([response.status, response.headers.get('location')]).toEqual([303, '/dashboard/account?done=password'])
    const renewed = { Cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
    expect([await isSignedIn(here), await isSignedIn(elsewhere), await isSignedIn(renewed)]).toEqual([
      false,
      false,
      true,
    ])
    expect([await signIn(email), await signIn(email, newPassword)]).toEqual([null, { Cookie: expect.any(String) }])
  })

  it('shows what is wrong with a password at its field, and shows no password', async () => {
    const { email } = await newMerchant()
    const session = await signedIn(email)
    const fields = { password: 'not the password', new_password: newPassword }
    const response = await post('/dashboard/account/password', fields, session)
    const html = await response.text()
    expect([response.status, html.includes('This is not the current password.')]).toEqual([400, true])
    expect([html.includes(newPassword), html.includes(fields.password)]).toEqual([false, false])
  })

  it('deletes the account for the right password', async () => {
    const { email } = await newMerchant()
    const session = await signedIn(email)
    expect((await post('/dashboard/account/delete', { confirmation: 'wrong' }, session)).status).toBe(400)
    expect(await isSignedIn(session)).toBe(true)
    expect((await post('/dashboard/account/delete', { confirmation: password }, session)).status).toBe(303)
    expect([await isSignedIn(session), await signIn(email)]).toEqual([false, null])
  })

  it('does not delete an account that has a tenant', async () => {
    const { merchant } = await newTenant()
    const session = await signedIn(merchant.email)
    expect(await (await raw('GET', '/dashboard/account', session)).text()).toContain('Delete the shop first')
    expect((await post('/dashboard/account/delete', { confirmation: password }, session)).status).toBe(409)
    expect(await isSignedIn(session)).toBe(true)
  })
})
