import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { members } from '../../src/platform/db/schema.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { addressGroup } from '../../src/platform/limits/throttle.ts'
import { hashPassword, isPassword } from '../../src/accounts/password.ts'
import { bindings, call, fillThrottle, newMerchant, password } from '../service.ts'

const given = (text: string) => ({ password: text, caller: 'test' })

const from = (address: string) => ({ 'cf-connecting-ip': address })

describe('sign-up', () => {
  it('registers a merchant and never returns the password', async () => {
    const fields = { email: '  New@Example.com ', password, name: 'New', company: 'New Ltd' }
    const { status, body } = await call('POST', '/merchant/sign-up', from('192.0.2.1'), fields)
    expect(status).toBe(200)
    expect(body.data).toEqual({ id: expect.any(String), email: 'New@Example.com', name: 'New' })
    const [row] = await openDatabase(bindings.DB).select().from(members).where(eq(members.emailKey, 'new@example.com'))
    expect(row?.passwordHash).toMatch(/^scrypt/)
    expect(JSON.stringify(row)).not.toContain(password)
  })

  it('rejects an email that exists, in any case', async () => {
    const { email } = await newMerchant()
    const again = { email: email.toUpperCase(), password, name: 'Again' }
    const { status, body } = await call('POST', '/merchant/sign-up', from('192.0.2.2'), again)
    expect([status, body.message]).toEqual([400, 'Email already exists'])
  })

  it('accepts one of two simultaneous sign-ups with the same email', async () => {
    const fields = { email: 'race@example.com', password, name: 'Race' }
    const answers = await Promise.all([1, 2].map(() => call('POST', '/merchant/sign-up', from('192.0.2.3'), fields)))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400])
  })
})

it('an address signs up at most 300 merchants a minute, others are not affected', async () => {
  await fillThrottle('sign-up:203.0.113.20', 300)
  const fields = { email: 'one-more@example.com', password, name: 'More' }
  const refused = await call('POST', '/merchant/sign-up', from('203.0.113.20'), fields)
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
  expect((await call('POST', '/merchant/sign-up', from('203.0.113.21'), fields)).status).toBe(200)
})

describe('sign-in', () => {
  it('gives a token that works, and the user', async () => {
    const { email, id } = await newMerchant()
    const credentials = { email: email.toUpperCase(), password }
    const { body } = await call('POST', '/merchant/sign-in', from('192.0.2.4'), credentials)
    expect(body.data.user).toEqual({ id, email, name: 'Ann' })
    const tenant = await call('GET', '/merchant/tenant', { Authorization: `Bearer ${body.data.token}` })
    expect([tenant.status, tenant.body.message]).toEqual([404, 'Tenant not found'])
  })

  it('gives the same answer for an unknown email and for a wrong password, in about the same time', async () => {
    const email = 'time@example.com'
    // With a hash of full cost, other than `newMerchant`.
    await call('POST', '/merchant/sign-up', {}, { email, password, name: 'Ann' })
    const time = async (credentials: object) => {
      const startedAt = performance.now()
      const answer = await call('POST', '/merchant/sign-in', from('192.0.2.5'), credentials)
      return { ms: performance.now() - startedAt, status: answer.status, body: answer.body }
    }
    const wrong = await time({ email, password: 'not the password' })
    const unknown = await time({ email: 'nobody@example.com', password })
    expect(wrong.status).toBe(401)
    expect([unknown.status, unknown.body]).toEqual([wrong.status, wrong.body])
    // Compared with each other, and the quicker of two: whatever else the machine does makes neither quicker.
    const again = await time({ email, password: 'not the password' })
    expect(unknown.ms).toBeGreaterThan(Math.min(wrong.ms, again.ms) / 4)
  })

  it('treats all addresses of an IPv6 /64 as one client', () => {
    expect(addressGroup('2001:db8:0:1::5')).toBe(addressGroup('2001:0db8:0000:0001:ffff::'))
    expect(addressGroup('2001:db8:0:2::5')).not.toBe(addressGroup('2001:db8:0:1::5'))
    expect(addressGroup('192.0.2.1')).toBe('192.0.2.1')
  })
})

describe('hashed passwords', () => {
  it('are verified, and the same password has a different hash each time', async () => {
    const hash = await hashPassword(given('pässword one'))
    expect(await isPassword(given('pässword one'), hash)).toBe(true)
    expect(await isPassword(given('pässword onE'), hash)).toBe(false)
    expect(await hashPassword(given('pässword one'))).not.toBe(hash)
    expect(hash).toMatch(/^scrypt\$16384\$8\$5\$/)
  })

  it('with older parameters still work', async () => {
    const old = 'scrypt$1024$8$1$c2FsdHNhbHRzYWx0c2FsdA==$'
    const { scryptSync } = await import('node:crypto')
    const hash = scryptSync('old one', Buffer.from('saltsaltsaltsalt'), 32, { N: 1024, r: 8, p: 1 }).toString('base64')
    expect(await isPassword(given('old one'), old + hash)).toBe(true)
  })
})
