import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountDatabase } from '../../src/platform/db/databases.ts'
import { invitations, members, passwordResets } from '../../src/platform/db/schema.ts'
import { acceptInvitation, getInvitation, getReset, inviteMember, startReset } from '../../src/accounts/links.ts'
import { changeRole, removeMember } from '../../src/accounts/team.ts'
import { bindings, call, newMember, newMerchant, newTenant, password, someone } from '../service.ts'

const made = { by: someone, at: Date.now() }

const db = accountDatabase(bindings)
const dayMs = 24 * 3600_000
const person = () => ({
  name: 'Bob',
  email: `${crypto.randomUUID()}@example.com`,
  password,
  address: crypto.randomUUID(),
})
const roleOf = async (id: string) => (await db.select().from(members).where(eq(members.id, id)))[0]?.role
const invite = async (merchantId: string, role: 'owner' | 'editor' = 'editor', nowMs = Date.now()) =>
  await inviteMember(db, merchantId, { role, label: 'Bob' }, nowMs, someone)

describe('an invitation', () => {
  it('makes one person a member of the account and its tenant, once', async () => {
    const { merchant, tenantId } = await newTenant()
    const token = await invite(merchant.id)
    const bob = person()
    const [first, second] = await Promise.allSettled([
      acceptInvitation(bindings, token, bob, Date.now()),
      acceptInvitation(bindings, token, person(), Date.now()),
    ])
    expect([first.status, second.status].sort()).toEqual(['fulfilled', 'rejected'])
    await expect(acceptInvitation(bindings, token, person(), Date.now())).rejects.toMatchObject({
      code: 'link_not_valid',
    })
    const team = await db.select().from(members).where(eq(members.merchantId, merchant.id))
    expect(team.map(({ role }) => role)).toEqual(['owner', 'editor'])
    const email = team[1]?.email ?? ''
    const { data } = (await call('POST', '/merchant/sign-in', {}, { email, password })).body
    expect(data.user).toEqual({ id: merchant.id, email, name: 'Bob' })
    const claims = JSON.parse(atob((data.token as string).split('.')[1] ?? '')) as object
    expect(claims).toMatchObject({ sub: merchant.id, member: team[1]?.id })
    const tenant = await call('GET', '/merchant/tenant', { Authorization: `Bearer ${data.token}` })
    expect(tenant.body.data).toMatchObject({ id: tenantId, merchant_id: merchant.id })
  })

  it('is valid for seven days, and not after it was withdrawn', async () => {
    const { id } = await newMerchant()
    const token = await invite(id)
    expect(await getInvitation(db, token, Date.now() + 7 * dayMs - 1000)).toEqual({ role: 'editor', account: '' })
    await expect(getInvitation(db, token, Date.now() + 7 * dayMs + 1000)).rejects.toMatchObject({ status: 404 })
    await db.delete(invitations).where(eq(invitations.merchantId, id))
    await expect(getInvitation(db, token, Date.now())).rejects.toMatchObject({ status: 404 })
  })

  it('is stored without its token', async () => {
    const { id } = await newMerchant()
    const token = await invite(id)
    const rows = await db.select().from(invitations).where(eq(invitations.merchantId, id))
    expect([rows.length, JSON.stringify(rows).includes(token)]).toEqual([1, false])
  })

  it('refuses the email of another member or merchant, and can then be used with another', async () => {
    const { id } = await newMerchant()
    const other = await newMerchant()
    const token = await invite(id)
    const bob = person()
    const taken = { ...bob, email: other.email }
    await expect(acceptInvitation(bindings, token, taken, Date.now())).rejects.toMatchObject({ code: 'email_taken' })
    expect(await acceptInvitation(bindings, token, bob, Date.now())).toMatchObject({ merchantId: id, role: 'editor' })
    const again = await call('POST', '/merchant/sign-up', {}, { name: 'Bob', email: bob.email, password })
    expect([again.status, again.body.code]).toEqual([400, 'email_taken'])
  })

  it('is one of at most 50 with the members; those that have expired do not count', async () => {
    const { id } = await newMerchant()
    const longAgo = Date.now() - 8 * dayMs
    for (let i = 0; i < 49; i++) await invite(id, 'editor', longAgo)
    await expect(invite(id, 'editor', longAgo)).rejects.toMatchObject({ code: 'too_many_members' })
    await invite(id)
    expect(await db.select().from(invitations).where(eq(invitations.merchantId, id))).toHaveLength(1)
  })
})

describe('members', () => {
  it('keep at least one owner, also where two owners go at the same time', async () => {
    const { id } = await newMerchant()
    await expect(removeMember(db, id, id, made)).rejects.toMatchObject({ code: 'last_owner' })
    await expect(changeRole(db, id, { memberId: id, role: 'editor' }, made)).rejects.toMatchObject({
      code: 'last_owner',
    })
    const bob = await newMember(id, 'editor')
    await changeRole(db, id, { memberId: bob.id, role: 'owner' }, made)
    const results = await Promise.allSettled([
      removeMember(db, id, id, made),
      changeRole(db, id, { memberId: bob.id, role: 'reviewer' }, made),
    ])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const left = await db.select().from(members).where(eq(members.merchantId, id))
    expect(left.filter(({ role }) => role === 'owner')).toHaveLength(1)
  })

  it('lose their tokens when they are removed, and their email is free again', async () => {
    const { merchant } = await newTenant()
    const bob = await newMember(merchant.id, 'owner')
    await db.insert(passwordResets).values({ memberId: merchant.id, hash: crypto.randomUUID(), expiresAt: 1 })
    await removeMember(db, merchant.id, merchant.id, made)
    expect((await call('GET', '/merchant/tenant', merchant.bearer)).status).toBe(401)
    expect((await call('POST', '/merchant/sign-in', {}, { email: merchant.email, password })).status).toBe(401)
    expect((await call('GET', '/merchant/tenant', bob.bearer)).status).toBe(200)
    expect(await db.select().from(passwordResets).where(eq(passwordResets.memberId, merchant.id))).toEqual([])
    const again = await call('POST', '/merchant/sign-up', {}, { name: 'Ann', email: merchant.email, password })
    expect(again.status).toBe(200)
    expect((await call('GET', '/merchant/tenant', bob.bearer)).body.data.merchant_id).toBe(merchant.id)
  })

  it('who were owners and are removed or get another role cannot come back by a link that they made before', async () => {
    const goes = {
      removed: async (id: string, ann: string) => await removeMember(db, id, ann, made),
      demoted: async (id: string, ann: string) => await changeRole(db, id, { memberId: ann, role: 'editor' }, made),
    }
    for (const go of Object.values(goes)) {
      const { id } = await newMerchant()
      const [ann, bob] = [await newMember(id, 'owner'), await newMember(id, 'editor')]
      const other = await newMerchant()
      const invitation = await invite(id, 'owner')
      const { token } = await startReset(db, { merchantId: id, memberId: id }, Date.now(), someone)
      const ofOthers = await invite(other.id)

      await removeMember(db, id, bob.id, made)
      await changeRole(db, id, { memberId: ann.id, role: 'owner' }, made)
      expect(await getInvitation(db, invitation, Date.now())).toMatchObject({ role: 'owner' })
      expect(await getReset(db, token, Date.now())).toMatchObject({ id })

      await go(id, ann.id)
      await expect(getInvitation(db, invitation, Date.now())).rejects.toMatchObject({ code: 'link_not_valid' })
      await expect(getReset(db, token, Date.now())).rejects.toMatchObject({ code: 'link_not_valid' })
      expect(await getInvitation(db, ofOthers, Date.now())).toMatchObject({ role: 'editor' })
    }
  })

  it('who cannot go because they are the last owner keep their links', async () => {
    const { id } = await newMerchant()
    const invitation = await invite(id)
    await expect(removeMember(db, id, id, made)).rejects.toMatchObject({ code: 'last_owner' })
    await expect(changeRole(db, id, { memberId: id, role: 'editor' }, made)).rejects.toMatchObject({
      code: 'last_owner',
    })
    expect(await getInvitation(db, invitation, Date.now())).toMatchObject({ role: 'editor' })
  })

  it('of another account can be neither changed nor removed, and are not found', async () => {
    const [{ id }, other] = [await newMerchant(), await newMerchant()]
    const bob = await newMember(other.id, 'editor')
    await expect(changeRole(db, id, { memberId: bob.id, role: 'owner' }, made)).rejects.toMatchObject({
      code: 'member_not_found',
    })
    await expect(removeMember(db, id, bob.id, made)).rejects.toMatchObject({ code: 'member_not_found' })
    expect(await roleOf(bob.id)).toBe('editor')
  })

  it('sign out alone: the others stay signed in', async () => {
    const { merchant } = await newTenant()
    const bob = await newMember(merchant.id, 'editor')
    expect((await call('POST', '/merchant/sign-out', bob.bearer)).status).toBe(200)
    expect((await call('GET', '/merchant/tenant', bob.bearer)).status).toBe(401)
    expect((await call('GET', '/merchant/tenant', merchant.bearer)).status).toBe(200)
  })

  it('are removed with their account', async () => {
    const { id, bearer } = await newMerchant()
    const bob = await newMember(id, 'editor')
    await invite(id)
    expect((await call('DELETE', '/merchant', bearer)).status).toBe(200)
    expect((await call('GET', '/merchant/tenant', bob.bearer)).status).toBe(401)
    expect(await db.select().from(members).where(eq(members.merchantId, id))).toEqual([])
    expect(await db.select().from(invitations).where(eq(invitations.merchantId, id))).toEqual([])
  })
})
