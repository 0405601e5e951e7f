import { createExecutionContext } from 'cloudflare:test'
import { inArray } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { app } from '../../src/app.ts'
import { removeUnconfirmed } from '../../src/accounts/merchant.ts'
import { accountDatabase } from '../../src/platform/db/databases.ts'
import { merchants } from '../../src/platform/db/schema.ts'
import { dayMs } from '../../src/time.ts'
import { bindings, call, fillThrottle, newMerchant, password } from '../service.ts'

let made = 0

async function signUp(vars: object, fields: object = {}, address = '192.0.2.77') {
  const response = await app.fetch(
    new Request('http://service.test/merchant/sign-up', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'CF-Connecting-IP': address },
      body: JSON.stringify({ email: `coded-${++made}@example.com`, password, name: 'Ann', ...fields }),
    }),
    { ...bindings, ...vars },
    createExecutionContext(),
  )
  return [response.status, (await response.json<{ code?: string }>()).code]
}

const refused = [403, 'sign_up_not_allowed']

it('an account is created for everybody in a local run, and elsewhere for those who have the code', async () => {
  expect(await signUp({})).toEqual([200, undefined])
  const deployed = { ALLOW_LOCAL_TARGETS: 'false', SIGN_UP_CODE: 'a shared code' }
  expect(await signUp(deployed)).toEqual(refused)
  expect(await signUp(deployed, { sign_up_code: 'another code' })).toEqual(refused)
  expect(await signUp(deployed, { sign_up_code: 'a shared code' })).toEqual([200, undefined])
  expect(await signUp({ ALLOW_LOCAL_TARGETS: 'false' }, { sign_up_code: '' })).toEqual(refused)
  expect(await signUp({ ALLOW_LOCAL_TARGETS: 'false', SIGN_UP: 'open' })).toEqual([200, undefined])
})

it('an address creates at most 20 accounts in 24 hours once deployed, where taken emails count and missing codes do not', async () => {
  const deployed = { ALLOW_LOCAL_TARGETS: 'false', SIGN_UP_CODE: 'a shared code' }
  const withCode = { sign_up_code: 'a shared code' }
  const address = '192.0.2.78'
  await fillThrottle(`sign-ups:${address}`, 14, dayMs)
  const taken = { ...withCode, email: 'twice@example.com' }
  expect(await signUp(deployed, taken, address)).toEqual([200, undefined])
  for (let i = 0; i < 3; i++) expect(await signUp(deployed, taken, address)).toEqual([400, 'email_taken'])
  for (let i = 0; i < 3; i++) expect(await signUp(deployed, {}, address)).toEqual(refused)
  for (let i = 0; i < 2; i++) expect(await signUp(deployed, withCode, address)).toEqual([200, undefined])
  expect(await signUp(deployed, withCode, address)).toEqual([429, 'rate_limited'])
  expect(await signUp(deployed, withCode, '192.0.2.79')).toEqual([200, undefined])
})

it('an address guesses the code 20 times in 24 hours, after which the right one is refused too', async () => {
  const deployed = { ALLOW_LOCAL_TARGETS: 'false', SIGN_UP_CODE: 'a shared code' }
  const address = '192.0.2.80'
  await fillThrottle(`sign-ups:${address}`, 18, dayMs)
  for (let i = 0; i < 2; i++) expect(await signUp(deployed, { sign_up_code: `guess ${i}` }, address)).toEqual(refused)
  for (const code of ['guess', 'a shared code'])
    expect(await signUp(deployed, { sign_up_code: code }, address)).toEqual([429, 'rate_limited'])
})

it('an account to which nobody has signed in within 30 days, and that has no tenant, is removed', async () => {
  const db = accountDatabase(bindings)
  const [unused, signedIn, withTenant] = [await newMerchant(), await newMerchant(), await newMerchant()]
  const fields = { name: 'Shop', domain: `${withTenant.id}.example` }
  expect((await call('POST', '/merchant/sign-in', {}, { email: signedIn.email, password })).status).toBe(200)
  expect((await call('POST', '/merchant/tenant', withTenant.bearer, fields)).status).toBe(200)
  const all = [unused, signedIn, withTenant].map(({ id }) => id)
  const left = async () => {
    const rows = await db.select({ id: merchants.id }).from(merchants).where(inArray(merchants.id, all))
    return all.filter((id) => rows.some((row) => row.id === id))
  }
  // By the time that the test gives them, since other tests' accounts are removed too.
  await db.update(merchants).set({ createdAt: 1000 }).where(inArray(merchants.id, all))
  const dayMs = 24 * 3600_000
  await removeUnconfirmed(db, 1000 + 30 * dayMs - 1)
  expect(await left()).toEqual(all)
  await removeUnconfirmed(db, 1000 + 30 * dayMs)
  expect(await left()).toEqual([signedIn.id, withTenant.id])
})

it('nobody can create an account where it is closed, not even with the code', async () => {
  const closed = { SIGN_UP: 'closed', SIGN_UP_CODE: 'a shared code' }
  expect(await signUp(closed, { sign_up_code: 'a shared code' })).toEqual(refused)
})

it('the form asks for the code where one is needed', async () => {
  const page = async (vars: object) => {
    const request = new Request('http://service.test/dashboard/sign-up')
    return await (await app.fetch(request, { ...bindings, ...vars }, createExecutionContext())).text()
  }
  expect(await page({ SIGN_UP: 'code' })).toContain('name="sign_up_code"')
  expect(await page({})).not.toContain('name="sign_up_code"')
  expect(await page({ SIGN_UP: 'closed' })).toContain('creates no new accounts')
})
