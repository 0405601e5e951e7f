import { sign } from 'hono/jwt'
import { describe, expect, it } from 'vitest'
import { issueSession, issueToken, newSession, readSessionToken, readToken } from '../../src/accounts/token.ts'
import { settingsOf } from '../../src/settings.ts'
import { bindings, call, newMerchant } from '../service.ts'

const settings = settingsOf(bindings)
const secret = settings.JWT_SECRET
const hour = 3600
const holder = { id: 'm', memberId: 'n', sessionVersion: 0 }

describe('access tokens', () => {
  const now = () => Math.floor(Date.now() / 1000)
  const claims = (id: string) => ({
    sub: id,
    member: id,
    ver: 0,
    iat: now(),
    exp: now() + hour,
    iss: 'garment-tagging',
    aud: 'merchant',
  })
  const status = async (token: string) =>
    (await call('GET', '/merchant/tenant', { Authorization: `Bearer ${token}` })).status

  it('live for an hour', async () => {
    const issuedBefore = async (seconds: number) =>
      await readToken(await issueToken(holder, settings, Date.now() - seconds * 1000), settings)
    expect(await issuedBefore(hour - 5)).toEqual(holder)
    expect(await issuedBefore(hour + 1)).toBe(null)
  })

  it('are refused if forged, unsigned, expired or meant for another', async () => {
    const { id } = await newMerchant()
    const encode = (part: object) => btoa(JSON.stringify(part)).replaceAll('=', '')
    const good = claims(id)
    const { ver, ...unversioned } = good
    expect(await status(await sign(good, secret, 'HS256'))).toBe(404)
    const bad = [
      await sign(good, `${secret}!`, 'HS256'),
      await sign(good, secret, 'HS512'),
      `${encode({ alg: 'none', typ: 'JWT' })}.${encode(good)}.`,
      await sign({ ...good, exp: now() - 1 }, secret, 'HS256'),
      await sign({ ...good, iss: 'another' }, secret, 'HS256'),
      await sign({ ...good, aud: 'another' }, secret, 'HS256'),
      await sign({ ...good, aud: 'dashboard' }, secret, 'HS256'),
      await sign({ ...good, ver: ver + 1 }, secret, 'HS256'),
      await sign(unversioned, secret, 'HS256'),
      await sign(claims('no-such-merchant'), secret, 'HS256'),
      'not.a.token',
      'x',
    ]
    for (const token of bad) expect(await status(token)).toBe(401)
    expect((await call('GET', '/merchant/tenant')).status).toBe(401)
    expect((await call('GET', '/merchant/tenant', { Authorization: 'Basic abc' })).status).toBe(401)
  })

  it('signed by a former secret are accepted, and new ones are signed by the current secret', async () => {
    const former = { JWT_SECRET: 'a former secret of the service, replaced', JWT_SECRETS_OLD: [] }
    const present = { JWT_SECRET: secret, JWT_SECRETS_OLD: [former.JWT_SECRET] }
    const old = await issueToken(holder, former, Date.now())
    expect(await readToken(old, present)).toEqual(holder)
    expect(await readToken(old, settings)).toBe(null)
    expect(await readToken(await issueToken(holder, present, Date.now()), settings)).toEqual(holder)
  })
})

describe('session tokens', () => {
  it('are no access tokens, and access tokens are no sessions', async () => {
    const { id, bearer } = await newMerchant()
    const session = await issueSession(
      newSession({ id, memberId: id, sessionVersion: 0 }, Date.now()),
      settings,
      Date.now(),
    )
    expect((await call('GET', '/merchant/tenant', { Authorization: `Bearer ${session}` })).status).toBe(401)
    expect(await readToken(session, settings)).toBe(null)
    expect(await readSessionToken(bearer.Authorization.slice('Bearer '.length), settings)).toBe(null)
  })

  it('end an hour after their last renewal, and twelve hours after the sign-in at the latest', async () => {
    const signedInAt = Date.now() - 11.5 * hour * 1000
    const session = newSession(holder, signedInAt)
    expect(await readSessionToken(await issueSession(session, settings, signedInAt), settings)).toBe(null)
    const renewed = await readSessionToken(await issueSession(session, settings, Date.now()), settings)
    expect(renewed?.expiresAt).toBe(Math.floor(signedInAt / 1000) + 12 * hour)
    const fresh = newSession(holder, Date.now())
    const read = await readSessionToken(await issueSession(fresh, settings, Date.now()), settings)
    expect(read?.expiresAt).toBe(fresh.signedInAt + hour)
    const old = newSession(holder, Date.now() - 12 * hour * 1000 - 1000)
    expect(await readSessionToken(await issueSession(old, settings, Date.now()), settings)).toBe(null)
  })
})
