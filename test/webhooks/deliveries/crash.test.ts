import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../../src/platform/db/database.ts'
import { webhookEndpoints } from '../../../src/platform/db/schema.ts'
import { queueGraceMs } from '../../../src/platform/queue/enqueue.ts'
import { leaseMs } from '../../../src/events/delivery-transitions.ts'
import { maxClaims } from '../../../src/webhooks/deliveries/attempt-delivery.ts'
import { bindings } from '../../service.ts'
import { wrapDatabase } from '../../support/wrap-database.ts'
import { db, newScene, sweep } from '../webhook-scene.ts'

/** Ends a run where it is thrown, as the death of the process would. */
class Crash extends Error {}

const crash = () => {
  throw new Crash('the process died')
}

/** The database without the round trips that `fails` names: the call is lost, or its answer. */
function flakyDatabase(fails: (roundTrip: number) => 'before' | 'after' | null): Database {
  let roundTrips = 0
  const binding = wrapDatabase(bindings.DB, async (run) => {
    const failure = fails(++roundTrips)
    if (failure === 'before') throw new Error('D1_ERROR: Network connection lost.')
    const result = await run()
    if (failure === 'after') throw new Error('D1_ERROR: Network connection lost.')
    return result
  })
  return openDatabase(binding)
}

describe('a crash', () => {
  it('between the 2xx and its record repeats the delivery under the same id and records it once', async () => {
    const scene = await newScene()
    const dying = scene.attempt(1, {
      call: async (call, origin) => {
        await scene.deps.call(call, origin)
        return crash()
      },
    })
    await expect(dying).rejects.toThrow(Crash)
    expect(await scene.row()).toMatchObject({ status: 'pending', attemptCount: 0 })

    // Nobody else can claim it before the lease has run out.
    expect(await sweep(scene)).toEqual([])
    await scene.attempt(1)
    expect(await scene.received()).toHaveLength(1)

    scene.clock.now += queueGraceMs
    expect(await sweep(scene)).toEqual([scene.message(1)])
    await scene.attempt(1)
    const requests = await scene.received()
    expect(requests.map(({ headers }) => headers['webhook-id'])).toEqual([scene.deliveryId, scene.deliveryId])
    expect(await scene.row()).toMatchObject({ status: 'delivered', attemptCount: 1 })
    expect(await scene.attempts()).toHaveLength(1)
    expect(await scene.counts()).toEqual({ delivered: 1 })
  })

  it('between the record and the enqueue leaves the retry to the sweep', async () => {
    const scene = await newScene({ query: 'status=500,200' })
    await scene.attempt(1, { queue: { send: crash } as unknown as Queue })
    expect(await scene.row()).toMatchObject({ status: 'pending', attemptCount: 1 })
    expect(scene.sent).toEqual([])

    scene.clock.now += 5000
    expect(await sweep(scene)).toEqual([])
    scene.clock.now += 60_000
    expect(await sweep(scene)).toEqual([scene.message(2)])
    await scene.attempt(2)
    expect(await scene.received()).toHaveLength(2)
    expect(await scene.row()).toMatchObject({ status: 'delivered', attemptCount: 2 })
  })

  it('before the first message is enqueued leaves the delivery to the sweep', async () => {
    const scene = await newScene()
    scene.clock.now += 59_999
    expect(await sweep(scene)).toEqual([])
    scene.clock.now += 1
    expect(await sweep(scene)).toEqual([scene.message(1)])
  })

  it('at every attempt ends the delivery visibly after a limited number of them', async () => {
    const scene = await newScene()
    for (let run = 1; run <= maxClaims; run++) {
      await expect(scene.attempt(1, { call: crash })).rejects.toThrow(Crash)
      scene.clock.now += leaseMs
    }
    await scene.attempt(1)
    expect(await scene.received()).toEqual([])
    expect(await scene.row()).toMatchObject({ status: 'permanently_failed', nextAttemptAt: null, dueAt: null })
    expect((await scene.row())?.lastError).toMatch(/^The service failed repeatedly/)
    expect(await scene.counts()).toEqual({ permanently_failed: 1 })
  })
})

describe('a database that fails', () => {
  it.each(['before', 'after'] as const)('%s the claim does not keep the attempt from being made', async (when) => {
    const scene = await newScene()
    await scene.attempt(1, { db: flakyDatabase((trip) => (trip <= 2 ? when : null)) })
    expect(await scene.received()).toHaveLength(1)
    expect(await scene.row()).toMatchObject({ status: 'delivered', attemptCount: 1 })
  })

  it.each(['before', 'after'] as const)('%s the record makes no duplicate and counts nothing twice', async (when) => {
    const scene = await newScene({ query: 'status=500' })
    await scene.attempt(1, { db: flakyDatabase((trip) => (trip >= 2 && trip <= 6 ? when : null)) })
    expect(await scene.received()).toHaveLength(1)
    expect(await scene.attempts()).toHaveLength(1)
    expect(await scene.row()).toMatchObject({ status: 'pending', attemptCount: 1 })
    expect(scene.sent).toEqual([{ body: scene.message(2), delaySeconds: 5 }])
  })

  it('for a delivery that ends counts it once', async () => {
    const scene = await newScene()
    await scene.attempt(1, { db: flakyDatabase((trip) => (trip >= 2 && trip <= 4 ? 'after' : null)) })
    expect(await scene.counts()).toEqual({ delivered: 1 })
  })

  it('for good leaves the attempt to the sweep', async () => {
    const scene = await newScene()
    await expect(scene.attempt(1, { db: flakyDatabase(() => 'before') })).rejects.toThrow('Network connection lost')
    scene.clock.now += 60_000
    expect(await sweep(scene)).toEqual([scene.message(1)])
  })
})

it('repeated records keep the time since when a receiver fails', async () => {
  const scene = await newScene({ query: 'status=500' })
  await scene.attempt(1, { db: flakyDatabase((trip) => (trip === 2 ? 'after' : null)) })
  const [config] = await db.select().from(webhookEndpoints).where(eq(webhookEndpoints.tenantId, scene.tenantId))
  expect(config?.failingSince).toBe(scene.clock.now)
})
