import { eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { openDatabase, runBatch } from '../../../src/platform/db/database.ts'
import { deliveries } from '../../../src/platform/db/schema.ts'
import { putPause } from '../../../src/operations/pauses.ts'
import { attemptDelivery, type AttemptDeps } from '../../../src/webhooks/deliveries/attempt-delivery.ts'
import { directSender } from '../../../src/webhooks/deliveries/send-to-dispatcher.ts'
import type { DeliveryMessage } from '../../../src/events/delivery.ts'
import { leaseMs, startDeliveries } from '../../../src/events/delivery-transitions.ts'
import { bindings } from '../../service.ts'
import { countDatabase } from '../../support/count-database.ts'
import { db, newScene, startedOf, startMs } from '../webhook-scene.ts'

/** A scene whose delivery is started over and claimed by that. */
async function newClaimed() {
  const scene = await newScene()
  const { statements, messagesOf } = startDeliveries(db, { ...startedOf(scene), isClaimed: true }, startMs)
  const [message] = messagesOf((await runBatch(db, { started: statements })).started)
  if (message === undefined) throw new Error('No delivery was started')
  const attempt = async (changed: Partial<DeliveryMessage> = {}, changes: Partial<AttemptDeps> = {}) =>
    await attemptDelivery({ ...message, ...changed }, { ...scene.deps, ...changes })
  const row = async () => (await db.select().from(deliveries).where(eq(deliveries.tenantId, scene.tenantId)))[0]
  return { ...scene, scene, claimed: message, attempt, row }
}

const withoutClaim = { isClaimed: undefined }

describe('a delivery that its start has claimed', () => {
  it('is attempted without a claim of its own: six rows from its start to its recorded attempt', async () => {
    const first = await newClaimed()
    await first.attempt()
    const { DB, counts } = countDatabase(bindings.DB)
    const counted = openDatabase(DB)
    await db.delete(deliveries).where(eq(deliveries.tenantId, first.tenantId))
    const { statements, messagesOf } = startDeliveries(counted, { ...startedOf(first.scene), isClaimed: true }, startMs)
    const [message] = messagesOf((await runBatch(counted, { started: statements })).started)
    await first.attempt(message, { db: counted })
    expect(await first.received()).toHaveLength(2)
    // The row with two entries in indexes; the row again with another, and the count of the day.
    expect(counts.rowsWritten).toBe(6)
    expect(await first.row()).toMatchObject({ status: 'delivered', claims: 0, claimId: null, leaseUntil: null })
  })

  it('is sent once, however often and by whichever way its messages come', async () => {
    const scene = await newClaimed()
    await scene.attempt(withoutClaim)
    expect(await scene.received()).toEqual([])
    await scene.attempt()
    await scene.attempt()
    await scene.attempt(withoutClaim)
    expect(await scene.received()).toHaveLength(1)
    expect(await scene.counts()).toEqual({ delivered: 1 })
  })

  it('is claimed again by its dispatcher if it waited there, and then by nobody else', async () => {
    const scene = await newClaimed()
    scene.clock.now += leaseMs - 1
    const call: AttemptDeps['call'] = async (...args) => {
      expect((await scene.row())?.leaseUntil).toBe(scene.clock.now + leaseMs)
      scene.clock.now += 2
      await scene.attempt(withoutClaim)
      await scene.attempt()
      return await scene.deps.call(...args)
    }
    await scene.attempt({}, { call })
    expect(await scene.received()).toHaveLength(1)
  })

  it('is found by the sweep if its message is lost', async () => {
    const scene = await newClaimed()
    scene.clock.now += leaseMs
    await scene.attempt(withoutClaim)
    expect(await scene.received()).toHaveLength(1)
    await scene.attempt()
    expect(await scene.received()).toHaveLength(1)
  })

  it('waits while deliveries are paused', async () => {
    const scene = await newClaimed()
    const { tenantId } = scene
    await putPause(bindings, { tenant: tenantId, deliveries: true }, startMs)
    await scene.attempt()
    await putPause(bindings, { tenant: tenantId, deliveries: false }, startMs)
    expect([await scene.received(), (await scene.row())?.status]).toEqual([[], 'pending'])
  })

  it('goes by the queue after its lease if no dispatcher takes it', async () => {
    const scene = await newClaimed()
    const send = vi.fn<(message: DeliveryMessage, options: QueueSendOptions) => Promise<void>>()
    const accept = async () => await Promise.reject(new Error('overloaded'))
    const env = { ...bindings, DISPATCHER: { getByName: () => ({ accept }) }, WEBHOOK_QUEUE: { send } }
    await directSender(env as unknown as Env).send(scene.claimed)
    const { isClaimed, ...message } = scene.claimed
    expect([isClaimed, send.mock.calls]).toEqual([true, [[message, { delaySeconds: leaseMs / 1000 }]]])
  })
})
