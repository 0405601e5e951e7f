import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../../src/platform/db/database.ts'
import { byKey } from '../../../src/accounts/audit.ts'
import { changeEndpoint, createEndpoint, deleteEndpoint } from '../../../src/webhooks/endpoints/change-endpoint.ts'
import { listEndpoints } from '../../../src/webhooks/endpoints/endpoint.ts'
import { type EndpointPatch, endpointRequest } from '../../../src/webhooks/webhook-fields.ts'
import { call, databaseOf, newTenant, someone } from '../../service.ts'
import { wrapDatabase } from '../../support/wrap-database.ts'
import { startMs } from '../webhook-scene.ts'
import { deps } from './scene.ts'

const path = '/garment-tagging/webhook/endpoints'
const url = 'https://example.com/hooks'
const key = byKey('k')

/** A tenant with its first endpoint and one that an owner has added, with these events. */
async function newOwner(events: readonly string[] = ['api_key.created', 'garment.deleted']) {
  const { tenantId, auth } = await newTenant()
  const own = { ...deps, db: databaseOf(tenantId) }
  const add = async (changes: object) =>
    await createEndpoint(own, tenantId, endpointRequest.parse({ url, ...changes }), startMs, someone)
  await add({})
  const id = await add({ events })
  const stored = async () => (await listEndpoints(own.db, tenantId, deps.keys)).find((each) => each.id === id)
  const change = async (patch: EndpointPatch) => await changeEndpoint(own, tenantId, id, patch, startMs, someone)
  return { tenantId, auth, id, own, stored, change }
}

type Owner = Awaited<ReturnType<typeof newOwner>>

describe('events of the account', () => {
  it('are given to no endpoint by an API key, so that it adds and changes none that has them', async () => {
    const { auth, id, stored } = await newOwner(['tagging.completed'])
    const added = await call('POST', path, auth, { url, events: ['tagging.completed', 'endpoint.failing'] })
    expect(added).toMatchObject({ status: 403, body: { code: 'account_events' } })
    const changed = await call('PATCH', `${path}/${id}`, auth, { events: ['quota.nearly_reached'] })
    expect(changed).toMatchObject({ status: 403, body: { code: 'account_events' } })
    expect(await stored()).toMatchObject({ events: ['tagging.completed'] })
  })

  it('are silenced by no API key: an endpoint that has them is changed and deleted by owners only', async () => {
    const { auth, id, stored } = await newOwner()
    const before = await stored()
    for (const patch of [{ enabled: false }, { events: ['garment.deleted'] }])
      expect((await call('PATCH', `${path}/${id}`, auth, patch)).status).toBe(403)
    expect((await call('PATCH', `${path}/${id}`, auth, { expires_in: 60 })).status).toBe(403)
    expect((await call('DELETE', `${path}/${id}`, auth)).status).toBe(403)
    expect(await stored()).toEqual(before)
    expect((await call('GET', `${path}/${id}`, auth)).status).toBe(200)
  })

  it('are never those of the first endpoint, which an API key can always change', async () => {
    const { auth, own, tenantId } = await newOwner()
    const refused = { problems: [expect.stringContaining('first endpoint')] }
    const events = endpointRequest.parse({ url, events: ['api_key.created'] })
    await expect(
      changeEndpoint(own, tenantId, 'first', { events: events.events }, startMs, someone),
    ).rejects.toMatchObject(refused)
    const other = await newTenant()
    const ofOther = { ...deps, db: databaseOf(other.tenantId) }
    await expect(createEndpoint(ofOther, other.tenantId, events, startMs, someone)).rejects.toMatchObject(refused)
    expect((await call('PUT', '/garment-tagging/webhook/config', auth, { enabled: false, url })).status).toBe(200)
  })

  it.each([
    ['deletes', async (own: Owner['own'], { tenantId, id }: Owner) => await deleteEndpoint(own, tenantId, id, 1, key)],
    [
      'extends',
      async (own: Owner['own'], { tenantId, id }: Owner) =>
        await changeEndpoint(own, tenantId, id, { expires_in: 60 }, startMs, key),
    ],
  ])('that an owner asks for while an API key %s the endpoint protect it', async (_name, act) => {
    const owner = await newOwner(['garment.deleted'])
    let trips = 0
    const db = openDatabase(
      wrapDatabase(owner.own.db.$client, async (run) => {
        // Between the reading of the endpoint and its change.
        if (++trips === 2) await owner.change({ events: ['api_key.created'] })
        return await run()
      }),
    )
    await expect(act({ ...owner.own, db }, owner)).rejects.toMatchObject({ code: 'account_events' })
    const stored = await owner.stored()
    expect(stored).toMatchObject({ url, enabled: true, events: ['api_key.created'] })
    expect(stored).not.toHaveProperty('expires_at')
  })
})
