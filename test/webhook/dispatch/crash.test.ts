import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { webhookConfigs } from '../../../src/db/schema.ts'
import { openDatabase, type Database } from '../../../src/db/client.ts'
import { leaseMs, maxClaims } from '../../../src/webhook/delivery/claim-attempt.ts'
import { bindings } from '../../service.ts'
import { db, newScene, sweep } from '../scene.ts'

/** Ends a run where it is thrown, as the death of the process would. */
class Crash extends Error {}

const crash = () => {
  throw new Crash('the process died')
}

/** The database, where the batches of which `fails` says so are lost: before they are carried out, or their answer. */
function flakyDatabase(fails: (batchNumber: number) => 'before' | 'after' | null): Database {
  let batches = 0
  const binding = new Proxy(bindings.DB, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property)
      if (property !== 'batch') return typeof value === 'function' ? value.bind(target) : value
      return async (statements: D1PreparedStatement[]) => {
        const failure = fails(++batches)
        if (failure === 'before') throw new Error('D1_ERROR: Network connection lost.')
        const results = await target.batch(statements)
        if (failure === 'after') throw new Error('D1_ERROR: Network connection lost.')
        return results
      }
    },
  })
  return openDatabase(binding)
}

describe('a crash', () => {
  it('after the 2xx and before the note has it sent again, under the same id, and noted once', async () => {
    const scene = await newScene()
    const dying = scene.attempt(1, {
      call: async (call, origin) => {
        await scene.tools.call(call, origin)
        return crash()
      },
    })
    await expect(dying).rejects.toThrow(Crash)
    expect(await scene.row()).toMatchObject({ status: 'pending', attemptCount: 0 })

    // Until the lease has run out nobody else has it.
    expect(await sweep(scene)).toEqual([])
    await scene.attempt(1)
    expect(await scene.received()).toHaveLength(1)

    scene.clock.now += leaseMs
    expect(await sweep(scene)).toEqual([scene.message(1)])
    await scene.attempt(1)
    const requests = await scene.received()
    expect(requests.map(({ headers }) => headers['webhook-id'])).toEqual([scene.deliveryId, scene.deliveryId])
    expect(await scene.row()).toMatchObject({ status: 'delivered', attemptCount: 1 })
    expect(await scene.attempts()).toHaveLength(1)
    expect(await scene.counts()).toEqual({ delivered: 1 })
  })

  it('after the note and before the enqueue leaves the retry to the sweep', async () => {
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

  it('at every single attempt ends the delivery visibly, after a bounded number of them', async () => {
    const scene = await newScene()
    for (let run = 1; run <= maxClaims; run++) {
      await expect(scene.attempt(1, { call: crash })).rejects.toThrow(Crash)
      scene.clock.now += leaseMs
    }
    expect(await sweep(scene)).toEqual([])
    expect(await scene.row()).toMatchObject({ status: 'permanently_failed', nextAttemptAt: null, dueAt: null })
    expect((await scene.row())?.lastError).toMatch(/^The service failed repeatedly/)
    expect(await scene.counts()).toEqual({ permanently_failed: 1 })
  })
})

describe('a database that fails', () => {
  it.each(['before', 'after'] as const)('%s it has claimed does not keep the attempt from being made', async (when) => {
    const scene = await newScene()
    await scene.attempt(1, { db: flakyDatabase((batch) => (batch <= 2 ? when : null)) })
    expect(await scene.received()).toHaveLength(1)
    expect(await scene.row()).toMatchObject({ status: 'delivered', attemptCount: 1 })
  })

  it.each(['before', 'after'] as const)('%s it has noted makes no duplicate and counts nothing twice', async (when) => {
    const scene = await newScene({ query: 'status=500' })
    await scene.attempt(1, { db: flakyDatabase((batch) => (batch >= 2 && batch <= 6 ? when : null)) })
    expect(await scene.received()).toHaveLength(1)
    expect(await scene.attempts()).toHaveLength(1)
    expect(await scene.row()).toMatchObject({ status: 'pending', attemptCount: 1 })
    expect(scene.sent).toEqual([{ body: scene.message(2), delaySeconds: 5 }])
  })

  it('for a delivery that ends counts it once', async () => {
    const scene = await newScene()
    await scene.attempt(1, { db: flakyDatabase((batch) => (batch >= 2 && batch <= 4 ? 'after' : null)) })
    expect(await scene.counts()).toEqual({ delivered: 1 })
  })

  it('for good leaves the attempt to the sweep', async () => {
    const scene = await newScene()
    await expect(scene.attempt(1, { db: flakyDatabase(() => 'before') })).rejects.toThrow('Network connection lost')
    scene.clock.now += 60_000
    expect(await sweep(scene)).toEqual([scene.message(1)])
  })
})

it('keeps the receiver’s record right while notes are repeated', async () => {
  const scene = await newScene({ query: 'status=500' })
  await scene.attempt(1, { db: flakyDatabase((batch) => (batch === 2 ? 'after' : null)) })
  const [config] = await db.select().from(webhookConfigs).where(eq(webhookConfigs.tenantId, scene.tenantId))
  expect(config?.failingSince).toBe(scene.clock.now)
})
