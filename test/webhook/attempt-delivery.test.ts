import { createHmac } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import { Webhook as FirstWebhook } from 'standardwebhooks-1.0.0'
import { Webhook as SvixWebhook } from 'svix'
import { describe, expect, it } from 'vitest'
import { deliveries, garments, tenants, webhookConfigs } from '../../src/db/schema.ts'
import { attemptDelivery } from '../../src/webhook/attempt-delivery.ts'
import { exchangeTimeoutMs } from '../../src/webhook/call-receiver.ts'
import { leaseMs } from '../../src/webhook/claim-attempt.ts'
import { db, newScene, receiver, secret, startMs } from './scene.ts'

const hourMs = 3_600_000

describe('a delivery', () => {
  it('ends delivered at a 2xx, with its attempt and the day counted once', async () => {
    const scene = await newScene()
    await scene.attempt(1)
    expect(await scene.row()).toMatchObject({
      status: 'delivered',
      attemptCount: 1,
      lastAttemptAt: startMs,
      nextAttemptAt: null,
      lastError: '',
      responseStatus: 200,
      dueAt: null,
      claimId: null,
      leaseUntil: null,
    })
    expect(await scene.received()).toHaveLength(1)
    expect(await scene.attempts()).toMatchObject([
      { at: startMs, trigger: 'automatic', responseStatus: 200, responseBody: 'ok', error: '' },
    ])
    expect(await scene.counts()).toEqual({ delivered: 1 })
    expect(scene.sent).toEqual([])
  })

  it('is tried again after a failure, by a message that is enqueued for then', async () => {
    const scene = await newScene({ query: 'status=500&text=broken' })
    await scene.attempt(1)
    expect(await scene.row()).toMatchObject({
      status: 'pending',
      attemptCount: 1,
      nextAttemptAt: startMs + 5000,
      dueAt: startMs + 65_000,
      lastError: 'HTTP 500: Internal Server Error',
      responseStatus: 500,
    })
    expect(scene.sent).toEqual([{ body: scene.message(2), delaySeconds: 5 }])
    expect(await scene.attempts()).toMatchObject([{ responseStatus: 500, responseBody: 'broken' }])
    expect(await scene.counts()).toEqual({})
  })

  it('is sent nine times to a dead receiver, the same bytes under the same id, and then no more', async () => {
    const scene = await newScene({ query: 'status=500' })
    const pausesMs: number[] = []
    for (let attempt = 1; attempt <= 12; attempt++) {
      await scene.attempt(attempt)
      const next = (await scene.row())?.nextAttemptAt ?? null
      if (next === null) continue
      pausesMs.push(next - scene.clock.now)
      scene.clock.now = next
    }
    const requests = await scene.received()
    expect(requests).toHaveLength(9)
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1)
    expect(new Set(requests.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([scene.deliveryId]))
    expect(new Set(requests.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(9)
    expect(pausesMs).toEqual([5000, 300_000, 1_800_000, ...[2, 5, 10, 14, 20].map((hours) => hours * hourMs)])
    expect(await scene.row()).toMatchObject({
      status: 'permanently_failed',
      attemptCount: 9,
      nextAttemptAt: null,
      dueAt: null,
    })
    expect(await scene.attempts()).toHaveLength(9)
    expect(await scene.counts()).toEqual({ permanently_failed: 1 })
    expect(scene.sent.map(({ body }) => body.attempt)).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
  })

  it('ends at once at a 410', async () => {
    const scene = await newScene({ query: 'status=410' })
    await scene.attempt(1)
    expect(await scene.row()).toMatchObject({
      status: 'permanently_failed',
      attemptCount: 1,
      lastError: 'HTTP 410: Gone',
    })
    expect(scene.sent).toEqual([])
  })

  it.each([429, 503])('waits for as long as a %d asks', async (status) => {
    const scene = await newScene({ query: `status=${status}&retry-after=7200` })
    await scene.attempt(1)
    expect(await scene.row()).toMatchObject({
      nextAttemptAt: startMs + 2 * hourMs,
      dueAt: startMs + 2 * hourMs + 60_000,
    })
    expect(scene.sent).toEqual([{ body: scene.message(2), delaySeconds: 7200 }])
  })

  it('tells of a failed tagging too, so that nobody waits for ever', async () => {
    const failed = {
      status: 'failed',
      failureReason: 'The image was not found',
      tag: null,
      measurements: null,
    } as const
    const scene = await newScene({ garment: { ...failed, description: '' } })
    await scene.attempt(1)
    const [request] = await scene.received()
    expect(request?.headers['x-webhook-event']).toBe('tagging.failed')
    expect(request?.body).toBe(
      `{"event":"tagging.failed","timestamp":"2026-11-21T12:00:00.000Z","uuid":"${scene.uuid}","status":"failed",` +
        '"annotated_img":"","tag":null,"measurements":null,"description":"","complete":false,' +
        '"failure_reason":"The image was not found"}',
    )
  })
})

describe('what is sent', () => {
  it('is the documented body, byte for byte', async () => {
    const scene = await newScene()
    await scene.attempt(1)
    const [request] = await scene.received()
    expect(request?.body).toBe(
      `{"event":"tagging.completed","timestamp":"2026-11-21T12:00:00.000Z","uuid":"${scene.uuid}","status":"complete",` +
        `"annotated_img":"https://tags.example.com/garment-tagging/annotated/${scene.tenantId}/picture",` +
        '"tag":{"Item Type":"Größe 38 – T-Shirt 👕","Item Type Alternatives":["Bluse"]},' +
        '"measurements":{"Length (cm)":70.5},"description":"Ein blaues T-Shirt, “schön” — 日本","complete":true}',
    )
  })

  const free = 'Grüße, ein Geheimnis 👋'
  it.each([
    ['standardwebhooks', Webhook],
    ['standardwebhooks 1.0.0', FirstWebhook],
    ['svix', SvixWebhook],
  ])('is verified by %s at every attempt, for both kinds of secret', async (_, Library) => {
    for (const used of [secret, free]) {
      // Libraries compare with their own clock.
      const nowMs = Date.now()
      const scene = await newScene({ secret: used, query: 'status=500,500,200' })
      for (const attempt of [1, 2, 3]) {
        scene.clock.now = nowMs + attempt * 60_000
        await db.update(deliveries).set({ nextAttemptAt: nowMs }).where(eq(deliveries.id, scene.deliveryId))
        await scene.attempt(attempt)
      }
      const requests = await scene.received()
      expect(requests.map(({ answered }) => answered)).toEqual([500, 500, 200])
      const verifier =
        used === free ? new Library(new TextEncoder().encode(free), { format: 'raw' }) : new Library(secret)
      for (const { body, headers } of requests) {
        verifier.verify(body, headers)
        expect(() => verifier.verify(body.replace('ö', 'o'), headers)).toThrow('No matching signature found')
      }
    }
  })

  it('can be verified by hand', async () => {
    const scene = await newScene({ secret: free })
    await scene.attempt(1)
    const [request] = await scene.received()
    const digest = createHmac('sha256', free)
      .update(request?.body ?? '')
      .digest('hex')
    expect(request?.headers['x-webhook-signature']).toBe(`sha256=${digest}`)
  })

  it('has no signature where there is no secret', async () => {
    const scene = await newScene({ secret: '' })
    await scene.attempt(1)
    const names = Object.keys((await scene.received())[0]?.headers ?? {})
    expect(names).toContain('x-delivery-id')
    expect(names.filter((name) => name.startsWith('webhook-') || name.includes('signature'))).toEqual([])
  })

  it('carries the tenant’s own headers, and ours', async () => {
    const scene = await newScene({ headers: { Authorization: 'Bearer abc', 'X-Shop': 'north' } })
    await scene.attempt(1)
    expect((await scene.received())[0]?.headers).toMatchObject({
      authorization: 'Bearer abc',
      'x-shop': 'north',
      'content-type': 'application/json',
      'x-webhook-event': 'tagging.completed',
      'x-delivery-id': scene.deliveryId,
    })
  })
})

describe('the configuration', () => {
  it('that is switched off between attempts ends the delivery, unsent', async () => {
    const scene = await newScene({ query: 'status=500' })
    await scene.attempt(1)
    // Not by the verb, which would end what is pending itself: this is what slips through.
    await db.update(webhookConfigs).set({ enabled: false }).where(eq(webhookConfigs.tenantId, scene.tenantId))
    scene.clock.now += 5000
    await scene.attempt(2)
    expect(await scene.received()).toHaveLength(1)
    expect(await scene.row()).toMatchObject({
      status: 'permanently_failed',
      attemptCount: 1,
      nextAttemptAt: null,
      dueAt: null,
      lastError: 'The webhook was switched off',
    })
    expect(await scene.counts()).toEqual({ permanently_failed: 1 })
  })

  it('that is switched off while an attempt is being made ends the delivery at its note', async () => {
    const scene = await newScene({ query: 'status=500' })
    await scene.attempt(1, {
      call: async (call, origin) => {
        await scene.configure({ enabled: false })
        expect((await scene.row())?.status).toBe('pending')
        return await scene.tools.call(call, origin)
      },
    })
    expect(await scene.row()).toMatchObject({ status: 'permanently_failed', attemptCount: 1, nextAttemptAt: null })
    expect(scene.sent).toEqual([])
    expect(await scene.counts()).toEqual({ permanently_failed: 1 })
  })

  it('that is moved between attempts is followed', async () => {
    const scene = await newScene({ query: 'status=500' })
    await scene.attempt(1)
    await scene.configure({ url: receiver.url(`${scene.name}-moved`) })
    scene.clock.now += 5000
    await scene.attempt(2)
    expect(await scene.received()).toHaveLength(1)
    expect(await receiver.received(`${scene.name}-moved`)).toHaveLength(1)
  })

  it('that has its secret changed lets the former one sign beside the new one for a day', async () => {
    const scene = await newScene({ query: 'status=500' })
    await scene.configure({ secret: 'the new one' }, startMs)
    const signaturesAt = async (attempt: number, at: number) => {
      scene.clock.now = at
      await db.update(deliveries).set({ nextAttemptAt: at }).where(eq(deliveries.id, scene.deliveryId))
      await scene.attempt(attempt)
      const request = (await scene.received())[attempt - 1]
      if (request === undefined) throw new Error('nothing was sent')
      const { headers, body } = request
      expect(headers['x-webhook-signature']).toBe(
        `sha256=${createHmac('sha256', 'the new one').update(body).digest('hex')}`,
      )
      const signed = `${scene.deliveryId}.${Math.floor(at / 1000)}.${body}`
      const by = (key: string | Uint8Array) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
      return { signatures: headers['webhook-signature']?.split(' '), by }
    }
    const former = Uint8Array.from(atob(secret.slice(6)), (character) => character.charCodeAt(0))
    const during = await signaturesAt(1, startMs + 24 * hourMs - 1)
    expect(during.signatures).toEqual([during.by('the new one'), during.by(former)])
    const after = await signaturesAt(2, startMs + 24 * hourMs)
    expect(after.signatures).toEqual([after.by('the new one')])
  })

  it('of a tenant that was deleted between attempts leads to nothing', async () => {
    const scene = await newScene({ query: 'status=500' })
    await scene.attempt(1)
    scene.clock.now += 5000
    await db.delete(tenants).where(eq(tenants.id, scene.tenantId))
    await db.delete(webhookConfigs).where(eq(webhookConfigs.tenantId, scene.tenantId))
    await scene.attempt(2)
    expect((await scene.row())?.status).toBe('permanently_failed')
    await db.delete(deliveries).where(eq(deliveries.tenantId, scene.tenantId))
    await db.delete(garments).where(eq(garments.tenantId, scene.tenantId))
    await scene.attempt(2)
    expect(await scene.received()).toHaveLength(1)
    expect(await scene.row()).toBeUndefined()
  })
})

describe('a message', () => {
  it('that comes twice in turn sends once', async () => {
    const scene = await newScene()
    await scene.attempt(1)
    await scene.attempt(1)
    expect(await scene.received()).toHaveLength(1)
    expect(await scene.attempts()).toHaveLength(1)
    expect(await scene.counts()).toEqual({ delivered: 1 })
  })

  it('that comes twice in turn starts one chain of retries', async () => {
    const scene = await newScene({ query: 'status=500' })
    await scene.attempt(1)
    scene.clock.now += 5000
    await scene.attempt(1)
    expect(await scene.received()).toHaveLength(1)
    expect(scene.sent).toHaveLength(1)
  })

  it('that comes twice at once sends once', async () => {
    const scene = await newScene({ query: 'delay=50' })
    await Promise.all([scene.attempt(1), scene.attempt(1), scene.attempt(1)])
    expect(await scene.received()).toHaveLength(1)
    expect(await scene.attempts()).toHaveLength(1)
    expect(await scene.counts()).toEqual({ delivered: 1 })
  })

  it('of attempt 3 that comes after attempt 4 sends nothing', async () => {
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

  it('that comes before its time sends nothing', async () => {
    const scene = await newScene({ query: 'status=500' })
    await scene.attempt(1)
    scene.clock.now += 3000
    await scene.attempt(2)
    expect(await scene.received()).toHaveLength(1)
  })

  it('of another tenant sends nothing', async () => {
    const [scene, other] = [await newScene(), await newScene()]
    await attemptDelivery({ ...scene.message(1), tenantId: other.tenantId }, scene.tools)
    expect(await scene.received()).toHaveLength(0)
    expect(await other.received()).toHaveLength(0)
  })

  it('for a garment that is being tagged anew sends nothing and is no attempt', async () => {
    const scene = await newScene({ garment: { status: 'queuing', endedAt: null } })
    await scene.attempt(1)
    expect(await scene.received()).toHaveLength(0)
    expect(await scene.row()).toMatchObject({ status: 'pending', attemptCount: 0, leaseUntil: null, claims: 0 })
    expect((await scene.row())?.dueAt).toBeGreaterThan(startMs)
  })
})

describe('a lease', () => {
  it('that has run out lets another run have the attempt, and the first run’s note counts for nothing', async () => {
    const scene = await newScene({ query: 'status=500,200' })
    await scene.attempt(1, {
      call: async (call, origin) => {
        const answer = await scene.tools.call(call, origin)
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
