import { createExecutionContext } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { app } from '../../src/app.ts'
import { bindings, password } from '../service.ts'

let made = 0

async function signUp(vars: object, fields: object = {}) {
  const response = await app.fetch(
    new Request('http://service.test/merchant/sign-up', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
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
