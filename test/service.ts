import { env, exports } from 'cloudflare:workers'
import { sendJson, type Answer } from './support/api-client.ts'

export const bindings = env as unknown as Env

const origin = 'http://service.test'
const worker = exports as unknown as { default: Fetcher }

export async function raw(method: string, path: string, headers: Record<string, string> = {}, body?: BodyInit) {
  return await worker.default.fetch(origin + path, {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  })
}

export async function call(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: unknown,
): Promise<Answer> {
  return await sendJson((url, init) => worker.default.fetch(url, init), method, origin + path, headers, body)
}

let made = 0

export const password = 'correct horse battery staple'

export async function newMerchant() {
  const email = `merchant-${++made}@example.com`
  // Each merchant comes from an address of its own, so that the limit against guessing leaves tests alone.
  const from = { 'cf-connecting-ip': `198.51.100.${made % 250}` }
  const { body } = await call('POST', '/merchant/sign-up', from, { email, password, name: 'Ann' })
  const signedIn = await call('POST', '/merchant/sign-in', from, { email, password })
  return { id: body.data.id as string, email, bearer: { Authorization: `Bearer ${signedIn.body.data.token}` } }
}

/** A merchant with a tenant and a live key; `auth` are the headers of garment requests. */
export async function newTenant() {
  const merchant = await newMerchant()
  const domain = `shop-${made}.example.com`
  const tenant = await call('POST', '/merchant/tenant', merchant.bearer, { name: 'Shop', domain })
  const key = await call('POST', '/merchant/tenant/api-key', merchant.bearer, { name: 'test' })
  const { id: keyId, api_key: apiKey } = key.body.data as { id: string; api_key: string }
  return {
    merchant,
    domain,
    tenantId: tenant.body.data.id as string,
    keyId,
    apiKey,
    auth: { 'API-KEY': apiKey, DOMAIN: domain },
  }
}
