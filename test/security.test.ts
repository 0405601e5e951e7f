import { beforeAll, describe, expect, it } from 'vitest'
import { app } from '../src/app.ts'
import { newApiKey } from '../src/accounts/api-keys.ts'
import { call, databaseOf, newMerchant, newTenant } from './service.ts'
import { insertGarments } from './support/stored-garment/insert-garments.ts'

const importId = '0b0b0b0b-0000-4000-8000-000000000000'

/** Every route that acts for a tenant, with a request that would succeed or at least find nothing. */
const tenantRoutes = [
  { method: 'POST', path: '/garment-tagging/upload', body: { uuid: 'mine', image_url: 'http://127.0.0.1:9/x.jpg' } },
  { method: 'GET', path: '/garment-tagging/query?uuid=mine', body: undefined },
  { method: 'PATCH', path: '/garment-tagging/garment?uuid=mine', body: { tag: { Colour: 'Black' } } },
  { method: 'DELETE', path: '/garment-tagging/garment?uuid=mine', body: undefined },
  {
    method: 'POST',
    path: '/garment-tagging/pictures?uuid=mine',
    body: { url: 'http://127.0.0.1:9/y.jpg' },
  },
  { method: 'POST', path: '/garment-tagging/numbers', body: { count: 1 } },
  { method: 'POST', path: '/garment-tagging/garment/split?uuid=mine', body: { uuid: 'new', images: ['x'] } },
  { method: 'POST', path: '/garment-tagging/import', body: undefined },
  { method: 'GET', path: `/garment-tagging/import?id=${importId}`, body: undefined },
  { method: 'PUT', path: '/garment-tagging/import', body: { id: importId, paused: true } },
  { method: 'GET', path: '/garment-tagging/taxonomy', body: undefined },
  { method: 'GET', path: '/garment-tagging/garments', body: undefined },
  { method: 'GET', path: '/garment-tagging/export', body: undefined },
  { method: 'PUT', path: '/garment-tagging/webhook/config', body: { enabled: false } },
  { method: 'GET', path: '/garment-tagging/webhook/config', body: undefined },
  { method: 'GET', path: '/garment-tagging/webhook/endpoints', body: undefined },
  { method: 'POST', path: '/garment-tagging/webhook/endpoints', body: { url: 'http://127.0.0.1:9/' } },
  { method: 'GET', path: '/garment-tagging/webhook/endpoints/some-id', body: undefined },
  { method: 'PATCH', path: '/garment-tagging/webhook/endpoints/some-id', body: { enabled: false } },
  { method: 'DELETE', path: '/garment-tagging/webhook/endpoints/some-id', body: undefined },
  { method: 'GET', path: '/garment-tagging/webhook/delivery-status?uuid=mine', body: undefined },
  { method: 'GET', path: '/garment-tagging/webhook/attempts?uuid=mine', body: undefined },
  { method: 'POST', path: '/garment-tagging/webhook/redeliver', body: { uuid: 'mine' } },
  { method: 'GET', path: '/garment-tagging/webhook/redeliver', body: undefined },
  { method: 'POST', path: '/garment-tagging/webhook/test', body: undefined },
]

const merchantRoutes = [
  { method: 'PUT', path: '/merchant/password', body: { password: 'x', new_password: 'long enough' } },
  { method: 'POST', path: '/merchant/sign-out', body: undefined },
  { method: 'DELETE', path: '/merchant', body: undefined },
  { method: 'POST', path: '/merchant/tenant', body: { name: 'x', domain: 'x.example' } },
  { method: 'GET', path: '/merchant/tenant', body: undefined },
  { method: 'PUT', path: '/merchant/tenant', body: { name: 'x' } },
  { method: 'GET', path: '/merchant/tenant/usage', body: undefined },
  { method: 'DELETE', path: '/merchant/tenant', body: undefined },
  { method: 'POST', path: '/merchant/tenant/api-key', body: { name: 'x' } },
  { method: 'GET', path: '/merchant/tenant/api-key', body: undefined },
  { method: 'DELETE', path: '/merchant/tenant/api-key/some-id', body: undefined },
]

const unauthorized = {
  status: false,
  data: {},
  message: 'Unauthorized',
  error: [expect.any(String)],
  code: 'unauthorized',
}

let owner: Awaited<ReturnType<typeof newTenant>>
let stranger: Awaited<ReturnType<typeof newTenant>>
let revoked: string

beforeAll(async () => {
  owner = await newTenant()
  stranger = await newTenant()
  const key = await call('POST', '/merchant/tenant/api-key', owner.merchant.bearer, { name: 'old' })
  revoked = key.body.data.api_key as string
  await call('DELETE', `/merchant/tenant/api-key/${key.body.data.id}`, owner.merchant.bearer)
  const failed = { tenantId: owner.tenantId, uuid: 'mine', status: 'failed', endedAt: null } as const
  await insertGarments(databaseOf(owner.tenantId), 1, () => failed)
})

it('the security tests cover every route below the tenant paths', () => {
  const covered = [...tenantRoutes, ...merchantRoutes].map(({ method, path }) => `${method} ${path.split('?')[0]}`)
  const open = [
    'POST /merchant/sign-up',
    'POST /merchant/sign-in',
    'GET /garment-tagging/annotated/:tenantId/:pictureId',
    'GET /garment-tagging/annotated/:tenantId/:pictureId/thumbnail',
    'GET /garment-tagging/copy/:tenantId/:pictureId',
    'GET /garment-tagging/cutout/:tenantId/:pictureId',
    'GET /garment-tagging/original/:tenantId/:fileId',
    'GET /garment-tagging/upright/:tenantId/:fileId',
  ]
  const mounted = app.routes
    .filter(({ method, path }) => method !== 'ALL' && /^\/(merchant|garment-tagging)/.test(path))
    .map(({ method, path }) => `${method} ${path.replace(':id', 'some-id')}`)
  expect([...new Set(mounted)].filter((route) => !open.includes(route)).sort()).toEqual(covered.sort())
})

describe.each(tenantRoutes)('$method $path', ({ method, path, body }) => {
  it('answers the same 401 to every kind of wrong credential', async () => {
    const wrong: Record<string, Record<string, string>> = {
      nothing: {},
      'no key': { DOMAIN: owner.domain },
      'no domain': { 'API-KEY': owner.apiKey },
      'a mistyped key': { 'API-KEY': `${owner.apiKey.slice(0, -1)}!`, DOMAIN: owner.domain },
      'an unknown key': { 'API-KEY': newApiKey(), DOMAIN: owner.domain },
      'a revoked key': { 'API-KEY': revoked, DOMAIN: owner.domain },
      "another tenant's key": { 'API-KEY': stranger.apiKey, DOMAIN: owner.domain },
      "another tenant's domain": { 'API-KEY': owner.apiKey, DOMAIN: stranger.domain },
      'an unknown domain': { 'API-KEY': owner.apiKey, DOMAIN: 'unknown.example' },
      'an access token': owner.merchant.bearer,
      'a huge domain': { 'API-KEY': owner.apiKey, DOMAIN: 'a'.repeat(5000) },
    }
    const answers = await Promise.all(
      Object.entries(wrong).map(async ([name, headers]) => [name, await call(method, path, headers, body)] as const),
    )
    for (const [name, { status, body: envelope, headers }] of answers) {
      expect([name, status, envelope]).toEqual([name, 401, unauthorized])
      expect(headers.get('ratelimit-limit')).toBe(null)
    }
    expect(new Set(answers.map(([, answer]) => JSON.stringify(answer.body))).size).toBe(1)
  })
})

describe("another tenant's uuid", () => {
  const aboutGarment = tenantRoutes.filter(({ method, path }) => /uuid|redeliver/.test(path) && method !== 'PUT')

  it.each(aboutGarment)('is not found by $method $path', async ({ method, path, body }) => {
    // The gate admits six requests a minute, so each route is asked by a stranger of its own, with valid credentials.
    const { status, body: envelope } = await call(method, path, (await newTenant()).auth, body)
    expect([status, envelope.data]).toEqual([404, {}])
  })

  it('may be used by each tenant for a garment of its own', async () => {
    const { status } = await call('POST', '/garment-tagging/upload', stranger.auth, tenantRoutes[0]?.body)
    expect(status).toBe(200)
    const mine = await call('GET', '/garment-tagging/query?uuid=mine', owner.auth)
    expect(mine.body.data.status).toBe('failed')
  })
})

describe.each(merchantRoutes)('$method $path', ({ method, path, body }) => {
  it('requires an access token, and refuses an API key', async () => {
    for (const headers of [
      {},
      { Authorization: 'Bearer x' },
      { Authorization: `Bearer ${owner.apiKey}` },
      owner.auth,
    ]) {
      const { status, body: envelope } = await call(method, path, headers, body)
      expect([status, envelope.message]).toEqual([401, 'Invalid or expired token'])
    }
  })
})

it("a merchant sees nothing of another's tenant", async () => {
  const { bearer } = await newMerchant()
  expect((await call('GET', '/merchant/tenant', bearer)).status).toBe(404)
  expect((await call('GET', '/merchant/tenant/api-key', bearer)).status).toBe(404)
  expect((await call('PUT', '/merchant/tenant', bearer, { name: 'x' })).status).toBe(404)
  expect((await call('DELETE', '/merchant/tenant', bearer)).status).toBe(404)
  expect((await call('DELETE', `/merchant/tenant/api-key/${owner.keyId}`, stranger.merchant.bearer)).status).toBe(404)
})
