import { taggingDelivery } from '../../support/tagging-delivery.ts'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { deliveries, webhookEndpoints } from '../../../src/platform/db/schema.ts'
import { getConfig } from '../../../src/webhooks/endpoints/endpoint.ts'
import { db, keys, newScene, type Scene, startMs } from '../webhook-scene.ts'

const dayMs = 86_400_000

/** A delivery's second failed attempt, `days` after the receiver's first failure and a day after its own. */
async function failAfter(days: number, query = 'status=500'): Promise<Scene> {
  const scene = await newScene({ query, delivery: { createdAt: startMs - dayMs } })
  await db
    .update(webhookEndpoints)
    .set({ failingSince: startMs - days * dayMs })
    .where(eq(webhookEndpoints.tenantId, scene.tenantId))
  await db.insert(deliveries).values({
    id: crypto.randomUUID(),
    tenantId: scene.tenantId,
    garmentUuid: 'another',
    ...taggingDelivery,
    status: 'pending',
    dueAt: startMs + 1,
    createdAt: startMs,
    updatedAt: startMs,
  })
  await scene.attempt(1)
  return scene
}

const statuses = async (scene: Scene) =>
  (await db.select().from(deliveries).where(eq(deliveries.tenantId, scene.tenantId))).map(({ status }) => status)

describe('a receiver that has failed every attempt for five days', () => {
  it('is disabled with a reason in its configuration, and pending deliveries end with that reason', async () => {
    const scene = await failAfter(5)
    const reason = 'Switched off by the service: every delivery since 2026-11-16T12:00:00.000Z has failed'
    const config = await getConfig(db, scene.tenantId, keys)
    expect(config).toMatchObject({ enabled: false, url: expect.stringContaining('/to/'), disabled_reason: reason })
    expect(await statuses(scene)).toEqual(['permanently_failed', 'permanently_failed'])
    expect((await scene.row())?.lastError).toBe(reason)
    expect(await scene.counts()).toEqual({ permanently_failed: 2 })
  })

  it('starts over with a new configuration', async () => {
    const scene = await failAfter(5)
    await scene.configure()
    const config = await getConfig(db, scene.tenantId, keys)
    expect(config.enabled).toBe(true)
    expect(config).not.toHaveProperty('disabled_reason')
    expect((await scene.config())?.failingSince).toBeNull()
  })
})

it('a receiver that has failed for less than five days stays enabled', async () => {
  const scene = await failAfter(4.99)
  expect((await scene.config())?.enabled).toBe(true)
  expect(await statuses(scene)).toEqual(['pending', 'pending'])
})

it('one success resets the time since when a receiver fails', async () => {
  const scene = await failAfter(6, 'status=200')
  expect(await scene.config()).toMatchObject({ enabled: true, failingSince: null })
})

it('the first failure sets the time since when a receiver fails, and later ones keep it', async () => {
  const scene = await newScene({ query: 'status=500' })
  expect((await scene.config())?.failingSince).toBeNull()
  await scene.attempt(1)
  scene.clock.now += 5000
  await scene.attempt(2)
  expect((await scene.config())?.failingSince).toBe(startMs)
})

it('one failure after days without deliveries does not disable a receiver', async () => {
  const scene = await newScene({ query: 'status=500' })
  await db
    .update(webhookEndpoints)
    .set({ failingSince: startMs - 30 * dayMs })
    .where(eq(webhookEndpoints.tenantId, scene.tenantId))
  await scene.attempt(1)
  expect((await scene.config())?.enabled).toBe(true)
})
