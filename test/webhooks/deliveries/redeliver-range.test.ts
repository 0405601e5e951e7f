import { taggingDelivery } from '../../support/tagging-delivery.ts'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { deliveries, rangeRedeliveries } from '../../../src/platform/db/schema.ts'
import { continueRangeRedeliveries, redeliverRange } from '../../../src/webhooks/deliveries/redeliver.ts'
import type { DeliveryMessage } from '../../../src/events/delivery.ts'
import { bindings, call, databaseOf, newTenant } from '../../service.ts'
import { db, insertDeliveries, newScene, type Scene } from '../webhook-scene.ts'

const range = { fromMs: 1000, untilMs: 2000, endpointId: null, status: null }

/** Continues as one sweep does, and gives the ids of the scene's deliveries that were enqueued. */
async function sweepRanges(scene: Scene) {
  const ids: string[] = []
  const sendBatch = async (messages: { body: DeliveryMessage }[]) => {
    ids.push(...messages.filter(({ body }) => body.tenantId === scene.tenantId).map(({ body }) => body.deliveryId))
  }
  await continueRangeRedeliveries({ db, queue: { sendBatch } as unknown as Queue }, scene.clock.now)
  return ids
}

const jobOf = async ({ tenantId }: Scene) =>
  (await db.select().from(rangeRedeliveries).where(eq(rangeRedeliveries.tenantId, tenantId)))[0]

const start = async (scene: Scene) => await redeliverRange(db, scene.tenantId, range, scene.clock.now)

describe('the redelivery of a time range', () => {
  it('repeats every ended delivery of that time and no other', async () => {
    const scene = await newScene()
    await insertDeliveries(scene.tenantId, 150, { status: 'delivered', createdAt: 1000 })
    await db.insert(deliveries).values(
      (['delivered', 'permanently_failed', 'pending'] as const)
        .flatMap((status) =>
          [999, 1999, 2000].map((createdAt) => ({
            id: `${scene.tenantId}-${status}-${createdAt}`,
            tenantId: scene.tenantId,
            garmentUuid: `${status}-${createdAt}`,
            ...taggingDelivery,
            status,
            dueAt: status === 'pending' ? 9e15 : null,
            createdAt,
            updatedAt: createdAt,
          })),
        )
        .slice(0, 6),
    )
    await start(scene)
    const ids = await sweepRanges(scene)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toHaveLength(152)
    expect(ids).toEqual(
      expect.arrayContaining([`${scene.tenantId}-delivered-1999`, `${scene.tenantId}-permanently_failed-1999`]),
    )
    expect(await jobOf(scene)).toMatchObject({ found: 152, redelivered: 152, nextAt: null })
    expect(await sweepRanges(scene)).toEqual([])
  })

  it('sends each under its own id, and one that fails returns to its former status', async () => {
    const scene = await newScene({
      query: 'status=500',
      delivery: { status: 'delivered', attemptCount: 1, createdAt: 1500, nextAttemptAt: null, dueAt: null },
    })
    await start(scene)
    expect(await sweepRanges(scene)).toEqual([scene.deliveryId])
    await scene.attempt(2)
    expect((await scene.received())[0]?.headers['webhook-id']).toBe(scene.deliveryId)
    expect(await scene.row()).toMatchObject({ status: 'delivered', attemptCount: 2, dueAt: null })
    expect((await scene.attempts()).map(({ trigger }) => trigger)).toEqual(['manual'])
    expect(await sweepRanges(scene)).toEqual([])
  })

  it('leaves deliveries that cannot be enqueued to the sweep of deliveries', async () => {
    const scene = await newScene()
    await insertDeliveries(scene.tenantId, 150, { status: 'permanently_failed', createdAt: 1000 })
    await start(scene)
    const sendBatch = async () => await Promise.reject(new Error('Queue unavailable'))
    const broken = continueRangeRedeliveries({ db, queue: { sendBatch } as unknown as Queue }, scene.clock.now)
    await broken
    const pending = await db
      .select()
      .from(deliveries)
      .where(eq(deliveries.dueAt, scene.clock.now + 60_000))
    expect(pending.filter(({ tenantId, createdAt }) => tenantId === scene.tenantId && createdAt === 1000)).toHaveLength(
      150,
    )
    expect(await sweepRanges(scene)).toEqual([])
    expect(await jobOf(scene)).toMatchObject({ redelivered: 150, nextAt: null })
  })

  it('of one status leaves the others as they are, and counts what it has redelivered', async () => {
    const scene = await newScene({
      delivery: { status: 'delivered', nextAttemptAt: null, dueAt: null, createdAt: 1500 },
    })
    await insertDeliveries(scene.tenantId, 1050, { status: 'permanently_failed', createdAt: 1000 })
    const ofStatus = { ...range, status: 'permanently_failed' } as const
    await redeliverRange(db, scene.tenantId, ofStatus, scene.clock.now)
    expect(await sweepRanges(scene)).toHaveLength(1000)
    expect(await jobOf(scene)).toMatchObject({
      found: 1050,
      redelivered: 1000,
      positionAt: 1000,
      nextAt: scene.clock.now,
    })
    expect(await sweepRanges(scene)).toHaveLength(50)
    expect(await jobOf(scene)).toMatchObject({ redelivered: 1050, nextAt: null })
    expect((await scene.row())?.status).toBe('delivered')
  })

  it('is refused while the webhook is off, and while an earlier one is under way', async () => {
    const scene = await newScene()
    await start(scene)
    await expect(start(scene)).rejects.toMatchObject({ status: 409, message: 'Redelivery under way' })
    await scene.configure({ enabled: false })
    expect(await jobOf(scene)).toMatchObject({ nextAt: null })
    await expect(start(scene)).rejects.toMatchObject({ status: 409, message: 'Webhook is off' })
  })
})

describe('POST redeliver', () => {
  const path = '/garment-tagging/webhook/redeliver'

  it('accepts a time range', async () => {
    const { auth, tenantId } = await newTenant()
    await call('PUT', '/garment-tagging/webhook/config', auth, { enabled: true, url: 'http://127.0.0.1:1/' })
    const body = { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00+01:00' }
    const { status, body: answer } = await call('POST', path, auth, body)
    expect([status, answer.data]).toEqual([
      200,
      {
        from: '2026-11-01T00:00:00.000Z',
        to: '2026-11-01T23:00:00.000Z',
        endpoint: null,
        status: null,
        found: 0,
        redelivered: 0,
        position: '2026-11-01T00:00:00.000Z',
        has_ended: false,
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ])
    expect((await call('GET', path, auth)).body.data).toEqual(answer.data)
    await continueRangeRedeliveries({ db: databaseOf(tenantId), queue: bindings.WEBHOOK_QUEUE }, Date.now())
    const ended = { redelivered: 0, position: '2026-11-01T23:00:00.000Z', has_ended: true }
    expect((await call('GET', path, auth)).body.data).toMatchObject(ended)
  })

  it('answers 404 for the progress of none', async () => {
    const { auth } = await newTenant()
    expect(await call('GET', path, auth)).toMatchObject({ status: 404, body: { code: 'redelivery_not_found' } })
  })

  it('counts no range of more than 10,000 deliveries', async () => {
    const scene = await newScene()
    await insertDeliveries(scene.tenantId, 10_001, { status: 'delivered', createdAt: 1000 })
    expect((await start(scene)).found).toBeNull()
  })

  it('says of a time range that there is no endpoint of the given id, or that it is off', async () => {
    const { auth } = await newTenant()
    const base = '/garment-tagging/webhook'
    await call('PUT', `${base}/config`, auth, { enabled: true, url: 'http://127.0.0.1:1/' })
    const off = { enabled: false, url: 'http://127.0.0.1:2/' }
    const { id } = (await call('POST', `${base}/endpoints`, auth, off)).body.data
    const range = { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' }
    const codeOf = async (endpoint: string) => (await call('POST', path, auth, { ...range, endpoint })).body.code
    expect([await codeOf('mistyped'), await codeOf(id)]).toEqual(['endpoint_not_found', 'webhook_off'])
    await call('DELETE', `${base}/endpoints/${id}`, auth)
    expect(await codeOf(id)).toBe('endpoint_not_found')
  })

  it('refuses anything that is neither one garment nor a time range, naming the field', async () => {
    const { auth } = await newTenant()
    const [from, to] = ['2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z']
    const cases: [object, string][] = [
      [{}, 'uuid: is required, unless from and to are given'],
      [{ from }, 'to: is required with from'],
      [{ to }, 'from: is required with to'],
      [{ uuid: 'g', from, to }, 'uuid: must not be given together with from and to'],
      [{ from: 'yesterday', to }, 'from: must be an ISO 8601 date or time, such as 2026-11-27 or 2026-11-27T12:00:00Z'],
    ]
    for (const [body, problem] of cases) expect((await call('POST', path, auth, body)).body.error).toEqual([problem])
  })

  it('takes a status with a time range only, and only one of ended deliveries', async () => {
    const { auth } = await newTenant()
    const [from, to] = ['2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z']
    const cases: [object, string][] = [
      [{ uuid: 'g', status: 'delivered' }, 'status: must not be given together with uuid'],
      [{ from, to, status: 'pending' }, 'status: must be delivered or permanently_failed'],
    ]
    for (const [body, problem] of cases) expect((await call('POST', path, auth, body)).body.error).toEqual([problem])
  })

  it('refuses a range that ends before it begins', async () => {
    const { auth } = await newTenant()
    const body = { from: '2026-11-02T00:00:00Z', to: '2026-11-01T00:00:00Z' }
    expect((await call('POST', path, auth, body)).body.error).toEqual(['to: must be later than from'])
  })
})
