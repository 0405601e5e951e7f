import { taggingDelivery } from '../support/tagging-delivery.ts'
import { eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { deliveries, webhookEndpoints } from '../../src/platform/db/schema.ts'
import { insertGarment } from '../garments/review/complete-garment.ts'
import { call, databaseOf, newTenant, raw } from '../service.ts'
import { newScene, receiver } from './webhook-scene.ts'

describe('POST /garment-tagging/webhook/test', () => {
  it('sends one signed event, and answers with its outcome', async () => {
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

  it('reports success for a receiver that accepts it, and does not count it as a delivery', async () => {
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
    const json = { ...auth, 'Content-Type': 'application/json' }
    expect((await raw('POST', '/garment-tagging/webhook/test', json)).status).toBe(200)
    expect((await raw('POST', '/garment-tagging/webhook/test', json, '{')).status).toBe(400)
    const [row] = await databaseOf(tenantId)
      .select()
      .from(webhookEndpoints)
      .where(eq(webhookEndpoints.tenantId, tenantId))
    expect(row?.failingSince).toBeNull()
  })
})

describe('a redelivery', () => {
  it('is requested through the API and sent', async () => {
    const { auth, tenantId } = await newTenant()
    const db = databaseOf(tenantId)
    const url = receiver.url(`redelivered-${tenantId}`)
    await call('PUT', '/garment-tagging/webhook/config', auth, { enabled: true, url })
    await insertGarment(tenantId, 'g')
    const id = crypto.randomUUID()
    const row = { ...taggingDelivery, id, tenantId, garmentUuid: 'g', attemptCount: 9, createdAt: 1, updatedAt: 2 }
    await db.insert(deliveries).values({ ...row, status: 'permanently_failed' })
    const status = async () => (await db.select().from(deliveries).where(eq(deliveries.id, id)))[0]?.status
    const path = '/garment-tagging/webhook/redeliver'
    expect((await call('POST', path, auth, {})).status).toBe(400)
    const answer = await call('POST', path, auth, { uuid: 'g' })
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({ uuid: id, status: 'pending', attempt_count: 9 })
    await vi.waitFor(async () => expect(await status()).toBe('delivered'), { timeout: 300_000, interval: 20 })
    const attempts = await call('GET', '/garment-tagging/webhook/attempts?uuid=g', auth)
    expect(attempts.body.data).toMatchObject({
      attempts: [{ trigger: 'manual', response_status: 200, error: '', response_body: 'ok' }],
      next_cursor: null,
    })
  })
})

describe('the delivery status', () => {
  it('is the specified record with all its fields', async () => {
    const { auth, tenantId } = await newTenant()
    const db = databaseOf(tenantId)
    const row = {
      id: '0d6e2b1c-0000-4000-8000-000000000000',
      tenantId,
      garmentUuid: 'shirt/1 ü',
      ...taggingDelivery,
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
      endpoints: [],
    })
    expect((await call('GET', path('none'), auth)).body.error).toEqual([expect.stringMatching(/^uuid: /)])
    const unknown = await call('GET', `${path('shirt/1 ü')}&endpoint=none`, auth)
    expect([unknown.status, unknown.body.error]).toEqual([404, ['endpoint: there is no webhook endpoint of this id']])
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
