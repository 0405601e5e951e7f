import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { deliveries } from '../../../src/db/schema.ts'
import {
  handleDeadDeliveryBatch,
  handleDeliveryBatch,
  handOverPauseSeconds,
} from '../../../src/webhook/dispatch/queue.ts'
import { bindings } from '../../service.ts'
import { db, newScene, type Scene } from '../scene.ts'

const until = async (check: () => Promise<void>) => await vi.waitFor(check, { timeout: 5000, interval: 20 })

/** A scene whose delivery is due by the real clock. */
async function dueNow(query = ''): Promise<Scene> {
  const scene = await newScene({ query })
  const now = Date.now()
  await db
    .update(deliveries)
    .set({ nextAttemptAt: now, dueAt: now + 60_000 })
    .where(eq(deliveries.id, scene.deliveryId))
  return scene
}

const batchOf = (queue: string, bodies: readonly unknown[]) =>
  createMessageBatch(
    queue,
    bodies.map((body, i) => ({ id: String(i), timestamp: new Date(), attempts: 1, body })),
  )

async function consume(bodies: readonly unknown[], env: Env = bindings) {
  const batch = batchOf('webhook-delivery', bodies)
  await handleDeliveryBatch(batch, env)
  return await getQueueResult(batch, createExecutionContext())
}

describe('a message in the queue', () => {
  it('reaches the receiver', async () => {
    const scene = await dueNow()
    await bindings.WEBHOOK_QUEUE.send(scene.message(1))
    await until(async () => expect(await scene.row()).toMatchObject({ status: 'delivered', attemptCount: 1 }))
    expect(await scene.received()).toHaveLength(1)
  })

  it('that is doubled reaches it once', async () => {
    const scene = await dueNow('delay=100')
    const body = scene.message(1)
    await bindings.WEBHOOK_QUEUE.sendBatch([{ body }, { body }, { body }])
    await until(async () => expect((await scene.row())?.status).toBe('delivered'))
    await bindings.WEBHOOK_QUEUE.send(body)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(await scene.received()).toHaveLength(1)
    expect(await scene.attempts()).toHaveLength(1)
  })

  it('is followed by one for the retry', async () => {
    const scene = await dueNow('status=500')
    await bindings.WEBHOOK_QUEUE.send(scene.message(1))
    await until(async () =>
      expect(await scene.row()).toMatchObject({ status: 'pending', attemptCount: 1, leaseUntil: null }),
    )
  })
})

describe('the consumer', () => {
  it('is done with a batch while receivers are still silent, and other tenants’ deliveries go out meanwhile', async () => {
    const silent = await Promise.all(Array.from({ length: 6 }, async () => await dueNow('silent')))
    const quick = await dueNow()
    const startedAt = Date.now()
    const result = await consume([...silent, quick].map((scene) => scene.message(1)))
    expect(Date.now() - startedAt).toBeLessThan(2000)
    expect(result.explicitAcks).toHaveLength(7)
    await until(async () => expect((await quick.row())?.status).toBe('delivered'))
    for (const scene of silent) expect((await scene.row())?.status).toBe('pending')
  })

  it('drops what is no message and settles its neighbours', async () => {
    const scene = await dueNow()
    const bodies = ['junk', null, { tenantId: 1 }, { ...scene.message(1), attempt: 0 }, scene.message(1)]
    const result = await consume(bodies)
    expect(result.explicitAcks).toHaveLength(5)
    await until(async () => expect((await scene.row())?.status).toBe('delivered'))
  })

  it('takes a deferral for no fault: the delivery is left to the sweep', async () => {
    const scene = await dueNow()
    const full = {
      ...bindings,
      DISPATCHER: { getByName: () => ({ accept: async () => false }) },
    } as unknown as Env
    const result = await consume([scene.message(1)], full)
    expect(result.explicitAcks).toHaveLength(1)
    expect(await scene.row()).toMatchObject({ status: 'pending', attemptCount: 0 })
    expect((await scene.row())?.dueAt).not.toBeNull()
  })

  it('tries again, with growing pauses, when the dispatcher cannot be reached', async () => {
    const scene = await dueNow()
    const broken = { accept: async () => await Promise.reject(new Error('overloaded')) }
    const env = { ...bindings, DISPATCHER: { getByName: () => broken } } as unknown as Env
    const result = await consume([scene.message(1)], env)
    expect(result.retryMessages).toHaveLength(1)
    expect([1, 2, 3, 9, 10, 11, 100].map(handOverPauseSeconds)).toEqual([5, 10, 20, 1280, 2560, 3600, 3600])
  })
})

describe('a dead letter', () => {
  it('ends its delivery where its tenant sees it', async () => {
    const scene = await dueNow()
    await handleDeadDeliveryBatch(batchOf('webhook-delivery-dead', [scene.message(1)]), bindings)
    expect(await scene.row()).toMatchObject({
      status: 'permanently_failed',
      nextAttemptAt: null,
      lastError: 'The service could not make this attempt; redeliver it',
    })
    expect(await scene.counts()).toEqual({ permanently_failed: 1 })
  })

  it('of an attempt that was made after all changes nothing', async () => {
    const scene = await newScene({ query: 'status=500' })
    await scene.attempt(1)
    await handleDeadDeliveryBatch(batchOf('webhook-delivery-dead', [scene.message(1)]), bindings)
    expect(await scene.row()).toMatchObject({ status: 'pending', attemptCount: 1 })
  })
})
