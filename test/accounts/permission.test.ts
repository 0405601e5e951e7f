import { createExecutionContext } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { app } from '../../src/app.ts'
import { permissionQuery } from '../../src/accounts/second-opinion.ts'
import { sessionOf } from '../dashboard/session-of.ts'
import { bindings, call, databaseOf, newTenant, raw } from '../service.ts'
import { standIn } from '../tagging/stand-in.ts'

it('a tenant forbids and allows that its pictures are sent, in the dashboard', async () => {
  const { tenantId, merchant } = await newTenant()
  const session = await sessionOf(merchant.id)
  const page = async () => await (await raw('GET', '/dashboard/tenant', session)).text()
  const isChecked = async () => /<input[^>]*name="allowed"[^>]*>/.exec(await page())?.[0].includes('checked')
  const save = async (fields: Record<string, string>) =>
    await raw(
      'POST',
      '/dashboard/tenant/second-opinion',
      { Origin: 'http://service.test', ...session },
      new URLSearchParams(fields),
    )
  const db = databaseOf(tenantId)
  expect(await isChecked()).toBe(true)
  for (const [fields, allows] of [
    [{}, false],
    [{ allowed: 'yes' }, true],
  ] as const) {
    const response = await save(fields)
    expect([response.status, response.headers.get('location')]).toEqual([303, '/dashboard/tenant?done=choice-saved'])
    expect(await isChecked()).toBe(allows)
    expect(await permissionQuery(db, tenantId)).toEqual([{ allows }])
  }
})

it('a tenant forbids and allows by the API that its pictures are sent, which takes only true or false', async () => {
  const [own, other] = [await newTenant(), await newTenant()]
  const path = '/merchant/tenant/second-opinion'
  const chosen = async ({ merchant }: typeof own) => (await call('GET', path, merchant.bearer)).body.data
  expect(await chosen(own)).toEqual({ allowed: true })
  for (const allowed of [false, true, false]) {
    const answer = await call('PUT', path, own.merchant.bearer, { allowed })
    expect([answer.status, answer.body.data]).toEqual([200, { allowed }])
    expect(await chosen(own)).toEqual({ allowed })
    expect(await permissionQuery(databaseOf(own.tenantId), own.tenantId)).toEqual([{ allows: allowed }])
  }
  for (const body of [{}, { allowed: 'no' }, { allowed: null }]) {
    const answer = await call('PUT', path, own.merchant.bearer, body)
    expect([answer.status, answer.body.error]).toEqual([
      400,
      [expect.stringMatching(/^allowed: must be true or false/)],
    ])
  }
  expect([await chosen(own), await chosen(other)]).toEqual([{ allowed: false }, { allowed: true }])
})

it("the tenant's page says whether pictures are sent at present", async () => {
  const { merchant } = await newTenant()
  const session = await sessionOf(merchant.id)
  const pageWith = async (changes: object) => {
    const request = new Request('http://service.test/dashboard/tenant', { headers: session })
    const env = { ...bindings, ...changes } as unknown as Env
    return await (await app.fetch(request, env, createExecutionContext())).text()
  }
  const { binding } = standIn(async () => undefined)
  expect(await pageWith({})).toContain('The service does not do that at present.')
  expect(await pageWith({ AI: binding, SECOND_OPINION: 'doubtful' })).toContain('It is in use.')
})
