import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { dailyCounts, deliveries, deliveryAttempts, garments } from '../../../src/platform/db/schema.ts'
import { deleteGarment } from '../../../src/garments/delete-garment.ts'
import { purgeWebhook, removeExpiredDeliveries } from '../../../src/webhooks/maintain-webhooks.ts'
import { findDeliveryHistory } from '../../../src/webhooks/deliveries/list-deliveries.ts'
import { findDeliveries } from '../../../src/dashboard/webhook/deliveries-page.tsx'
import { attemptDelivery } from '../../../src/webhooks/deliveries/attempt-delivery.ts'
import { redeliver } from '../../../src/webhooks/deliveries/redeliver.ts'
import { dayMs } from '../../../src/time.ts'
import { insertGarment } from '../../garments/review/complete-garment.ts'
import { bindings, someone } from '../../service.ts'
import { db, settings, startMs } from '../webhook-scene.ts'
import { newEndpointScene } from './scene.ts'

const events = ['tagging.completed', 'garment.deleted']

/** A garment that is deleted, with an endpoint that asks for the event, and the delivery that tells it so. */
async function newDeletion(query = '') {
  const scene = await newEndpointScene({ delivery: { status: 'delivered', dueAt: null, nextAttemptAt: null } })
  const endpoint = await scene.add('told', query, { events })
  const { PICTURES: pictures, TAGGING_QUEUE: taggingQueue } = bindings
  const sent: Parameters<typeof attemptDelivery>[0][] = []
  const webhookQueue = {
    sendBatch: async (messages: { body: (typeof sent)[number] }[]) =>
      void sent.push(...messages.map(({ body }) => body)),
  } as unknown as Queue
  const deps = { db, pictures, taggingQueue, webhookQueue }
  const remove = async (nowMs = startMs, uuid = scene.uuid) =>
    await deleteGarment(deps, scene.tenantId, uuid, nowMs, someone)
  const attempt = async (changes = {}) => {
    const message = sent.at(-1)
    if (message === undefined) throw new Error('Nothing was enqueued')
    await attemptDelivery({ ...message, ...changes }, scene.deps)
  }
  const rows = async () => await db.select().from(deliveries).where(eq(deliveries.tenantId, scene.tenantId))
  const row = async () => (await rows()).find(({ kind }) => kind === 'deletion')
  return { ...scene, id: endpoint, sent, remove, attempt, rows, row }
}

describe('garment.deleted', () => {
  it('is delivered to the endpoint that asks for it after the garment is gone, and to no other', async () => {
    const scene = await newDeletion()
    await scene.remove(startMs + 1000)
    expect(await db.select().from(garments).where(eq(garments.tenantId, scene.tenantId))).toEqual([])
    expect(scene.sent).toHaveLength(1)
    scene.clock.now = startMs + 2000
    await scene.attempt()
    const [request, ...more] = await scene.receivedBy('told')
    expect(more).toEqual([])
    expect(await scene.received()).toEqual([])
    expect(request?.headers['x-webhook-event']).toBe('garment.deleted')
    expect(JSON.parse(request?.body ?? '')).toEqual({
      event: 'garment.deleted',
      timestamp: new Date(startMs + 1000).toISOString(),
      uuid: scene.uuid,
    })
    expect(await scene.row()).toMatchObject({ status: 'delivered', attemptCount: 1, dueAt: null })
  })

  it('is not sent if no endpoint asks for it', async () => {
    const scene = await newDeletion()
    const { sent } = scene
    const other = await newEndpointScene()
    const { PICTURES: pictures, TAGGING_QUEUE: taggingQueue, WEBHOOK_QUEUE: webhookQueue } = bindings
    await deleteGarment({ db, pictures, taggingQueue, webhookQueue }, other.tenantId, other.uuid, startMs, someone)
    expect([sent, await db.$count(deliveries, eq(deliveries.tenantId, other.tenantId))]).toEqual([[], 0])
  })

  it('is sent up to 20,000 times a day, by which it is counted', async () => {
    const scene = await newDeletion()
    const { tenantId } = scene
    const remove = async (uuid: string, nowMs: number) => {
      await insertGarment(tenantId, uuid)
      await scene.remove(nowMs, uuid)
      return scene.sent.splice(0).length
    }
    await scene.add('other', '', { events })
    expect(await remove('a', startMs)).toBe(2)
    expect((await scene.counts())['deletion']).toBe(2)
    await db.update(dailyCounts).set({ count: 19_999 }).where(eq(dailyCounts.tenantId, tenantId))
    expect(await remove('b', startMs)).toBe(2)
    expect(await remove('c', startMs)).toBe(0)
    expect(await db.$count(garments, and(eq(garments.tenantId, tenantId), eq(garments.uuid, 'c')))).toBe(0)
    expect(await remove('d', startMs + dayMs)).toBe(2)
  })

  it('is retried with the same bytes, listed with its attempts, and redelivered by hand', async () => {
    const scene = await newDeletion('status=500,200')
    await scene.remove()
    await scene.attempt()
    expect(await scene.row()).toMatchObject({ status: 'pending', attemptCount: 1 })
    scene.clock.now = (await scene.row())?.nextAttemptAt ?? 0
    await scene.attempt({ attempt: 2 })
    const bodies = (await scene.receivedBy('told')).map(({ body }) => body)
    expect([bodies.length, new Set(bodies).size]).toEqual([2, 1])
    const { tenantId, uuid, id } = scene
    const history = await findDeliveryHistory(db, tenantId, uuid, { limit: 5 }, 'deletion', id)
    expect(history?.attempts.map(({ responseStatus }) => responseStatus)).toEqual([200, 500])
    const list = await findDeliveries(db, tenantId, { limit: 5 })
    expect(list.deliveries.map(({ kind, endpointId }) => [kind, endpointId])).toContainEqual(['deletion', id])
    const again = await redeliver(db, scene.queue, tenantId, uuid, scene.clock.now, 'deletion', id)
    expect(again).toMatchObject({ status: 'pending', redeliveredFrom: 'delivered' })
    await scene.attempt({ attempt: 3 })
    expect(await scene.receivedBy('told')).toHaveLength(3)
  })

  it('is sent again under a new id when the uuid is uploaded and deleted again', async () => {
    const scene = await newDeletion()
    await scene.remove()
    await scene.attempt()
    await insertGarment(scene.tenantId, scene.uuid)
    scene.clock.now = startMs + 5000
    await scene.remove(startMs + 5000)
    await scene.attempt()
    const requests = await scene.receivedBy('told')
    expect(new Set(requests.map(({ headers }) => headers['x-delivery-id'])).size).toBe(2)
    expect((await scene.rows()).filter(({ kind }) => kind === 'deletion')).toHaveLength(1)
    expect((await scene.counts())['permanently_failed']).toBe(undefined)
  })

  it('says nothing of a garment whose uuid was uploaded again before it was sent', async () => {
    const scene = await newDeletion()
    await scene.remove()
    await insertGarment(scene.tenantId, scene.uuid)
    await scene.attempt()
    expect(Object.keys(JSON.parse((await scene.receivedBy('told'))[0]?.body ?? ''))).toEqual([
      'event',
      'timestamp',
      'uuid',
    ])
  })

  it('does not call an address at which the service was called for the garment', async () => {
    const scene = await newDeletion()
    await scene.remove()
    expect((await scene.row())?.origin).toBe('https://tags.example.com')
    const origins: string[] = []
    const call = async (_: unknown, origin: string) => {
      origins.push(origin)
      return { ok: true, status: 200, error: null, body: '', retryAfter: null, durationMs: 1 }
    }
    const [message] = scene.sent
    if (message === undefined) throw new Error('Nothing was enqueued')
    await attemptDelivery(message, { ...scene.deps, settings, call })
    expect(origins).toEqual(['https://tags.example.com'])
  })

  it('is removed with its attempts when it is older than what the tenant keeps, and with the tenant', async () => {
    const [kept, purged] = [await newDeletion(), await newDeletion()]
    for (const scene of [kept, purged]) {
      await scene.remove()
      await scene.attempt()
    }
    await removeExpiredDeliveries(db, [{ id: kept.tenantId, beforeMs: startMs + 1 }], startMs, 500)
    await purgeWebhook(db, purged.tenantId, 500)
    for (const scene of [kept, purged]) {
      expect(await scene.rows()).toEqual([])
      const attempts = and(eq(deliveryAttempts.tenantId, scene.tenantId))
      expect(await db.select().from(deliveryAttempts).where(attempts)).toEqual([])
    }
  })
})
