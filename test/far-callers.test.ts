import { createExecutionContext } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { app } from '../src/app.ts'
import { replaceMethods, wrapDatabase } from './support/wrap-database.ts'
import { bindings, newMerchant, newTenant, password, replaceDatabases } from './service.ts'

const farTripMs = 80

/** The bindings, each call to which takes 80 ms. `trips` counts calls one after another; calls at once are one trip. */
function farBindings() {
  const state = { trips: 0 }
  let ongoing: Promise<void> | undefined
  const travel = async () => {
    ongoing ??= scheduler.wait(farTripMs).then(() => {
      state.trips++
      ongoing = undefined
    })
    await ongoing
  }
  const farObject = (stub: object) =>
    new Proxy(stub, {
      get:
        (target, method) =>
        async (...args: unknown[]) => {
          await travel()
          return await (Reflect.get(target, method) as (...args: unknown[]) => Promise<unknown>)(...args)
        },
    })
  const farNamespace = <T extends Rpc.DurableObjectBranded | undefined>(namespace: DurableObjectNamespace<T>) =>
    replaceMethods(namespace, { getByName: (name: string) => farObject(namespace.getByName(name)) })
  const env: Env = {
    ...bindings,
    GATE: farNamespace(bindings.GATE),
    THROTTLE: farNamespace(bindings.THROTTLE),
    TAGGING_QUEUE: replaceMethods(bindings.TAGGING_QUEUE, { send: travel }),
    ...replaceDatabases((database) => wrapDatabase(database, async (run) => (await travel(), await run()))),
  }
  return { env, state }
}

async function tripsOf(method: string, path: string, headers: Record<string, string>, body?: object): Promise<number> {
  const { env, state } = farBindings()
  const json = body === undefined ? {} : { 'Content-Type': 'application/json' }
  const init = {
    method,
    headers: { ...headers, ...json },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
  const response = await app.fetch(new Request(`http://s.test${path}`, init), env, createExecutionContext())
  const { trips } = state
  expect([method, path, response.status, await response.json()]).toMatchObject([method, path, 200, { status: true }])
  return trips
}

it('each endpoint makes as few trips one after another as docs/operations/databases.md says', async () => {
  const { merchant, auth, keyId } = await newTenant()
  const newcomer = await newMerchant()
  const credentials = { email: merchant.email, password }
  const garment = { uuid: 'g', image_url: 'http://127.0.0.1:9/x.jpg' }
  const key = '/merchant/tenant/api-key'
  const trips = {
    upload: await tripsOf('POST', '/garment-tagging/upload', auth, garment),
    query: await tripsOf('GET', '/garment-tagging/query?uuid=g', auth),
    'webhook configuration': await tripsOf('GET', '/garment-tagging/webhook/config', auth),
    'sign-up': await tripsOf(
      'POST',
      '/merchant/sign-up',
      {},
      { ...credentials, email: 'far@example.com', name: 'Far' },
    ),
    'sign-in': await tripsOf('POST', '/merchant/sign-in', {}, credentials),
    'tenant creation': await tripsOf('POST', '/merchant/tenant', newcomer.bearer, {
      name: 'Far',
      domain: 'far.example',
    }),
    tenant: await tripsOf('GET', '/merchant/tenant', merchant.bearer),
    'key creation': await tripsOf('POST', key, merchant.bearer, { name: 'far' }),
    'key list': await tripsOf('GET', key, merchant.bearer),
    'key revocation': await tripsOf('DELETE', `${key}/${keyId}`, merchant.bearer),
    'tenant deletion': await tripsOf('DELETE', '/merchant/tenant', newcomer.bearer),
  }
  expect(trips).toEqual({
    upload: 2,
    query: 2,
    'webhook configuration': 2,
    'sign-up': 2,
    'sign-in': 4,
    'tenant creation': 5,
    tenant: 1,
    'key creation': 3,
    'key list': 2,
    'key revocation': 4,
    'tenant deletion': 5,
  })
})
