import { describe, expect, it } from 'vitest'
import { createRecoveryCodes, recoverAccount, recoveryCodesQuery } from '../../src/accounts/recovery-codes.ts'
import { changeRole, removeMember } from '../../src/accounts/team.ts'
import { accountDatabase } from '../../src/platform/db/databases.ts'
import { recoveryCodes } from '../../src/platform/db/schema.ts'
import { sessionOf } from '../dashboard/session-of.ts'
import { bindings, call, newMember, newMerchant, password, raw, someone } from '../service.ts'

const db = accountDatabase(bindings)
const made = { by: someone, at: 1 }

let addresses = 0

/** An owner with fresh codes, at an address of their own. */
async function newOwner() {
  const owner = await newMerchant()
  const address = `203.0.113.${++addresses}`
  const create = async (given = password) =>
    await createRecoveryCodes(bindings, owner.id, { email: owner.email, password: given, address }, 1000, someone)
  const recover = async (code: string, email = owner.email, newPassword = 'a new password') =>
    await recoverAccount(bindings, { email, code, newPassword, address }, 2000)
  const left = async () => (await recoveryCodesQuery(db, owner.id))[0]?.count
  return { owner, create, recover, left, codes: await create() }
}

const refused = { status: 401, code: 'invalid_credentials' }

describe('recovery codes', () => {
  it('are ten of 80 bits, of which only hashes are stored, and new ones replace them', async () => {
    const { codes, create, recover, left, owner } = await newOwner()
    expect([codes.length, new Set(codes).size]).toEqual([10, 10])
    for (const code of codes) expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/)
    const stored = JSON.stringify((await db.select().from(recoveryCodes)).filter((row) => row.memberId === owner.id))
    for (const code of codes) expect(stored).not.toContain(code.replaceAll('-', ''))
    const newer = await create()
    expect(await left()).toBe(10)
    await expect(recover(codes[0] ?? '')).rejects.toMatchObject(refused)
    await recover(newer[0] ?? '')
    expect(await left()).toBe(9)
  })

  it('are created only with the current password, and only for owners', async () => {
    const { create, owner } = await newOwner()
    await expect(create('not the password')).rejects.toMatchObject({ code: 'wrong_password' })
    const editor = await newMember(owner.id, 'editor')
    const credentials = { email: editor.email, password, address: '203.0.113.200' }
    await expect(createRecoveryCodes(bindings, editor.id, credentials, 1, someone)).rejects.toMatchObject({
      code: 'member_not_found',
    })
  })

  it('set a new password once, however they are typed, and end all sessions and tokens', async () => {
    const { owner, codes, recover } = await newOwner()
    const session = await sessionOf(owner.id)
    expect((await raw('GET', '/dashboard/account', session)).status).toBe(200)
    const typed = ` ${codes[3]?.replaceAll('-', ' ').toUpperCase()} `
    expect(await recover(typed, owner.email.toUpperCase())).toMatchObject({ id: owner.id })
    await expect(recover(codes[3] ?? '')).rejects.toMatchObject(refused)
    expect((await raw('GET', '/dashboard/account', session)).status).not.toBe(200)
    expect((await call('GET', '/merchant/tenant', owner.bearer)).status).toBe(401)
    const signIn = async (given: string) =>
      (await call('POST', '/merchant/sign-in', {}, { email: owner.email, password: given })).status
    expect([await signIn(password), await signIn('a new password')]).toEqual([401, 200])
  })

  it('are refused alike for an unknown email, a wrong code and the code of another owner', async () => {
    const [first, second] = [await newOwner(), await newOwner()]
    await expect(first.recover(first.codes[0] ?? '', 'nobody@example.com')).rejects.toMatchObject(refused)
    await expect(first.recover('abcd-abcd-abcd-abcd')).rejects.toMatchObject(refused)
    await expect(first.recover(second.codes[0] ?? '')).rejects.toMatchObject(refused)
    expect([await first.left(), await second.left()]).toEqual([10, 10])
  })

  it('count as guesses: after 20 wrong ones in a minute, the right one is refused too', async () => {
    const { codes, recover } = await newOwner()
    for (let i = 0; i < 20; i++) await expect(recover('abcd-abcd-abcd-abcd')).rejects.toMatchObject(refused)
    await expect(recover(codes[0] ?? '')).rejects.toMatchObject({ status: 429 })
  })

  it('work once if used twice at the same time', async () => {
    const { codes, recover } = await newOwner()
    const results = await Promise.allSettled([recover(codes[0] ?? ''), recover(codes[0] ?? '')])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('end with the role of an owner and with the member', async () => {
    const { owner } = await newOwner()
    const second = await newMember(owner.id, 'owner')
    const credentials = { email: second.email, password, address: '203.0.113.201' }
    const [code = ''] = await createRecoveryCodes(bindings, second.id, credentials, 1, someone)
    const recovery = { email: second.email, code, newPassword: 'a new password', address: '203.0.113.202' }
    await changeRole(db, owner.id, { memberId: second.id, role: 'editor' }, made)
    await expect(recoverAccount(bindings, recovery, 2)).rejects.toMatchObject(refused)
    await removeMember(db, owner.id, second.id, made)
    expect((await recoveryCodesQuery(db, second.id))[0]?.count).toBe(0)
  })
})
