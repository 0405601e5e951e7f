import { and, eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { type Database, openDatabase } from '../../../src/platform/db/database.ts'
import { deliveries, webhookEndpoints } from '../../../src/platform/db/schema.ts'
import { dayMs } from '../../../src/time.ts'
import { disableFailing } from '../../../src/webhooks/deliveries/attempt-delivery.ts'
import { continueEndings } from '../../../src/events/end-deliveries.ts'
import { getEndpointRow } from '../../../src/webhooks/endpoints/endpoint.ts'
import { changeEndpoint, putConfig } from '../../../src/webhooks/endpoints/change-endpoint.ts'
import { bindings, someone } from '../../service.ts'
import { wrapDatabase } from '../../support/wrap-database.ts'
import { db, insertDeliveries, keys, localPolicy, newScene, startMs } from '../webhook-scene.ts'

/** A database that is gone after some round trips, as for an isolate that dies. */
function failAfter(trips: number) {
  let made = 0
  const around = async <T>(run: () => Promise<T>) => {
    if (++made > trips) throw new Error('The isolate died')
    return await run()
  }
  return openDatabase(wrapDatabase(bindings.DB, around))
}

const depsOf = (database: Database) => ({ db: database, keys, policy: localPolicy })

const off = { enabled: false, url: '', secret: '', headers: {} }
const nowMs = startMs + 1000

it.each([
  [
    'a PUT',
    2,
    async (database: Database, id: string) => await putConfig(depsOf(database), id, off, nowMs, { by: someone }),
  ],
  [
    'a PATCH',
    3,
    async (database: Database, id: string) =>
      await changeEndpoint(depsOf(database), id, 'first', { enabled: false }, nowMs, someone),
  ],
  [
    'the service itself',
    1,
    async (database: Database, tenantId: string) =>
      await disableFailing(database, await getEndpointRow(db, tenantId, 'first'), startMs - 6 * dayMs, nowMs),
  ],
])('pending deliveries end in the sweep if %s was interrupted after switching off', async (_, trips, switchOff) => {
  const { tenantId, config } = await newScene()
  await insertDeliveries(tenantId, 3)
  const failingSince = startMs - 6 * dayMs
  await db.update(webhookEndpoints).set({ failingSince }).where(eq(webhookEndpoints.tenantId, tenantId))
  await expect(switchOff(failAfter(trips), tenantId)).rejects.toThrow('range_redeliveries')
  expect((await config())?.enabled).toBe(false)
  await continueEndings(db, nowMs + 1000)
  const pending = and(eq(deliveries.tenantId, tenantId), eq(deliveries.status, 'pending'))
  expect(await db.$count(deliveries, pending)).toBe(0)
})
