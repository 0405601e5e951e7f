import { createExecutionContext } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { app } from '../../src/app.ts'
import { bindings, call, newTenant } from '../service.ts'

const token = 'an operator token of thirty-two characters'

/** Calls the service as the operator, with service-wide limits of 2 requests a minute and 1 garment. */
async function callWith(method: string, path: string, headers: Readonly<Record<string, string>>, body?: object) {
  const request = new Request(`http://service.test${path}`, {
    method,
    headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const env = { ...bindings, OPERATOR_TOKEN: token, MAX_GARMENTS: '1' }
  const response = await app.fetch(request, env, createExecutionContext())
  const answer = await response.json<{ data: Record<string, unknown>; error: string[] }>()
  return { ...answer, status: response.status, limit: response.headers.get('RateLimit-Limit') }
}

const setLimits = async (limits: object) =>
  await callWith('PUT', '/operator/tenant', { Authorization: `Bearer ${token}` }, limits)

const none = {
  rate_limit_per_minute: null,
  max_garments: null,
  max_import_lines: null,
  max_row_megabytes: null,
  max_files: null,
  max_file_megabytes: null,
}

it("the operator sets one tenant's rate limit and quotas, and null restores the service-wide ones", async () => {
  const [one, other] = [await newTenant(), await newTenant()]
  const upload = async (tenant: typeof one, uuid: string) => {
    const body = { uuid, image_url: 'http://127.0.0.1:9/x.jpg' }
    const { status, limit } = await callWith('POST', '/garment-tagging/upload', tenant.auth, body)
    return [status, limit]
  }
  const standard = (await upload(one, 'a'))[1]
  expect(await upload(one, 'b')).toEqual([429, standard])

  const { data } = await setLimits({ tenant: one.tenantId, rate_limit_per_minute: 77, max_garments: 3, max_files: 9 })
  expect(data).toEqual({ ...none, tenant: one.tenantId, rate_limit_per_minute: 77, max_garments: 3, max_files: 9 })
  expect([await upload(one, 'b'), await upload(one, 'c'), await upload(one, 'd')]).toEqual([
    [200, '77'],
    [200, '77'],
    [429, '77'],
  ])
  expect([await upload(other, 'a'), await upload(other, 'b')]).toEqual([
    [200, standard],
    [429, standard],
  ])
  const usage = await callWith('GET', '/merchant/tenant/usage', one.merchant.bearer)
  expect(usage.data).toMatchObject({ garments: { used: 3, limit: 3 }, files: { limit: 9 } })

  const restored = await setLimits({ tenant: one.tenantId, rate_limit_per_minute: null, max_garments: null })
  expect(restored.data).toEqual({ ...none, tenant: one.tenantId, max_files: 9 })
  expect(await upload(one, 'd')).toEqual([429, standard])
})

it('an unknown tenant is 404, and a limit below 1 is 400', async () => {
  const { tenantId } = await newTenant()
  expect(await setLimits({ tenant: 'unknown', max_garments: 5 })).toMatchObject({
    status: 404,
    error: ['tenant: there is no tenant with this id'],
  })
  expect(await setLimits({ tenant: tenantId, max_garments: 0 })).toMatchObject({ status: 400 })
  expect((await call('PUT', '/operator/tenant', {}, { tenant: tenantId })).status).toBe(404)
})
