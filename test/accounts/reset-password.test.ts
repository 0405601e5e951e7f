import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountDatabase } from '../../src/platform/db/databases.ts'
import { passwordResets } from '../../src/platform/db/schema.ts'
import { getReset, resetPassword, startReset } from '../../src/accounts/links.ts'
import { sessionOf } from '../dashboard/session-of.ts'
import { bindings, call, newMember, newMerchant, newTenant, password, raw, someone } from '../service.ts'

const db = accountDatabase(bindings)
const newPassword = 'another long password'
const address = crypto.randomUUID()
const signIn = async (email: string, given: string) =>
  (await call('POST', '/merchant/sign-in', {}, { email, password: given })).status

describe('a link for a new password', () => {
  it('sets it once, and ends all sessions and tokens of that member only', async () => {
    const { merchant } = await newTenant()
    const bob = await newMember(merchant.id, 'editor')
    const session = await sessionOf(merchant.id, Date.now(), bob.id)
    const { token } = await startReset(db, { merchantId: merchant.id, memberId: bob.id }, Date.now(), someone)
    expect(await getReset(db, token, Date.now())).toMatchObject({ email: bob.email })
    const reset = async (given: string) =>
      await resetPassword(bindings, { token, password: given, address }, Date.now())
    const results = await Promise.allSettled([reset(newPassword), reset(newPassword)])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await expect(reset('yet another password')).rejects.toMatchObject({ code: 'link_not_valid' })
    expect([await signIn(bob.email, newPassword), await signIn(bob.email, password)]).toEqual([200, 401])
    expect((await call('GET', '/merchant/tenant', bob.bearer)).status).toBe(401)
    expect((await raw('GET', '/dashboard', session)).status).toBe(303)
    expect((await call('GET', '/merchant/tenant', merchant.bearer)).status).toBe(200)
  })

  it('is valid for an hour, until a newer one is made, and until the password is changed', async () => {
    const { email, id, bearer } = await newMerchant()
    const first = await startReset(db, { email }, Date.now(), someone)
    expect(first.expiresAt).toBeLessThanOrEqual(Date.now() + 3600_000)
    await expect(getReset(db, first.token, first.expiresAt)).rejects.toMatchObject({ status: 404 })
    const second = await startReset(db, { email }, Date.now(), someone)
    await expect(getReset(db, first.token, Date.now())).rejects.toMatchObject({ status: 404 })
    expect(await getReset(db, second.token, Date.now())).toMatchObject({ email })
    const rows = await db.select().from(passwordResets).where(eq(passwordResets.memberId, id))
    expect(JSON.stringify(rows)).not.toContain(second.token)
    expect((await call('PUT', '/merchant/password', bearer, { password, new_password: newPassword })).status).toBe(200)
    await expect(getReset(db, second.token, Date.now())).rejects.toMatchObject({ status: 404 })
  })

  it('is made by owners for members of their own account only', async () => {
    const [{ id: merchantId }, stranger] = [await newMerchant(), await newMerchant()]
    await expect(startReset(db, { merchantId, memberId: stranger.id }, Date.now(), someone)).rejects.toMatchObject({
      code: 'member_not_found',
    })
  })

  it('opens a page, which asks again after a short password and says when the link is used up', async () => {
    const { email } = await newMerchant()
    const { token } = await startReset(db, { email }, Date.now(), someone)
    const path = `/dashboard/reset?token=${token}`
    expect(await (await raw('GET', path)).text()).toContain(email)
    const send = async (given: string) =>
      await raw(
        'POST',
        '/dashboard/reset',
        { Origin: 'http://service.test' },
        new URLSearchParams({ token, password: given }),
      )
    expect((await send('short')).status).toBe(400)
    const sent = await send(newPassword)
    expect([sent.status, sent.headers.get('location')]).toEqual([303, '/dashboard/sign-in?done=password'])
    for (const response of [await send(newPassword), await raw('GET', path), await raw('GET', '/dashboard/reset')])
      expect([response.status, (await response.text()).includes('This link is not valid')]).toEqual([404, true])
  })
})
