import { and, eq } from 'drizzle-orm'
import { vi } from 'vitest'
import { deliveries } from '../../../src/platform/db/schema.ts'
import { db, newScene, type Scene } from '../webhook-scene.ts'

/** The bound is for what hangs, not a measurement: a busy machine is slow. */
export const until = async (check: () => Promise<void>) => await vi.waitFor(check, { timeout: 300_000, interval: 20 })

/** A scene whose delivery is due by the real clock. */
export async function dueNow(query = ''): Promise<Scene> {
  const scene = await newScene({ query })
  const now = Date.now()
  await db
    .update(deliveries)
    .set({ nextAttemptAt: now, dueAt: now + 60_000 })
    .where(and(eq(deliveries.tenantId, scene.tenantId), eq(deliveries.id, scene.deliveryId)))
  return scene
}
