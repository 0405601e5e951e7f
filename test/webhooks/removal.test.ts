import { taggingDelivery } from '../support/tagging-delivery.ts'
import { nextMessage } from '../../src/events/delivery.ts'
import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { openDatabase, runBatch } from '../../src/platform/db/database.ts'
import { deliveries, deliveryAttempts, webhookEndpoints } from '../../src/platform/db/schema.ts'
import { startDeliveries } from '../../src/events/delivery-transitions.ts'
import { continueEndings } from '../../src/events/end-deliveries.ts'
import { attemptDelivery } from '../../src/webhooks/deliveries/attempt-delivery.ts'
import { purgeWebhook, removeExpiredDeliveries } from '../../src/webhooks/maintain-webhooks.ts'
import { putConfig } from '../../src/webhooks/endpoints/change-endpoint.ts'
import { bindings, someone } from '../service.ts'
import { replaceMethods, wrapDatabase } from '../support/wrap-database.ts'
import {
  db,
  insertDeliveries,
  keys,
  localPolicy,
  newScene,
  receiver,
  type Scene,
  secret,
  startedOf,
  startMs,
} from './webhook-scene.ts'

// All times here are before 1970, so that no row of another test is old enough to be removed.
const longAgo = -2000
const limitMs = -1000

const countOf = async (table: typeof deliveries | typeof deliveryAttempts, { tenantId }: Scene) =>
  await db.$count(table, eq(table.tenantId, tenantId))

/** With a second attempt to be made, which has a row of its own. */
const newRedelivered = async () => await newScene({ delivery: { attemptCount: 1 } })

describe('the removal of expired deliveries', () => {
  it('removes ended ones with their attempts in bounded steps, and keeps the pending and the younger', async () => {
    const [old, young] = [await newRedelivered(), await newRedelivered()]
    await old.attempt(2)
    await db.update(deliveries).set({ createdAt: longAgo }).where(eq(deliveries.tenantId, old.tenantId))
    await insertDeliveries(old.tenantId, 25, { status: 'permanently_failed', createdAt: longAgo })
    await db.insert(deliveries).values({
      id: crypto.randomUUID(),
      tenantId: old.tenantId,
      garmentUuid: 'still pending',
      ...taggingDelivery,
      status: 'pending',
      dueAt: 9e15,
      createdAt: longAgo,
      updatedAt: longAgo,
    })
    await young.attempt(2)

    const tenants = [old, young].map(({ tenantId }) => ({ id: tenantId, beforeMs: limitMs }))
    const steps: number[] = []
    do steps.push(await removeExpiredDeliveries(db, tenants, startMs, 10))
    while (steps.at(-1) !== 0)
    expect(steps).toEqual([10, 10, 6, 0])
    expect([await countOf(deliveries, old), await countOf(deliveryAttempts, old)]).toEqual([1, 0])
    expect([await countOf(deliveries, young), await countOf(deliveryAttempts, young)]).toEqual([1, 1])
  })
})

describe('the purge of a deleted tenant', () => {
  it('removes its deliveries, attempts and configuration in bounded steps, and nothing of another tenant', async () => {
    const [deleted, other] = [await newRedelivered(), await newRedelivered()]
    for (const scene of [deleted, other]) await scene.attempt(2)
    await insertDeliveries(deleted.tenantId, 24)
    const steps: number[] = []
    do steps.push(await purgeWebhook(db, deleted.tenantId, 10))
    while (steps.at(-1) !== 0)
    expect(steps).toEqual([10, 10, 5, 0])
    expect([await countOf(deliveryAttempts, deleted), await deleted.config()]).toEqual([0, undefined])
    expect([await countOf(deliveries, other), await countOf(deliveryAttempts, other)]).toEqual([1, 1])
    expect(await db.$count(webhookEndpoints, eq(webhookEndpoints.tenantId, other.tenantId))).toBe(1)
  })
})

describe('the attempts of a delivery that starts over', () => {
  it('go with it, so that the purge of its tenant leaves none', async () => {
    const scene = await newRedelivered()
    await scene.attempt(2)
    await runBatch(db, { started: startDeliveries(db, startedOf(scene), startMs).statements })
    expect(await countOf(deliveryAttempts, scene)).toBe(0)
    expect(await countOf(deliveries, scene)).toBe(1)
  })
})

/** Counts statements, those of a batch one by one. */
function countStatements(database: D1Database) {
  let count = 0
  const wrapped = wrapDatabase(database, async (run) => {
    count++
    return await run()
  })
  const batch = async (statements: D1PreparedStatement[]) => {
    count += statements.length - 1
    return await wrapped.batch(statements)
  }
  return { DB: replaceMethods(wrapped, { batch }), statements: () => count }
}

describe('pending deliveries of a webhook that is switched off', () => {
  it('are over at once, also if it is switched on again, and their rows follow in the sweep', async () => {
    const scene = await newScene()
    await insertDeliveries(scene.tenantId, 3500)
    const { DB, statements } = countStatements(bindings.DB)
    await putConfig(
      { db: openDatabase(DB), keys, policy: localPolicy },
      scene.tenantId,
      { enabled: false, url: receiver.url(scene.name), secret, headers: {} },
      startMs + 1000,
      { by: someone },
    )
    expect(statements()).toBeLessThanOrEqual(10)
    await scene.configure({ enabled: true }, startMs + 2000)
    const pending = async () =>
      await db.$count(deliveries, and(eq(deliveries.tenantId, scene.tenantId), eq(deliveries.status, 'pending')))
    const left = await pending()
    expect(left).toBeGreaterThan(0)
    scene.clock.now = startMs + 3000
    const [row] = await db
      .select()
      .from(deliveries)
      .where(and(eq(deliveries.tenantId, scene.tenantId), eq(deliveries.status, 'pending')))
      .limit(1)
    await db
      .update(deliveries)
      .set({ nextAttemptAt: startMs })
      .where(and(eq(deliveries.tenantId, scene.tenantId), eq(deliveries.id, row?.id ?? '')))
    if (row === undefined) throw new Error('No delivery is pending')
    await attemptDelivery(nextMessage(row), scene.deps)
    expect([await scene.received(), await pending()]).toEqual([[], left - 1])
    expect(await continueEndings(db, startMs + 4000)).toBeGreaterThanOrEqual(left - 1)
    expect([await pending(), (await scene.config())?.endedUntil]).toEqual([0, null])
  })
})
