import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import { deleteMerchant } from '../../src/accounts/merchant.ts'
import { endSession, issueSession, newSession, readSessionToken } from '../../src/accounts/token.ts'
import { findMerchant } from '../../src/accounts/authenticate.ts'
import { settingsOf } from '../../src/settings.ts'
import { createTenant } from '../../src/accounts/create-tenant.ts'
import { bindings, call, newMerchant, newTenant, password, someone } from '../service.ts'

const newPassword = 'another long password'

const signIn = async (email: string, secret: string) =>
  await call('POST', '/merchant/sign-in', {}, { email, password: secret })
const isValid = async (headers: Record<string, string>) =>
  (await call('GET', '/merchant/tenant', headers)).status !== 401

describe('changing the password', () => {
  it('ends every token, and only the new password signs in', async () => {
    const { email, bearer } = await newMerchant()
    const change = { password, new_password: newPassword }
    expect((await call('PUT', '/merchant/password', bearer, change)).status).toBe(200)
    expect(await isValid(bearer)).toBe(false)
    expect((await signIn(email, password)).status).toBe(401)
    const again = await signIn(email, newPassword)
    expect(await isValid({ Authorization: `Bearer ${again.body.data.token}` })).toBe(true)
  })

  it('needs the current password and a valid new one, and otherwise changes nothing', async () => {
    const { email, bearer } = await newMerchant()
    const wrong = await call('PUT', '/merchant/password', bearer, { password: 'wrong', new_password: newPassword })
    expect([wrong.status, wrong.body.message]).toEqual([400, 'Wrong password'])
    const short = await call('PUT', '/merchant/password', bearer, { password, new_password: 'short' })
    expect([short.status, short.body.error]).toEqual([400, ['new_password: must have at least 8 characters']])
    expect(await isValid(bearer)).toBe(true)
    expect((await signIn(email, password)).status).toBe(200)
  })

  it('lets one of two changes at the same time through', async () => {
    const { bearer } = await newMerchant()
    const change = (to: string) => call('PUT', '/merchant/password', bearer, { password, new_password: to })
    const answers = await Promise.all([change('first new password'), change('second new password')])
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1)
  })
})

it('a sign-out ends renewed copies of its cookie too, also after another sign-out has cleared old rows', async () => {
  const { id } = await newMerchant()
  const db = openDatabase(bindings.DB)
  const hourMs = 3600_000
  const [nowMs, before] = [Date.now(), Date.now() - 2 * hourMs]
  const sessionSince = (ms: number) => ({
    ...newSession({ id, memberId: id, sessionVersion: 0 }, ms),
    issuedAt: ms / 1000,
  })
  const first = sessionSince(before)
  await endSession(db, { ...first, expiresAt: (before + hourMs) / 1000 }, before)
  await endSession(db, { ...sessionSince(nowMs), expiresAt: (nowMs + hourMs) / 1000 }, nowMs)
  const copy = await readSessionToken(await issueSession(first, settingsOf(bindings), nowMs), settingsOf(bindings))
  expect(copy).toMatchObject({ id, sessionId: first.sessionId })
  expect(await findMerchant(db, { ...first, ...copy })).toBe(null)
})

it('signing out ends all tokens of the merchant, and none of another', async () => {
  const [{ email, bearer }, other] = [await newMerchant(), await newMerchant()]
  const second = { Authorization: `Bearer ${(await signIn(email, password)).body.data.token}` }
  expect((await call('POST', '/merchant/sign-out', bearer)).status).toBe(200)
  expect([await isValid(bearer), await isValid(second), await isValid(other.bearer)]).toEqual([false, false, true])
  expect((await signIn(email, password)).status).toBe(200)
})

describe('deleting the account', () => {
  it('is refused while a tenant exists, then ends the tokens and frees the email', async () => {
    const { merchant } = await newTenant()
    const { bearer, email } = merchant
    const refused = await call('DELETE', '/merchant', bearer)
    expect([refused.status, refused.body.message]).toEqual([409, 'Merchant has a tenant'])
    expect((await call('DELETE', '/merchant/tenant', bearer)).status).toBe(200)
    expect((await call('DELETE', '/merchant', bearer)).status).toBe(200)
    expect(await isValid(bearer)).toBe(false)
    expect((await signIn(email, password)).status).toBe(401)
    const again = await call('POST', '/merchant/sign-up', {}, { email, password, name: 'Again' })
    expect(again.status).toBe(200)
  })

  it('leaves no room for a tenant that is created at the same moment', async () => {
    const { id } = await newMerchant()
    await deleteMerchant(bindings, id, Date.now())
    const tenant = {
      name: 'Late',
      domain: 'late.example',
      description: '',
      settings: { timezone: 'UTC', currency: 'EUR' },
    }
    await expect(createTenant(bindings, id, tenant, Date.now(), someone)).rejects.toMatchObject({ status: 401 })
  })
})
