import { describe, expect, it } from 'vitest'
import { deliveryAttempts } from '../../../src/platform/db/schema.ts'
import { listAttempts } from '../../../src/webhooks/deliveries/list-deliveries.ts'
import { redeliver } from '../../../src/webhooks/deliveries/redeliver.ts'
import { db, newScene, receiver, type Scene, type SceneOptions, startMs } from '../webhook-scene.ts'

/** A delivery that has ended as `status` after `attempts`. */
const ended = async (status: 'delivered' | 'permanently_failed', attemptCount: number, options: SceneOptions = {}) =>
  await newScene({ ...options, delivery: { status, attemptCount, nextAttemptAt: null, dueAt: null } })

const again = async (scene: Scene) => await redeliver(db, scene.queue, scene.tenantId, scene.uuid, scene.clock.now)

describe('a redelivery by hand', () => {
  it('makes the tenth attempt after nine that failed', async () => {
    const scene = await newScene({ query: `status=${'500,'.repeat(9)}200` })
    for (let attempt = 1; attempt <= 9; attempt++) {
      await scene.attempt(attempt)
      scene.clock.now = (await scene.row())?.nextAttemptAt ?? scene.clock.now
    }
    expect(await scene.row()).toMatchObject({ status: 'permanently_failed', attemptCount: 9 })
    scene.sent.length = 0
    scene.clock.now += 1000
    expect(await again(scene)).toMatchObject({ status: 'pending', attemptCount: 9 })
    expect(scene.sent).toEqual([{ body: scene.message(10), delaySeconds: undefined }])
    await scene.attempt(10)
    await scene.attempt(11)
    expect(await scene.received()).toHaveLength(10)
    expect(await scene.row()).toMatchObject({
      status: 'delivered',
      attemptCount: 10,
      nextAttemptAt: null,
      lastError: '',
    })
    expect((await scene.attempts()).map(({ trigger }) => trigger)).toEqual([
      ...Array<string>(9).fill('automatic'),
      'manual',
    ])
    expect(await scene.counts()).toEqual({ permanently_failed: 1, delivered: 1 })
  })

  it('is a single attempt: if it fails, the delivery stays permanently failed', async () => {
    const scene = await ended('permanently_failed', 9, { query: 'status=500' })
    await again(scene)
    await scene.attempt(10)
    expect(await scene.row()).toMatchObject({
      status: 'permanently_failed',
      attemptCount: 10,
      nextAttemptAt: null,
      dueAt: null,
    })
    expect(scene.sent).toHaveLength(1)
    expect(await scene.counts()).toEqual({})
  })

  it('sends a delivered one again under the same id, and leaves it delivered if that fails', async () => {
    const scene = await ended('delivered', 1, { query: 'status=500' })
    await again(scene)
    await scene.attempt(2)
    expect((await scene.received())[0]?.headers['webhook-id']).toBe(scene.deliveryId)
    expect(await scene.row()).toMatchObject({ status: 'delivered', attemptCount: 2, responseStatus: 500 })
    expect(await scene.counts()).toEqual({})
  })

  it('replaces the retry that is waiting', async () => {
    const scene = await newScene({ query: 'status=500' })
    await scene.attempt(1)
    scene.clock.now += 1000
    await again(scene)
    await scene.attempt(2)
    expect(await scene.received()).toHaveLength(2)
    expect((await scene.row())?.nextAttemptAt).toBe(scene.clock.now + 300_000)
    // The message of the retry that it replaced arrives all the same.
    scene.clock.now += 4000
    await scene.attempt(2)
    expect(await scene.received()).toHaveLength(2)
    expect(scene.sent.map(({ body }) => body.attempt)).toEqual([2, 2, 3])
  })

  it('requested twice at the same time is made once', async () => {
    const scene = await ended('delivered', 1, { query: 'status=500' })
    await Promise.all([again(scene), again(scene)])
    await Promise.all([scene.attempt(2), scene.attempt(2)])
    await scene.attempt(3)
    expect(await scene.received()).toHaveLength(1)
    expect((await scene.row())?.status).toBe('delivered')
  })

  it('is refused while an attempt is being made', async () => {
    const scene = await newScene()
    await scene.attempt(1, {
      call: async (call, origin) => {
        await expect(again(scene)).rejects.toMatchObject({ status: 409, message: 'Attempt under way' })
        return await scene.deps.call(call, origin)
      },
    })
    expect(await scene.received()).toHaveLength(1)
  })

  it('is refused while the webhook is off', async () => {
    const scene = await ended('permanently_failed', 9)
    await scene.configure({ enabled: false })
    await expect(again(scene)).rejects.toMatchObject({ status: 409, message: 'Webhook is off' })
    expect((await scene.row())?.status).toBe('permanently_failed')
  })

  it('of another tenant’s garment, or of none, is not found', async () => {
    const [scene, other] = [await ended('delivered', 1), await newScene()]
    const theirs = redeliver(db, scene.queue, other.tenantId, scene.uuid, startMs)
    await expect(theirs).rejects.toMatchObject({ status: 404 })
    await expect(redeliver(db, scene.queue, scene.tenantId, 'none', startMs)).rejects.toMatchObject({ status: 404 })
    expect((await scene.row())?.status).toBe('delivered')
  })

  it('goes to the URL that is configured now', async () => {
    const scene = await ended('delivered', 1)
    await scene.configure({ url: receiver.url(`${scene.name}-new`) })
    await again(scene)
    await scene.attempt(2)
    expect(await receiver.received(`${scene.name}-new`)).toHaveLength(1)
  })
})

describe('the list of attempts', () => {
  it('has the latest 20, however often the delivery is repeated', async () => {
    const scene = await newScene()
    await scene.attempt(1)
    for (let attempt = 2; attempt <= 24; attempt++) {
      await again(scene)
      await scene.attempt(attempt)
    }
    expect(await scene.row()).toMatchObject({ status: 'delivered', attemptCount: 24 })
    const latest = Array.from({ length: 20 }, (_, i) => i + 5)
    expect((await scene.attempts()).map(({ attempt }) => attempt)).toEqual(latest)

    // Failures are kept in the same number, the nine automatic ones with them until then.
    const failing = await ended('permanently_failed', 19, { query: 'status=500' })
    const other = await ended('permanently_failed', 19, { query: 'status=500' })
    for (const { id, tenantId } of [await failing.row(), await other.row()].filter((row) => row !== undefined))
      await db.insert(deliveryAttempts).values(
        Array.from({ length: 9 }, (_, i) => ({
          deliveryId: id,
          attempt: i + 1,
          tenantId,
          at: startMs,
          durationMs: 1,
          responseStatus: 500,
          error: '',
          responseBody: '',
          trigger: 'automatic' as const,
        })),
      )
    for (const [attempt, oldest] of [
      [20, 1],
      [21, 2],
      [22, 3],
    ] as const) {
      await again(failing)
      await failing.attempt(attempt)
      expect((await failing.attempts())[0]?.attempt).toBe(oldest)
    }
    expect(await other.attempts()).toHaveLength(9)
  })

  it('is paged, oldest first, and shows each attempt once', async () => {
    const scene = await newScene({ query: 'status=500&text=sorry' })
    for (let attempt = 1; attempt <= 5; attempt++) {
      await scene.attempt(attempt)
      scene.clock.now = (await scene.row())?.nextAttemptAt ?? 0
    }
    const seen: unknown[] = []
    let cursor: string | undefined
    for (let page = 0; page < 3; page++) {
      const { rows, nextCursor } = await listAttempts(db, scene.tenantId, scene.uuid, { limit: 2, cursor })
      seen.push(...rows)
      expect(nextCursor === null).toBe(page === 2)
      cursor = nextCursor ?? undefined
    }
    expect(seen).toEqual(await scene.attempts())
    expect(seen[0]).toMatchObject({ at: startMs, attempt: 1, responseStatus: 500, responseBody: 'sorry' })
  })

  it('is empty before the first attempt, and not found without a delivery', async () => {
    const scene = await newScene()
    expect(await listAttempts(db, scene.tenantId, scene.uuid, { limit: 10 })).toEqual({ rows: [], nextCursor: null })
    await expect(listAttempts(db, scene.tenantId, 'none', { limit: 10 })).rejects.toMatchObject({ status: 404 })
  })

  it('refuses an invalid cursor', async () => {
    const scene = await newScene()
    for (const cursor of ['', 'x', '1'])
      await expect(listAttempts(db, scene.tenantId, scene.uuid, { limit: 10, cursor })).rejects.toMatchObject({
        status: 400,
      })
  })
})
