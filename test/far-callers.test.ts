import { createExecutionContext } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import { app } from '../src/app.ts'
import { databaseNumberOf } from '../src/platform/db/databases.ts'
import { sessionOf } from './dashboard/session-of.ts'
import { insertGarment } from './garments/review/complete-garment.ts'
import { distantDatabase } from './support/distant-database.ts'
import { bindings, call, databaseOf, newMember, newMerchant, newTenant, password, replaceDatabases } from './service.ts'

let trips = 0

/** In the tests, the copy of a database is another one, so that it never catches up by itself. */
const { DB2, DB3 } = bindings as Env & { readonly DB2: D1Database; readonly DB3: D1Database }
const copyOf = (database: D1Database) => (database === DB2 ? DB3 : DB2)
const env = {
  ...bindings,
  ...replaceDatabases((database) => distantDatabase(database, copyOf(database), () => trips++)),
}

async function send(method: string, path: string, headers: Record<string, string>, body?: object) {
  const json = body === undefined || body instanceof URLSearchParams ? {} : { 'Content-Type': 'application/json' }
  const init = {
    method,
    headers: { ...headers, ...json, Origin: 'http://s.test' },
    ...(body === undefined ? {} : { body: body instanceof URLSearchParams ? body : JSON.stringify(body) }),
  }
  return await app.fetch(new Request(`http://s.test${path}`, init), env, createExecutionContext())
}

/** The trips to the primary of a request that succeeds. */
async function tripsOf(...request: Parameters<typeof send>): Promise<number> {
  trips = 0
  const response = await send(...request)
  const { status } = response
  await response.text()
  expect([request[1], status]).toEqual([request[1], status === 303 ? 303 : 200])
  return trips
}

const cookieOf = (response: Response) => {
  const cookies = response.headers.getSetCookie().filter((cookie) => cookie.startsWith('session='))
  return { Cookie: cookies.at(-1)?.split(';')[0] ?? '' }
}

/** A tenant whose gate knows its keys, and where the copy of its database can be reached. */
async function newShop() {
  const tenant = await newTenant()
  await call('GET', '/garment-tagging/webhook/config', tenant.auth)
  const copy = copyOf(
    databaseNumberOf(tenant.tenantId) === 1 ? bindings.DB : databaseNumberOf(tenant.tenantId) === 2 ? DB2 : DB3,
  )
  return { ...tenant, copy, session: await sessionOf(tenant.merchant.id) }
}

type Shop = Awaited<ReturnType<typeof newShop>>

/** Stores a garment in both the tenant's database and its copy. */
async function storeInBoth({ tenantId, copy }: Shop, uuid: string) {
  await insertGarment(tenantId, uuid)
  const { results } = await databaseOf(tenantId)
    .$client.prepare('SELECT * FROM garments WHERE tenant_id = ? AND uuid = ?')
    .bind(tenantId, uuid)
    .all()
  const row = results[0] ?? {}
  const names = Object.keys(row)
  await copy
    .prepare(`INSERT INTO garments (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`)
    .bind(...Object.values(row))
    .run()
}

const query = async (shop: Shop, uuid: string) => {
  const response = await send('GET', `/garment-tagging/query?uuid=${uuid}`, shop.auth)
  const { data } = await response.json<{ data: { status?: string; tag?: Record<string, string> } }>()
  return { status: response.status, from: response.headers.get('server-timing'), garment: data }
}

it('each request makes as few trips to the primary as docs/operations/databases.md says', async () => {
  const shop = await newShop()
  const { merchant, auth, keyId, session } = shop
  const newcomer = await newMerchant()
  const credentials = { email: merchant.email, password }
  const image_url = 'http://127.0.0.1:9/x.jpg'
  await storeInBoth(shop, 'finished')
  await insertGarment(shop.tenantId, 'unfinished', { status: 'queuing', result: null })
  const key = '/merchant/tenant/api-key'
  const made = {
    upload: await tripsOf('POST', '/garment-tagging/upload', auth, { uuid: 'g', image_url }),
    'query of a finished garment': await tripsOf('GET', '/garment-tagging/query?uuid=finished', auth),
    'query of another garment': await tripsOf('GET', '/garment-tagging/query?uuid=unfinished', auth),
    correction: await tripsOf('PATCH', '/garment-tagging/garment?uuid=finished', auth, { tag: { Colour: 'Red' } }),
    'sign-up': await tripsOf(
      'POST',
      '/merchant/sign-up',
      {},
      { ...credentials, email: 'far@example.com', name: 'Far' },
    ),
    'sign-in': await tripsOf('POST', '/merchant/sign-in', {}, credentials),
    'sign-in to the dashboard': await tripsOf('POST', '/dashboard/sign-in', {}, new URLSearchParams(credentials)),
    'tenant creation': await tripsOf('POST', '/merchant/tenant', newcomer.bearer, {
      name: 'Far',
      domain: 'far.example',
    }),
    tenant: await tripsOf('GET', '/merchant/tenant', merchant.bearer),
    'key creation': await tripsOf('POST', key, merchant.bearer, { name: 'far' }),
    'key list': await tripsOf('GET', key, merchant.bearer),
    'key revocation': await tripsOf('DELETE', `${key}/${keyId}`, merchant.bearer),
    'tenant deletion': await tripsOf('DELETE', '/merchant/tenant', newcomer.bearer),
    'upload in the dashboard': await tripsOf(
      'POST',
      '/dashboard/upload',
      session,
      new URLSearchParams({ uuid: 'd', image_url }),
    ),
  }
  expect(made).toEqual({
    upload: 1,
    'query of a finished garment': 0,
    'query of another garment': 1,
    correction: 2,
    'sign-up': 1,
    'sign-in': 2,
    'sign-in to the dashboard': 2,
    'tenant creation': 4,
    tenant: 1,
    'key creation': 2,
    'key list': 2,
    'key revocation': 2,
    'tenant deletion': 4,
    'upload in the dashboard': 2,
  })
})

describe('a page of the dashboard', () => {
  const paths = [
    '/dashboard',
    '/dashboard/garments',
    '/dashboard/garment?uuid=finished',
    '/dashboard/review',
    '/dashboard/accuracy',
    '/dashboard/export',
    '/dashboard/upload',
    '/dashboard/webhook',
    '/dashboard/deliveries',
    '/dashboard/imports',
    '/dashboard/keys',
    '/dashboard/build',
    '/dashboard/usage',
    '/dashboard/tenant',
    '/dashboard/team',
    '/dashboard/audit',
    '/dashboard/account',
  ]
  let shop: Shop

  beforeAll(async () => {
    shop = await newShop()
    await storeInBoth(shop, 'finished')
  })

  it.each(paths)('at %s makes one trip to the primary', async (path) => {
    expect(await tripsOf('GET', path, shop.session)).toBe(1)
  })

  it('has whatever is in the accounts, although the copy lags behind', async () => {
    const { email } = await newMember(shop.merchant.id, 'editor')
    expect(await (await send('GET', '/dashboard/team', shop.session)).text()).toContain(email)
  })

  it('shows at once what the same browser has changed, and other changes later', async () => {
    const change = new URLSearchParams({ uuid: 'fresh', image_url: 'http://127.0.0.1:9/x.jpg' })
    const uploaded = await send('POST', '/dashboard/upload', shop.session, change)
    const pageFor = async (session: Record<string, string>) =>
      (await send('GET', '/dashboard/garment?uuid=fresh', session)).status
    expect([uploaded.status, await pageFor(cookieOf(uploaded))]).toEqual([303, 200])
    expect(await pageFor(shop.session)).toBe(404)
  })
})

describe('a query', () => {
  it('reads the nearest copy if the garment is complete there, else the primary', async () => {
    const shop = await newShop()
    await storeInBoth(shop, 'g')
    expect(await query(shop, 'g')).toMatchObject({ status: 200, from: 'db;desc="replica"' })
    const runInCopy = async (sql: string) =>
      await shop.copy.prepare(`${sql} WHERE tenant_id = ?`).bind(shop.tenantId).run()
    await runInCopy("UPDATE garments SET status = 'processing'")
    const fromPrimary = { from: 'db;desc="primary"', garment: { status: 'complete' } }
    expect(await query(shop, 'g')).toMatchObject(fromPrimary)
    await runInCopy('DELETE FROM garments')
    expect(await query(shop, 'g')).toMatchObject(fromPrimary)
    expect(await query(shop, 'none')).toMatchObject({ status: 404 })
  })

  it('has what was changed or removed by the API before, although the copy lags behind', async () => {
    const shop = await newShop()
    for (const uuid of ['changed', 'removed']) await storeInBoth(shop, uuid)
    expect(await query(shop, 'changed')).toMatchObject({ garment: { tag: { Colour: 'Navy' } } })
    const path = '/garment-tagging/garment?uuid='
    expect((await send('PATCH', `${path}changed`, shop.auth, { tag: { Colour: 'Red' } })).status).toBe(200)
    expect(await query(shop, 'changed')).toMatchObject({
      from: 'db;desc="replica"',
      garment: { tag: { Colour: 'Red' } },
    })
    expect((await send('DELETE', `${path}removed`, shop.auth)).status).toBe(200)
    expect(await query(shop, 'removed')).toMatchObject({ status: 404 })
  })
})
