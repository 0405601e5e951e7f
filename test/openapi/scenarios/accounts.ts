import { newApiKey } from '../../../src/accounts/api-keys.ts'
import { openDatabase } from '../../../src/platform/db/database.ts'
import { apiKeys } from '../../../src/platform/db/schema.ts'
import { bindings, call, fillThrottle, newMember, newMerchant, newTenant, password } from '../../service.ts'
import { insertGarment } from '../../garments/review/complete-garment.ts'
import { scenario, type RequestParts, type Scenario } from '../exchange.ts'

const bearerOf = async (): Promise<RequestParts> => ({ headers: (await newMerchant()).bearer })
const tenantBearer = async (): Promise<RequestParts> => ({ headers: (await newTenant()).merchant.bearer })

const memberBearer = async (role: 'editor' | 'reviewer'): Promise<RequestParts> => ({
  headers: (await newMember((await newMerchant()).id, role)).bearer,
})

const newAccount = () => ({ email: `${crypto.randomUUID()}@example.com`, password, name: 'Ann' })

/** Uses up the attempts of a client address and returns it. */
async function busyAddress(prefix: string, suffix: string, limit: number) {
  const address = crypto.randomUUID()
  await fillThrottle(`${prefix}:${address}${suffix}`, limit)
  return { 'cf-connecting-ip': address }
}

const accounts: Scenario[] = [
  scenario('POST /merchant/sign-up', 200, async () => ({ body: newAccount() })),
  scenario('POST /merchant/sign-up', 400, async () => ({
    body: { ...newAccount(), email: (await newMerchant()).email },
  })),
  scenario('POST /merchant/sign-up', 403, async () => ({ body: newAccount(), env: { SIGN_UP: 'closed' } })),
  scenario('POST /merchant/sign-up', 429, async () => ({
    headers: await busyAddress('sign-up', '', 300),
    body: newAccount(),
  })),
  scenario('POST /merchant/sign-in', 200, async () => ({ body: { email: (await newMerchant()).email, password } })),
  scenario('POST /merchant/sign-in', 401, async () => ({ body: { email: 'nobody@example.com', password } })),
  scenario('POST /merchant/sign-in', 429, async () => {
    const { email } = await newMerchant()
    return { headers: await busyAddress('sign-in', `:${email}`, 20), body: { email, password } }
  }),
  scenario('PUT /merchant/password', 200, async () => ({
    ...(await bearerOf()),
    body: { password, new_password: 'another long password' },
  })),
  scenario('PUT /merchant/password', 400, async () => ({
    ...(await bearerOf()),
    body: { password: 'wrong', new_password: 'another long password' },
  })),
  scenario('PUT /merchant/password', 429, async () => {
    const { bearer, email } = await newMerchant()
    const headers = { ...bearer, ...(await busyAddress('sign-in', `:${email}`, 20)) }
    return { headers, body: { password, new_password: 'another long password' } }
  }),
  scenario('POST /merchant/sign-out', 200, bearerOf),
  scenario('DELETE /merchant', 200, bearerOf),
  scenario('DELETE /merchant', 409, tenantBearer),
  scenario('DELETE /merchant', 403, async () => await memberBearer('editor')),
]

const tenants: Scenario[] = [
  scenario('POST /merchant/tenant', 200, async () => ({
    ...(await bearerOf()),
    body: { name: 'Ann', domain: `${crypto.randomUUID()}.example` },
  })),
  scenario('POST /merchant/tenant', 400, async () => {
    const { domain } = await newTenant()
    return { ...(await bearerOf()), body: { name: 'Ann', domain } }
  }),
  scenario('POST /merchant/tenant', 409, async () => ({
    ...(await tenantBearer()),
    body: { name: 'Ann', domain: `${crypto.randomUUID()}.example` },
  })),
  scenario('POST /merchant/tenant', 403, async () => ({
    ...(await memberBearer('editor')),
    body: { name: 'Ann', domain: `${crypto.randomUUID()}.example` },
  })),
  scenario('GET /merchant/tenant/usage', 403, async () => await memberBearer('reviewer')),
  scenario('DELETE /merchant/tenant', 403, async () => await memberBearer('editor')),
  scenario('GET /merchant/tenant', 200, tenantBearer),
  scenario('GET /merchant/tenant', 404, bearerOf),
  scenario('PUT /merchant/tenant', 200, async () => ({ ...(await tenantBearer()), body: { description: 'Dresses' } })),
  scenario('PUT /merchant/tenant', 404, async () => ({ ...(await bearerOf()), body: { name: 'x' } })),
  scenario('PUT /merchant/tenant', 403, async () => ({ ...(await memberBearer('editor')), body: { name: 'x' } })),
  scenario('GET /merchant/tenant/usage', 200, tenantBearer),
  scenario('GET /merchant/tenant/usage', 404, bearerOf),
  scenario('DELETE /merchant/tenant', 200, tenantBearer),
  scenario('DELETE /merchant/tenant', 404, bearerOf),
  scenario('DELETE /merchant/tenant', 409, async () => {
    const { merchant, tenantId } = await newTenant()
    await insertGarment(tenantId, 'mine', { status: 'queuing', dueAt: Date.now(), endedAt: null })
    return { headers: merchant.bearer }
  }),
  scenario('DELETE /merchant/tenant', 429, async () => {
    const { merchant } = await newTenant()
    await fillThrottle(`tenant-deletions:${merchant.id}`, 60)
    return { headers: merchant.bearer }
  }),
]

const keys: Scenario[] = [
  scenario('POST /merchant/tenant/api-key', 403, async () => ({
    ...(await memberBearer('editor')),
    body: { name: 'shop' },
  })),
  scenario('GET /merchant/tenant/api-key', 403, async () => await memberBearer('editor')),
  scenario('DELETE /merchant/tenant/api-key/{id}', 403, async () => ({
    ...(await memberBearer('editor')),
    path: '/merchant/tenant/api-key/unknown',
  })),
  scenario('POST /merchant/tenant/api-key', 200, async () => ({ ...(await tenantBearer()), body: { name: 'shop' } })),
  scenario('POST /merchant/tenant/api-key', 404, async () => ({ ...(await bearerOf()), body: { name: 'shop' } })),
  scenario('POST /merchant/tenant/api-key', 409, async () => {
    const { merchant, tenantId } = await newTenant()
    const row = () => ({ id: crypto.randomUUID(), tenantId, name: 'x', prefix: 'x', hash: newApiKey(), createdAt: 1 })
    const more = Array.from({ length: 19 }, row)
    for (const key of more) await openDatabase(bindings.DB).insert(apiKeys).values(key)
    return { headers: merchant.bearer, body: { name: 'one too many' } }
  }),
  scenario('GET /merchant/tenant/api-key', 200, async () => {
    const { merchant, auth } = await newTenant()
    await call('GET', '/garment-tagging/webhook/config', auth)
    return { headers: merchant.bearer }
  }),
  scenario('GET /merchant/tenant/api-key', 404, bearerOf),
  scenario('DELETE /merchant/tenant/api-key/{id}', 200, async () => {
    const { merchant, keyId } = await newTenant()
    return { headers: merchant.bearer, path: `/merchant/tenant/api-key/${keyId}` }
  }),
  scenario('DELETE /merchant/tenant/api-key/{id}', 404, async () => ({
    ...(await tenantBearer()),
    path: '/merchant/tenant/api-key/unknown',
  })),
  scenario('DELETE /merchant/tenant/api-key/{id}', 404, async () => ({
    ...(await bearerOf()),
    path: '/merchant/tenant/api-key/unknown',
  })),
]

export const accountScenarios = [...accounts, ...tenants, ...keys]
