import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { deliveries } from '../../../src/db/schema.ts'
import { sweepDeliveries } from '../../../src/webhook/delivery/sweep-deliveries.ts'
import { bindings } from '../../service.ts'
import { db, newScene, sweep } from '../scene.ts'

describe('the sweep', () => {
  it('does not multiply a backlog: each time it waits longer before it enqueues the same delivery again', async () => {
    const scene = await newScene()
    const enqueuedAtMinute: number[] = []
    for (let minute = 0; minute <= 240; minute++) {
      if ((await sweep(scene, scene.clock.now + minute * 60_000)).length > 0) enqueuedAtMinute.push(minute)
    }
    expect(enqueuedAtMinute.slice(0, 4)).toEqual([1, 2, 3, 5])
    expect(enqueuedAtMinute.length).toBeLessThan(14)
    const last = enqueuedAtMinute.at(-1) ?? 0
    expect(last).toBeGreaterThan(180)
  })

  it('goes through more than one step’s worth, each delivery once', async () => {
    const scene = await newScene()
    await db.delete(deliveries).where(eq(deliveries.id, scene.deliveryId))
    const base = {
      tenantId: scene.tenantId,
      status: 'pending' as const,
      createdAt: 0,
      updatedAt: 0,
      nextAttemptAt: 1,
      dueAt: 1,
    }
    for (let i = 0; i < 250; i += 10) {
      const rows = Array.from({ length: 10 }, (_, j) => ({ ...base, id: crypto.randomUUID(), garmentUuid: `${i + j}` }))
      for (const row of rows) await db.insert(deliveries).values(row)
    }
    const steps: number[] = []
    const seen = new Set<string>()
    const queue = {
      sendBatch: async (messages: { body: { tenantId: string; deliveryId: string } }[]) => {
        const ours = messages.filter(({ body }) => body.tenantId === scene.tenantId)
        steps.push(ours.length)
        for (const { body } of ours) seen.add(body.deliveryId)
      },
    } as unknown as Queue
    await sweepDeliveries({ DB: bindings.DB, WEBHOOK_QUEUE: queue }, 2)
    expect(seen.size).toBe(250)
    expect(steps).toEqual([100, 100, 50])
  })

  it('leaves what has ended alone', async () => {
    const scene = await newScene()
    await scene.attempt(1)
    expect(await sweep(scene, scene.clock.now + 365 * 86_400_000)).toEqual([])
  })
})
