import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { queueGraceMs } from '../../../src/platform/queue/enqueue.ts'
import { getDelivery } from '../../../src/webhooks/deliveries/list-deliveries.ts'
import { startDeliveries } from '../../../src/events/delivery-transitions.ts'
import { runBatch } from '../../../src/platform/db/database.ts'
import {
  dispatchPauseSeconds,
  handleDeadDeliveryBatch,
  handleDeliveryBatch,
} from '../../../src/webhooks/deliveries/send-to-dispatcher.ts'
import { bindings } from '../../service.ts'
import { dueNow, until } from './due-now.ts'
import { db, insertDeliveries, newScene, type Scene, startedOf, startMs, sweep } from '../webhook-scene.ts'

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

  it('that is duplicated reaches it once', async () => {
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
    const scene = await dueNow('status=500,200')
    await bindings.WEBHOOK_QUEUE.send(scene.message(1))
    await until(async () => expect(await scene.row()).toMatchObject({ status: 'delivered', attemptCount: 2 }))
    expect((await scene.received()).map(({ responseStatus }) => responseStatus)).toEqual([500, 200])
  })
})

describe('the queue consumer of deliveries', () => {
  it('acknowledges a batch while receivers are still silent, and delivers to other tenants meanwhile', async () => {
    const silent = await Promise.all(Array.from({ length: 6 }, async () => await dueNow('silent')))
    const quick = await dueNow()
    const result = await consume([...silent, quick].map((scene) => scene.message(1)))
    expect(result.explicitAcks).toHaveLength(7)
    await until(async () => expect((await quick.row())?.status).toBe('delivered'))
    for (const scene of silent) expect((await scene.row())?.status).toBe('pending')
  })

  it('drops anything that is not a message and settles the rest', async () => {
    const scene = await dueNow()
    const bodies = ['junk', null, { tenantId: 1 }, { ...scene.message(1), attempt: 0 }, scene.message(1)]
    const result = await consume(bodies)
    expect(result.explicitAcks).toHaveLength(5)
    await until(async () => expect((await scene.row())?.status).toBe('delivered'))
  })

  it('acknowledges a message that the dispatcher defers, and leaves the delivery to the sweep', async () => {
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

  it('delivers more than one invocation of the dispatcher makes, each once', async () => {
    const scene = await newScene()
    const count = 500
    await insertDeliveries(scene.tenantId, count, { nextAttemptAt: 1 })
    await db.run(sql`UPDATE deliveries SET garment_uuid = 'b' || garment_uuid WHERE tenant_id = ${scene.tenantId}`)
    await db.run(sql`
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
      INSERT INTO garments (tenant_id, uuid, number, row_bytes, attribute, origin, status, revision, result, created_at, ended_at)
      SELECT tenant_id, 'b' || i, 100000 + i, row_bytes, attribute, origin, status, revision, result, created_at, ended_at
      FROM n JOIN garments ON tenant_id = ${scene.tenantId} AND uuid = ${scene.uuid}`)
    const ids = Array.from({ length: count }, (_, i) => i + 1)
    const bodies = ids.map((i) => ({
      tenantId: scene.tenantId,
      deliveryId: `${scene.tenantId}-${i}`,
      endpointId: 'first',
      attempt: 1,
    }))
    await consume(bodies)
    await until(async () => expect(await scene.received()).toHaveLength(count))
    const sent = (await scene.received()).map(({ headers }) => headers['webhook-id'])
    expect(new Set(sent).size).toBe(count)
  })

  it('retries with growing pauses when the dispatcher cannot be reached', async () => {
    const scene = await dueNow()
    const broken = { accept: async () => await Promise.reject(new Error('overloaded')) }
    const env = { ...bindings, DISPATCHER: { getByName: () => broken } } as unknown as Env
    const result = await consume([scene.message(1)], env)
    expect(result.retryMessages).toHaveLength(1)
    expect([1, 2, 3, 9, 10, 11, 100].map(dispatchPauseSeconds)).toEqual([5, 10, 20, 1280, 2560, 3600, 3600])
  })
})

describe('a dead delivery message', () => {
  const die = async (scene: Scene, attempt: number) => {
    const batch = batchOf('webhook-delivery-dead', [scene.message(attempt)])
    await handleDeadDeliveryBatch(batch, bindings)
    return await getQueueResult(batch, createExecutionContext())
  }

  it('changes nothing: its delivery stays due, and the sweep enqueues it again', async () => {
    const scene = await newScene()
    const before = await scene.row()
    expect((await die(scene, 1)).explicitAcks).toHaveLength(1)
    expect(await scene.row()).toEqual(before)
    expect(await sweep(scene, startMs + queueGraceMs)).toEqual([scene.message(1)])
  })
})

describe('a message of an earlier delivery of the same garment', () => {
  it('neither sends nor ends the delivery that was started over', async () => {
    const scene = await newScene()
    const stale = scene.message(1)
    const { started } = await runBatch(db, { started: startDeliveries(db, startedOf(scene), startMs).statements })
    const [fresh] = started
    await scene.attempt(1)
    await handleDeadDeliveryBatch(batchOf('webhook-delivery-dead', [stale]), bindings)
    expect(await scene.received()).toEqual([])
    expect(await getDelivery(db, scene.tenantId, scene.uuid)).toMatchObject({ id: fresh?.id, status: 'pending' })
  })
})
