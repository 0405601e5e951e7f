import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../../src/platform/db/database.ts'
import { isEndpoint } from '../../../src/events/delivery.ts'
import { webhookEndpoints } from '../../../src/platform/db/schema.ts'
import { dayMs } from '../../../src/time.ts'
import { disableFailing } from '../../../src/webhooks/deliveries/attempt-delivery.ts'
import { changeEndpoint, createEndpoint } from '../../../src/webhooks/endpoints/change-endpoint.ts'
import { type EndpointPatch, endpointRequest } from '../../../src/webhooks/webhook-fields.ts'
import { getEndpointRow, listEndpoints } from '../../../src/webhooks/endpoints/endpoint.ts'
import { databaseOf, newTenant, someone } from '../../service.ts'
import { replaceMethods } from '../../support/wrap-database.ts'
import { keys, startMs } from '../webhook-scene.ts'
import { deps } from './scene.ts'

const depsOf = (tenantId: string) => ({ ...deps, db: databaseOf(tenantId) })

const add = async (tenantId: string, changes: object = {}) => {
  const endpoint = endpointRequest.parse({ url: 'https://example.com/hooks', ...changes })
  return await createEndpoint(depsOf(tenantId), tenantId, endpoint, startMs, someone)
}

type Change = (changes: EndpointPatch) => Promise<void>

/** Changes an endpoint, but that `between` runs before each of the first `times` batches. */
async function changeAfter(
  tenantId: string,
  id: string,
  changes: EndpointPatch,
  times: number,
  between: () => Promise<void>,
) {
  const { $client } = databaseOf(tenantId)
  let batches = 0
  const batch = async (statements: D1PreparedStatement[]) => {
    if (++batches <= times) await between()
    return await $client.batch(statements)
  }
  const db = openDatabase(replaceMethods($client, { batch }))
  await changeEndpoint({ ...deps, db }, tenantId, id, changes, startMs, someone)
}

describe('the endpoints of a tenant', () => {
  it.each([
    ['a secret', async (change: Change) => await change({ secret: 'new' }), { secret: 'new' }],
    [
      'an expiry',
      async (change: Change) => await change({ expires_in: 60 }),
      { expires_at: '2026-11-21T12:01:00.000Z' },
    ],
    [
      'that the service disabled it',
      async (_: Change, tenantId: string, id: string) => {
        const failingSince = startMs - 6 * dayMs
        await databaseOf(tenantId).update(webhookEndpoints).set({ failingSince }).where(isEndpoint(tenantId, id))
        const endpoint = await getEndpointRow(databaseOf(tenantId), tenantId, id)
        await disableFailing(databaseOf(tenantId), endpoint, failingSince, startMs)
      },
      { enabled: false, disabled_reason: expect.any(String) },
    ],
  ])('keep %s that was stored while they were changed', async (_, between, kept) => {
    const { tenantId } = await newTenant()
    await add(tenantId)
    const id = await add(tenantId, { secret: 'old' })
    const change = async (changes: EndpointPatch) =>
      await changeEndpoint(depsOf(tenantId), tenantId, id, changes, startMs, someone)
    await changeAfter(tenantId, id, { description: 'Search' }, 1, async () => await between(change, tenantId, id))
    expect((await listEndpoints(databaseOf(tenantId), tenantId, keys))[1]).toMatchObject({
      description: 'Search',
      ...kept,
    })
  })

  it('answer a change with 503 if others come between again and again', async () => {
    const { tenantId } = await newTenant()
    const id = await add(tenantId)
    const between = async () =>
      await changeEndpoint(depsOf(tenantId), tenantId, id, { description: 'b' }, startMs, someone)
    const change = changeAfter(tenantId, id, { description: 'a' }, 5, between)
    await expect(change).rejects.toMatchObject({ status: 503, code: 'overloaded' })
    expect((await listEndpoints(databaseOf(tenantId), tenantId, keys))[0]?.description).toBe('b')
  })
})
