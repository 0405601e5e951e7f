import { eq } from 'drizzle-orm'
import { sign } from 'hono/jwt'
import { describe, expect, it } from 'vitest'
import { merchants } from '../../src/db/schema.ts'
import { openDatabase } from '../../src/db/client.ts'
import { settingsOf } from '../../src/settings.ts'
import { hashPassword, isPassword } from '../../src/merchant/password.ts'
import { addressGroup } from '../../src/merchant/throttle-guessing.ts'
import { issueToken, readToken } from '../../src/merchant/token.ts'
import { bindings, call, newMerchant, password } from '../service.ts'

const secret = settingsOf(bindings).JWT_SECRET
const from = (address: string) => ({ 'cf-connecting-ip': address })

describe('sign-up', () => {
  it('registers a merchant and never returns the password', async () => {
    const fields = { email: '  New@Example.com ', password, name: 'New', company: 'New Ltd' }
    const { status, body } = await call('POST', '/merchant/sign-up', from('192.0.2.1'), fields)
    expect(status).toBe(200)
    expect(body.data).toEqual({ id: expect.any(String), email: 'new@example.com', name: 'New' })
    const [row] = await openDatabase(bindings.DB).select().from(merchants).where(eq(merchants.email, 'new@example.com'))
    expect(row?.passwordHash).toMatch(/^scrypt/)
    expect(JSON.stringify(row)).not.toContain(password)
  })

  it('says 400 where the email exists, in whatever case', async () => {
    const { email } = await newMerchant()
    const again = { email: email.toUpperCase(), password, name: 'Again' }
    const { status, body } = await call('POST', '/merchant/sign-up', from('192.0.2.2'), again)
    expect([status, body.message]).toEqual([400, 'Email already exists'])
  })

  it('lets one of two sign-ups with the same email at once through', async () => {
    const fields = { email: 'race@example.com', password, name: 'Race' }
    const answers = await Promise.all([1, 2].map(() => call('POST', '/merchant/sign-up', from('192.0.2.3'), fields)))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400])
  })
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
    const { email } = await newMerchant()
    const time = async (credentials: object) => {
      const startedAt = performance.now()
      const answer = await call('POST', '/merchant/sign-in', from('192.0.2.5'), credentials)
      return { ms: performance.now() - startedAt, status: answer.status, body: answer.body }
    }
    const wrong = await time({ email, password: 'not the password' })
    const unknown = await time({ email: 'nobody@example.com', password })
    expect(wrong.status).toBe(401)
    expect([unknown.status, unknown.body]).toEqual([wrong.status, wrong.body])
    expect(unknown.ms).toBeGreaterThan(wrong.ms / 4)
  })

  it('limits attempts from one address, and attempts on one email from many', async () => {
    const attempt = async (address: string, email: string) =>
      (await call('POST', '/merchant/sign-in', from(address), { email, password: 'guess' })).status
    const ofAddress = await Promise.all(
      Array.from({ length: 22 }, (_, i) => attempt('203.0.113.9', `a${i}@example.com`)),
    )
    expect(ofAddress.filter((status) => status === 429).length).toBe(2)
    const ofEmail = await Promise.all(Array.from({ length: 22 }, (_, i) => attempt(`203.0.114.${i}`, 'b@example.com')))
    expect(ofEmail.filter((status) => status === 429).length).toBe(2)
  }, 60_000)

  it('takes the addresses of one IPv6 network for one client', () => {
    expect(addressGroup('2001:db8:0:1::5')).toBe(addressGroup('2001:0db8:0000:0001:ffff::'))
    expect(addressGroup('2001:db8:0:2::5')).not.toBe(addressGroup('2001:db8:0:1::5'))
    expect(addressGroup('192.0.2.1')).toBe('192.0.2.1')
  })
})

describe('passwords', () => {
  it('are told right from wrong, and a hash is never the same twice', async () => {
    const hash = await hashPassword('pässword one')
    expect(await isPassword('pässword one', hash)).toBe(true)
    expect(await isPassword('pässword onE', hash)).toBe(false)
    expect(await hashPassword('pässword one')).not.toBe(hash)
    expect(hash).toMatch(/^scrypt\$16384\$8\$5\$/)
  })

  it('of older parameters still work', async () => {
    const old = 'scrypt$1024$8$1$c2FsdHNhbHRzYWx0c2FsdA==$'
    const { scryptSync } = await import('node:crypto')
    const hash = scryptSync('old one', Buffer.from('saltsaltsaltsalt'), 32, { N: 1024, r: 8, p: 1 }).toString('base64')
    expect(await isPassword('old one', old + hash)).toBe(true)
  })
})

describe('access tokens', () => {
  const hour = 3600
  const now = () => Math.floor(Date.now() / 1000)
  const claims = (id: string) => ({ sub: id, iat: now(), exp: now() + hour, iss: 'garment-tagging', aud: 'merchant' })
  const status = async (token: string) =>
    (await call('GET', '/merchant/tenant', { Authorization: `Bearer ${token}` })).status

  it('live for an hour', async () => {
    expect(await readToken(await issueToken('m', secret, Date.now() - (hour - 5) * 1000), secret)).toBe('m')
    expect(await readToken(await issueToken('m', secret, Date.now() - (hour + 1) * 1000), secret)).toBe(null)
  })

  it('are refused if forged, unsigned, expired or meant for another', async () => {
    const { id } = await newMerchant()
    const encode = (part: object) => btoa(JSON.stringify(part)).replaceAll('=', '')
    const good = claims(id)
    expect(await status(await sign(good, secret, 'HS256'))).toBe(404)
    const bad = [
      await sign(good, `${secret}!`, 'HS256'),
      await sign(good, secret, 'HS512'),
      `${encode({ alg: 'none', typ: 'JWT' })}.${encode(good)}.`,
      await sign({ ...good, exp: now() - 1 }, secret, 'HS256'),
      await sign({ ...good, iss: 'another' }, secret, 'HS256'),
      await sign({ ...good, aud: 'another' }, secret, 'HS256'),
      await sign(claims('no-such-merchant'), secret, 'HS256'),
      'not.a.token',
      'x',
    ]
    for (const token of bad) expect(await status(token)).toBe(401)
    expect((await call('GET', '/merchant/tenant')).status).toBe(401)
    expect((await call('GET', '/merchant/tenant', { Authorization: 'Basic abc' })).status).toBe(401)
  })
})
