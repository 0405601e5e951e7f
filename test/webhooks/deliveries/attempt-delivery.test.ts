import { describe, expect, it } from 'vitest'
import { newScene, startMs } from '../webhook-scene.ts'

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
      { at: startMs, trigger: 'automatic', responseStatus: 200, responseBody: 'ok', error: null },
    ])
    expect(await scene.counts()).toEqual({ delivered: 1 })
    expect(scene.sent).toEqual([])
  })

  it('is retried after a failure by a delayed message', async () => {
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

  it('is sent nine times to a dead receiver, with the same bytes and id each time', async () => {
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

  it('reports a failed tagging too, with its code', async () => {
    const failed = {
      status: 'failed',
      failure: '{"code":"host_status","params":{"status":404}}',
      result: null,
    } as const
    const scene = await newScene({ garment: failed })
    await scene.attempt(1)
    const [request] = await scene.received()
    expect(request?.headers['x-webhook-event']).toBe('tagging.failed')
    expect(request?.body).toBe(
      `{"event":"tagging.failed","timestamp":"2026-11-21T12:00:00.000Z","uuid":"${scene.uuid}","status":"failed",` +
        '"annotated_img":"","tag":null,"measurements":null,"description":"","complete":false,"number":1042,' +
        '"images":[{"id":"276a1ac00ba4f0ea","kind":"front","original_img":"https://example.com/a.jpg",' +
        '"annotated_img":"","cutout_img":"","rotated":0,"width":null,"height":null,"failure_code":"host_status"}],' +
        '"probabilities":null,"shown":null,"scale":null,"notes":[],"tagger":"",' +
        '"label":null,"attribute":{},"listing":{"title":"","text":"","price":"","currency":"","size":"","condition":"","stock":"","sku":""},"size":null,"stage":"draft","sold":null,' +
        '"failure_reason":"The image host answered with HTTP 404.","failure_code":"host_status"}',
    )
  })
})
