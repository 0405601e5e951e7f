import { describe, expect, it } from 'vitest'
import { attemptDelivery } from '../../../src/webhooks/deliveries/attempt-delivery.ts'
import { exchangeTimeoutMs } from '../../../src/webhooks/deliveries/call-receiver.ts'
import { leaseMs } from '../../../src/events/delivery-transitions.ts'
import { newScene, startMs } from '../webhook-scene.ts'

describe('a message', () => {
  it('that arrives twice in turn sends once', async () => {
    const scene = await newScene()
    await scene.attempt(1)
    await scene.attempt(1)
    expect(await scene.received()).toHaveLength(1)
    expect(await scene.attempts()).toHaveLength(1)
    expect(await scene.counts()).toEqual({ delivered: 1 })
  })

  it('that arrives twice in turn starts one chain of retries', async () => {
    const scene = await newScene({ query: 'status=500' })
    await scene.attempt(1)
    scene.clock.now += 5000
    await scene.attempt(1)
    expect(await scene.received()).toHaveLength(1)
    expect(scene.sent).toHaveLength(1)
  })

  it('that arrives twice at the same time sends once', async () => {
    const scene = await newScene({ query: 'delay=50' })
    await Promise.all([scene.attempt(1), scene.attempt(1), scene.attempt(1)])
    expect(await scene.received()).toHaveLength(1)
    expect(await scene.attempts()).toHaveLength(1)
    expect(await scene.counts()).toEqual({ delivered: 1 })
  })

  it('of attempt 3 that arrives after attempt 4 sends nothing', async () => {
    const scene = await newScene({ query: 'status=500' })
    for (let attempt = 1; attempt <= 4; attempt++) {
      await scene.attempt(attempt)
      scene.clock.now = (await scene.row())?.nextAttemptAt ?? 0
    }
    await scene.attempt(3)
    expect(await scene.received()).toHaveLength(4)
    expect(await scene.row()).toMatchObject({ attemptCount: 4, status: 'pending' })
    expect(scene.sent.map(({ body }) => body.attempt)).toEqual([2, 3, 4, 5])
  })

  it('that arrives early sends nothing', async () => {
    const scene = await newScene({ query: 'status=500' })
    await scene.attempt(1)
    scene.clock.now += 3000
    await scene.attempt(2)
    expect(await scene.received()).toHaveLength(1)
  })

  it('of another tenant sends nothing', async () => {
    const [scene, other] = [await newScene(), await newScene()]
    await attemptDelivery({ ...scene.message(1), tenantId: other.tenantId }, scene.deps)
    expect(await scene.received()).toHaveLength(0)
    expect(await other.received()).toHaveLength(0)
    expect(await scene.row()).toMatchObject({ status: 'pending', attemptCount: 0, claims: 0, claimId: null })
  })

  it('for a garment that is being tagged again sends nothing and is no attempt', async () => {
    const scene = await newScene({ garment: { status: 'queuing', endedAt: null } })
    await scene.attempt(1)
    expect(await scene.received()).toHaveLength(0)
    expect(await scene.row()).toMatchObject({ status: 'pending', attemptCount: 0, leaseUntil: null, claims: 0 })
    expect((await scene.row())?.dueAt).toBeGreaterThan(startMs)
  })
})

describe('a lease', () => {
  it('that has expired lets another run make the attempt, and the record of the first run is ignored', async () => {
    const scene = await newScene({ query: 'status=500,200' })
    await scene.attempt(1, {
      call: async (call, origin) => {
        const answer = await scene.deps.call(call, origin)
        scene.clock.now += leaseMs
        await scene.attempt(1)
        return answer
      },
    })
    expect(await scene.received()).toHaveLength(2)
    expect(await scene.row()).toMatchObject({ status: 'delivered', attemptCount: 1, responseStatus: 200 })
    expect(await scene.attempts()).toMatchObject([{ responseStatus: 200 }])
    expect(await scene.counts()).toEqual({ delivered: 1 })
    expect(scene.sent).toEqual([])
  })

  it('is longer than the longest exchange', async () => {
    expect(leaseMs).toBeGreaterThanOrEqual(exchangeTimeoutMs + 10_000)
  })
})
