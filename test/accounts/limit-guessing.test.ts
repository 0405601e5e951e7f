import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../src/platform/http/errors.ts'
import { limitGuessing } from '../../src/accounts/password.ts'
import { throttleOf } from '../../src/platform/limits/throttle.ts'
import { bindings, call, newMerchant, password } from '../service.ts'

let made = 0
const newEmail = () => `guessed-${++made}@example.com`

const wrong = async () => await Promise.resolve(null)
const right = async () => await Promise.resolve('merchant')

/** The status of what is thrown, or `passed`. */
async function guess(email: string, address: string, check: () => Promise<string | null>) {
  try {
    await limitGuessing(bindings, { emailKey: email, address }, check)
    return 'passed'
  } catch (error) {
    return error instanceof ApiError ? error.status : error
  }
}

const failOften = async (email: string, addresses: readonly string[]) =>
  await Promise.all(addresses.map((address) => guess(email, address, wrong)))

const storedIn = async (subject: string) =>
  await runInDurableObject(throttleOf(bindings, subject), async (_, { storage }) => [
    storage.kv.get('window'),
    await storage.getAlarm(),
  ])

/** Six in turns, so that none reaches the limit for one address and email. */
const addresses = (count: number) => Array.from({ length: count }, (_, i) => `192.0.2.${i % 6}`)

describe('failed sign-ins', () => {
  it('are at most 20 a minute for one address and email, also if they come at once', async () => {
    const email = newEmail()
    const results = await failOften(email, Array<string>(25).fill('192.0.2.1'))
    expect(results.filter((result) => result === 'passed')).toHaveLength(20)
    expect(await guess(email, '192.0.2.1', right)).toBe(429)
    expect(await guess(email, '192.0.2.2', right)).toBe('passed')
    expect(await guess(newEmail(), '192.0.2.1', right)).toBe('passed')
  })

  it('are at most 100 an hour for one account, but do not lock out an address that has succeeded before', async () => {
    const email = newEmail()
    expect(await guess(email, 'home', right)).toBe('passed')
    const results = await failOften(email, addresses(110))
    expect(results.filter((result) => result === 'passed')).toHaveLength(100)
    expect(await guess(email, 'elsewhere', right)).toBe(429)
    expect(await guess(email, 'home', right)).toBe('passed')
  })

  it('are at most 100 in ten minutes for one address over all accounts, and lock out no one who shares it', async () => {
    const address = '198.51.100.7'
    const owner = newEmail()
    expect(await guess(owner, address, right)).toBe('passed')
    const emails = Array.from({ length: 6 }, newEmail)
    const guesses = Array.from({ length: 110 }, (_, i) => guess(emails[i % 6] ?? '', address, wrong))
    const results = await Promise.all(guesses)
    expect(results.filter((result) => result === 'passed')).toHaveLength(100)
    expect(results.filter((result) => result === 429)).toHaveLength(10)
    const email = newEmail()
    expect(await guess(email, address, right)).toBe(429)
    // Above its limit, nothing more is stored of it.
    for (const subject of [`account:${email}`, `sign-in:${address}:${email}`])
      expect(await storedIn(subject)).toEqual([undefined, null])
    expect(await guess(owner, address, right)).toBe('passed')
    expect(await guess(newEmail(), '198.51.100.8', right)).toBe('passed')
  })

  it('count where the password is checked: over HTTP the twenty-first is a 429 with Retry-After', async () => {
    const { email } = await newMerchant()
    const from = { 'cf-connecting-ip': '203.0.113.9' }
    const attempt = async (secret: string) => await call('POST', '/merchant/sign-in', from, { email, password: secret })
    // One after another: all at once, the last ones wait longer on a slow machine than a password may wait for its
    // hash.
    for (let i = 0; i < 20; i++) expect((await attempt('wrong')).status).toBe(401)
    const refused = await attempt(password)
    expect([refused.status, refused.body.message]).toEqual([429, 'Too many attempts'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('successful sign-ins', () => {
  it('are not limited, neither one after another nor twenty at once', async () => {
    const email = newEmail()
    for (let i = 0; i < 25; i++) expect(await guess(email, '192.0.2.1', right)).toBe('passed')
    const slow = async () => (await scheduler.wait(50), 'merchant')
    const results = await Promise.all(Array.from({ length: 20 }, () => guess(email, '192.0.2.1', slow)))
    expect(new Set(results)).toEqual(new Set(['passed']))
  })
})

it('a sign-in that failed on our side does not count', async () => {
  const email = newEmail()
  const broken = async () => await Promise.reject(new Error('the database is down'))
  for (let i = 0; i < 25; i++)
    await expect(limitGuessing(bindings, { emailKey: email, address: '192.0.2.1' }, broken)).rejects.toThrow('database')
  expect(await guess(email, '192.0.2.1', right)).toBe('passed')
})
