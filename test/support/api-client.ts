import { createClient as createTypedClient } from '../../src/client/create-client.ts'

/** A response of the API. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: {
    readonly status: boolean
    // oxlint-disable-next-line typescript/no-explicit-any
    readonly data: any
    readonly error: string[]
    readonly message: string
    /** Only in failures. */
    readonly code?: string
  }
}

type Send = (url: string, init: RequestInit) => Promise<Response>

/** Sends a request with an optional JSON body. `send` is `fetch`, or the Worker's own `fetch` inside workerd. */
export async function sendJson(
  send: Send,
  method: string,
  url: string,
  headers: Readonly<Record<string, string>> = {},
  body?: unknown,
): Promise<Answer> {
  const json: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' }
  const response = await send(url, {
    method,
    headers: { ...json, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

export type Client = ReturnType<typeof createClient>

/** Calls a running service over HTTP, from outside workerd. */
export function createClient(url: string, headers: Readonly<Record<string, string>> = {}) {
  const call = async (method: string, path: string, body?: unknown) =>
    await sendJson(fetch, method, url + path, headers, body)

  /** Like `call`, but throws unless the answer is a success. */
  async function expectSuccess(method: string, path: string, body?: unknown) {
    const answer = await call(method, path, body)
    if (!answer.body.status)
      throw new Error(
        `${method} ${path}: HTTP ${answer.status}: ${answer.body.message}: ${answer.body.error.join(' ')}`,
      )
    return answer.body.data
  }

  return {
    call,
    expectSuccess,
    with: (more: Readonly<Record<string, string>>) => createClient(url, { ...headers, ...more }),
  }
}

/**
 * Signs a new merchant up and in, and creates a tenant with a key. `client` may do all of it; `tenant` and `merchant`
 * send any request with the headers of garment requests or those of the account. `issueToken` replaces the sign-in.
 */
export async function createMerchant(url: string, name: string, issueToken?: (merchantId: string) => Promise<string>) {
  const id = `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-${crypto.randomUUID().slice(0, 8)}`
  const credentials = { email: `${id}@example.com`, password: crypto.randomUUID() }
  const anyone = createTypedClient({ url })
  const { id: merchantId } = await anyone.signUp({ ...credentials, name, company: `${name} Ltd` })
  const token = issueToken === undefined ? (await anyone.signIn(credentials)).token : await issueToken(merchantId)
  const owner = createTypedClient({ url, token })
  const domain = `${id}.example.com`
  await owner.createTenant({ name, domain })
  const { api_key: apiKey } = await owner.createApiKey({ name: 'first' })
  return {
    merchantId,
    credentials,
    domain,
    apiKey,
    client: createTypedClient({ url, token, apiKey, domain }),
    merchant: createClient(url, { Authorization: `Bearer ${token}` }),
    tenant: createClient(url, { 'API-KEY': apiKey, DOMAIN: domain }),
  }
}
