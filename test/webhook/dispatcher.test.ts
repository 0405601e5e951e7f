import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { deliveries, webhookConfigs } from '../../src/db/schema.ts'
import type { Bindings } from '../../src/env.ts'
import { handleDeadDeliveryBatch, handleDeliveryBatch, handOverPauseSeconds } from '../../src/webhook/queue.ts'
import { bindings, call, newTenant } from '../service.ts'
import { db, newScene, receiver, type Scene } from './scene.ts'

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

async function consume(bodies: readonly unknown[], env: Bindings = bindings) {
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
    } as unknown as Bindings
    const result = await consume([scene.message(1)], full)
    expect(result.explicitAcks).toHaveLength(1)
    expect(await scene.row()).toMatchObject({ status: 'pending', attemptCount: 0 })
    expect((await scene.row())?.dueAt).not.toBeNull()
  })

  it('tries again, with growing pauses, when the dispatcher cannot be reached', async () => {
    const scene = await dueNow()
    const broken = { accept: async () => await Promise.reject(new Error('overloaded')) }
    const env = { ...bindings, DISPATCHER: { getByName: () => broken } } as unknown as Bindings
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

describe('the test event', () => {
  it('is sent once, signed, and its outcome is the answer', async () => {
    const { auth } = await newTenant()
    const name = `test-${crypto.randomUUID()}`
    const config = { enabled: false, secret: 'a secret', headers: { 'X-Shop': 'north' } }
    const path = '/garment-tagging/webhook/test'
    expect((await call('POST', path, auth)).status).toBe(409)
    await call('PUT', '/garment-tagging/webhook/config', auth, {
      ...config,
      url: receiver.url(name, 'status=418&text=no'),
    })
    expect(await call('POST', path, auth)).toMatchObject({
      status: 200,
      body: {
        data: { status: 'failed', response_status: 418, error: "HTTP 418: I'm a Teapot", response_body: 'no' },
      },
    })
    const [request, ...more] = await receiver.received(name)
    expect(more).toEqual([])
    expect(request?.headers).toMatchObject({ 'x-webhook-event': 'webhook.test', 'x-shop': 'north' })
    expect(request?.headers['webhook-signature']).toMatch(/^v1,/)
    expect(JSON.parse(request?.body ?? '')).toMatchObject({ event: 'webhook.test', timestamp: expect.any(String) })
  })

  it('to a receiver that accepts says so, and starts no clock', async () => {
    const { auth, tenantId } = await newTenant()
    const url = receiver.url(`test-${crypto.randomUUID()}`)
    await call('PUT', '/garment-tagging/webhook/config', auth, { enabled: true, url })
    const { body } = await call('POST', '/garment-tagging/webhook/test', auth)
    expect(body.data).toMatchObject({
      status: 'delivered',
      response_status: 200,
      error: '',
      duration_ms: expect.any(Number),
    })
    const [row] = await db.select().from(webhookConfigs).where(eq(webhookConfigs.tenantId, tenantId))
    expect(row?.failingSince).toBeNull()
  })
})

describe('the delivery status', () => {
  it('is the specified record, and each of its fields', async () => {
    const { auth, tenantId } = await newTenant()
    const row = {
      id: '0d6e2b1c-0000-4000-8000-000000000000',
      tenantId,
      garmentUuid: 'shirt/1 ü',
      status: 'pending',
      createdAt: 1,
      updatedAt: 2,
      nextAttemptAt: 3,
    } as const
    await db.insert(deliveries).values(row)
    const path = (uuid: string) => `/garment-tagging/webhook/delivery-status?uuid=${encodeURIComponent(uuid)}`
    expect((await call('GET', path('shirt/1 ü'), auth)).body.data).toEqual({
      uuid: row.id,
      garment_uuid: 'shirt/1 ü',
      status: 'pending',
      attempt_count: 0,
      last_attempt_at: '',
      next_attempt_at: '1970-01-01T00:00:00.003Z',
      last_error: '',
      response_status: 0,
      created_at: '1970-01-01T00:00:00.001Z',
      updated_at: '1970-01-01T00:00:00.002Z',
    })
    expect((await call('GET', path('none'), auth)).status).toBe(404)
    expect((await call('GET', '/garment-tagging/webhook/delivery-status', auth)).status).toBe(400)
  })

  it('of another tenant’s garment is not found', async () => {
    const [scene, { auth }] = [await newScene(), await newTenant()]
    for (const path of ['delivery-status', 'attempts'])
      expect((await call('GET', `/garment-tagging/webhook/${path}?uuid=${scene.uuid}`, auth)).status).toBe(404)
    const redeliver = await call('POST', '/garment-tagging/webhook/redeliver', auth, { uuid: scene.uuid })
    expect(redeliver.status).toBe(404)
  })
})
