import { taggingDelivery } from '../../support/tagging-delivery.ts'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { deliveries, webhookEndpoints } from '../../../src/platform/db/schema.ts'
import { changeEndpoint, deleteEndpoint } from '../../../src/webhooks/endpoints/change-endpoint.ts'
import { continueEndings } from '../../../src/events/end-deliveries.ts'
import { getDeliveryToEach, listAttempts } from '../../../src/webhooks/deliveries/list-deliveries.ts'
import { findDeliveries } from '../../../src/dashboard/webhook/deliveries-page.tsx'
import { redeliver } from '../../../src/webhooks/deliveries/redeliver.ts'
import { createPace } from '../../../src/webhooks/deliveries/backlog.ts'
import { dispatcherName } from '../../../src/webhooks/deliveries/send-to-dispatcher.ts'
import { sweepDeliveries } from '../../../src/webhooks/sweep-deliveries.ts'
import { samplePayload } from '../../../src/webhooks/describe-events.ts'
import { sendTestEvent } from '../../../src/webhooks/deliveries/send-test-event.ts'
import { db, startMs } from '../webhook-scene.ts'
import { deps, newEndpointScene } from './scene.ts'
import { someone } from '../../service.ts'

const testEvent = samplePayload('webhook.test', startMs)

describe('each endpoint of a tenant', () => {
  it('gets a delivery of its own with an id of its own, if it asks for the event', async () => {
    const scene = await newEndpointScene()
    const search = await scene.add('search')
    const failures = await scene.add('failures', '', { events: ['tagging.failed'] })
    const rows = await scene.start()
    expect(rows?.map(({ endpointId }) => endpointId).sort()).toEqual(['first', search].sort())
    expect(new Set(rows?.map(({ id }) => id)).size).toBe(2)
    await scene.attemptAll()
    const [[first], [second]] = [await scene.received(), await scene.receivedBy('search')]
    expect(second?.body).toBe(first?.body)
    expect(second?.headers['x-delivery-id']).toBe((await scene.delivery(search))?.id)
    expect(first?.headers['x-delivery-id']).toBe((await scene.delivery('first'))?.id)
    await scene.start('tagging.failed')
    expect(scene.messages).toHaveLength(3)
    expect((await scene.delivery(failures))?.status).toBe('pending')
  })

  it('keeps its own schedule, secret and attempts', async () => {
    const scene = await newEndpointScene({ query: 'status=500' })
    const good = await scene.add('good', '', { secret: 'another secret', headers: { 'X-Team': 'data' } })
    await scene.start()
    await scene.attemptAll()
    expect(await scene.delivery('first')).toMatchObject({ status: 'pending', responseStatus: 500, attemptCount: 1 })
    expect(await scene.delivery(good)).toMatchObject({ status: 'delivered', responseStatus: 200, attemptCount: 1 })
    const [[first], [second]] = [await scene.received(), await scene.receivedBy('good')]
    expect(second?.headers['x-team']).toBe('data')
    expect(second?.headers['x-webhook-signature']).not.toBe(first?.headers['x-webhook-signature'])
    const statusesOf = async (endpoint?: string) =>
      (await listAttempts(db, scene.tenantId, scene.uuid, { limit: 9 }, endpoint)).rows.map((row) => row.responseStatus)
    expect([await statusesOf(), await statusesOf(good)]).toEqual([[500], [200]])
    expect((await scene.config())?.failingSince).toBe(startMs)
    expect((await scene.endpoint(good))?.failingSince).toBe(null)
  })

  it('starts over without the attempts of its former delivery', async () => {
    const scene = await newEndpointScene()
    const other = await scene.add('other')
    await scene.start()
    await scene.attemptAll()
    const former = await scene.delivery(other)
    await scene.start()
    const { rows } = await listAttempts(db, scene.tenantId, scene.uuid, { limit: 9 }, other)
    expect(rows).toEqual([])
    expect((await scene.delivery(other))?.id).not.toBe(former?.id)
  })

  it('that answers 410 ends its own delivery only, and one that was redelivered is sent to it only', async () => {
    const scene = await newEndpointScene()
    const gone = await scene.add('gone', 'status=410,200')
    await scene.start()
    await scene.attemptAll()
    expect((await scene.delivery(gone))?.status).toBe('permanently_failed')
    expect((await scene.delivery('first'))?.status).toBe('delivered')
    const { delivery, others } = await getDeliveryToEach(db, scene.tenantId, scene.uuid)
    expect([delivery, ...others].map(({ endpointId }) => endpointId)).toEqual(['first', gone])
    await redeliver(db, scene.queue, scene.tenantId, scene.uuid, startMs, 'tagging', gone)
    const [sent] = scene.sent
    expect(sent?.body).toMatchObject({ endpointId: gone, attempt: 2 })
    scene.messages.splice(0, 9, ...scene.sent.map(({ body }) => body))
    await scene.attemptAll()
    expect((await scene.delivery(gone))?.status).toBe('delivered')
    expect([await scene.received(), await scene.receivedBy('gone')].map((each) => each.length)).toEqual([1, 2])
  })

  it('that is disabled ends what is pending for it, and nothing of its neighbours', async () => {
    const scene = await newEndpointScene()
    const other = await scene.add('other')
    await scene.start()
    await changeEndpoint(deps, scene.tenantId, other, { enabled: false }, startMs, someone)
    expect((await scene.delivery(other))?.status).toBe('permanently_failed')
    expect((await scene.delivery('first'))?.status).toBe('pending')
    await changeEndpoint(deps, scene.tenantId, other, { enabled: true, description: 'again' }, startMs + 1, someone)
    await scene.attemptAll()
    expect([await scene.received(), await scene.receivedBy('other')].map((each) => each.length)).toEqual([1, 0])
  })

  it('that is deleted is sent nothing more, and its row goes with its last delivery', async () => {
    const scene = await newEndpointScene()
    const other = await scene.add('other')
    await scene.start()
    await deleteEndpoint(deps, scene.tenantId, other, startMs, someone)
    expect(await scene.endpoint(other)).toBe(undefined)
    await scene.attemptAll()
    expect(await scene.receivedBy('other')).toEqual([])
    expect(await scene.delivery(other)).toMatchObject({ status: 'permanently_failed' })
    expect((await scene.delivery('first'))?.status).toBe('delivered')
  })

  it('that is deleted during an attempt keeps its row for the sweep, which begins with those deleted first', async () => {
    const scene = await newEndpointScene()
    const other = await scene.add('other')
    await scene.start()
    const leased = { claimId: 'c', leaseUntil: startMs + 30_000 }
    await db.update(deliveries).set(leased).where(eq(deliveries.tenantId, scene.tenantId))
    await deleteEndpoint(deps, scene.tenantId, other, startMs, someone)
    const row = await scene.endpoint(other)
    expect(row).toMatchObject({ url: null, secret: null, endedUntil: startMs })
    if (row === undefined) return
    for (let i = 0; i < 20; i++)
      await db.insert(webhookEndpoints).values({ ...row, tenantId: ` ${i}`, endedUntil: startMs + 1 })
    await continueEndings(db, startMs + 60_000)
    expect(await scene.endpoint(other)).toBe(undefined)
    await continueEndings(db, startMs + 60_000)
  })

  it('can be sent a test event while it is disabled', async () => {
    const scene = await newEndpointScene()
    const other = await scene.add('other', '', { enabled: false })
    const call = {
      ...deps,
      fetch: async (url: string, init: RequestInit) => await fetch(url, init),
      now: () => startMs,
      timeoutMs: 15_000,
    }
    expect(await sendTestEvent(call, scene.tenantId, { endpointId: other, payload: testEvent })).toMatchObject({
      ok: true,
    })
    expect((await scene.receivedBy('other'))[0]?.headers['x-webhook-event']).toBe('webhook.test')
    await expect(sendTestEvent(call, scene.tenantId, { endpointId: 'none', payload: testEvent })).rejects.toMatchObject(
      {
        status: 404,
      },
    )
  })
})

describe('a backlog of one endpoint', () => {
  it('hides no overdue delivery of its neighbour from the sweep, nor from the list', async () => {
    const scene = await newEndpointScene()
    const other = await scene.add('other')
    await scene.start()
    await db.update(deliveries).set({ dueAt: 5 }).where(eq(deliveries.tenantId, scene.tenantId))
    const backlog = Array.from({ length: 120 }, (_, i) => ({
      id: `${scene.tenantId}-${i}`,
      tenantId: scene.tenantId,
      garmentUuid: `backlog-${i}`,
      ...taggingDelivery,
      status: 'pending' as const,
      dueAt: 1,
      createdAt: 1,
      updatedAt: 1,
    }))
    for (let from = 0; from < backlog.length; from += 5)
      await db.insert(deliveries).values(backlog.slice(from, from + 5))
    const sent: unknown[] = []
    const sendBatch = async (batch: { body: { tenantId: string } }[]) =>
      void sent.push(...batch.map(({ body }) => body).filter(({ tenantId }) => tenantId === scene.tenantId))
    await sweepDeliveries({ db, queue: { sendBatch } as unknown as Queue }, 10, { maxSteps: 1 })
    expect(sent).toContainEqual(expect.objectContaining({ endpointId: other }))
    expect(sent.length).toBeGreaterThan(1)
    const page = await findDeliveries(db, scene.tenantId, { status: 'pending', limit: 200 })
    expect(page.deliveries).toHaveLength(122)
    expect(page.deliveries.map(({ endpointId }) => endpointId)).toContain(other)
  })
})

it('each endpoint has a dispatcher of its own', () => {
  const names = ['first', 'a'].map((endpointId) => dispatcherName({ tenantId: 't', endpointId }))
  expect(names).toEqual(['t/first', 't/a'])
})

it('an endpoint with a limit a second is called at that pace, and one without at once', async () => {
  let now = 0
  const sleep = async (ms: number) => void (now += ms)
  const pace = createPace({ now: () => now, sleep })
  const times: number[] = []
  for (let i = 0; i < 4; i++) {
    await pace(4)
    times.push(now)
  }
  await pace(null)
  expect([...times, now]).toEqual([0, 250, 500, 750, 750])
})
