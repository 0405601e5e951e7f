import { and, eq, inArray } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../../src/db/client.ts'
import { deliveries, deliveryAttempts, sweepPositions, webhookConfigs } from '../../../src/db/schema.ts'
import { continueEndings } from '../../../src/webhook/delivery/end-deliveries.ts'
import { startDeliveries } from '../../../src/webhook/delivery/start-deliveries.ts'
import { attemptDelivery } from '../../../src/webhook/dispatch/attempt-delivery.ts'
import { eraseOldAnswers } from '../../../src/webhook/maintenance/erase-old-answers.ts'
import { purgeWebhook } from '../../../src/webhook/maintenance/purge-webhook.ts'
import { removeExpiredDeliveries } from '../../../src/webhook/maintenance/remove-expired-deliveries.ts'
import { putConfig } from '../../../src/webhook/put-config.ts'
import { bindings } from '../../service.ts'
import { replaceMethods, wrapDatabase } from '../../support/wrap-database.ts'
import {
  db,
  insertDeliveries,
  keys,
  localPolicy,
  newScene,
  receiver,
  secret,
  startedOf,
  startMs,
  type Scene,
} from '../scene.ts'

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
      status: 'pending',
      createdAt: longAgo,
      updatedAt: longAgo,
    })
    await young.attempt(2)

    const tenants = [old, young].map(({ tenantId }) => ({ id: tenantId, beforeMs: limitMs }))
    const steps: number[] = []
    do steps.push(await removeExpiredDeliveries(db, tenants, 10))
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
    expect(await db.$count(webhookConfigs, eq(webhookConfigs.tenantId, other.tenantId))).toBe(1)
  })
})

describe('the attempts of a delivery that starts over', () => {
  it('go with it, so that the purge of its tenant leaves none', async () => {
    const scene = await newRedelivered()
    await scene.attempt(2)
    const { eraseFormer, statement } = startDeliveries(db, startedOf(scene), startMs)
    await db.batch([eraseFormer, statement])
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
      .where(eq(deliveries.number, row?.number ?? 0))
    const message = { tenantId: scene.tenantId, garmentUuid: row?.garmentUuid, deliveryId: row?.id ?? '', attempt: 1 }
    await attemptDelivery(message, scene.deps)
    expect([await scene.received(), await pending()]).toEqual([[], left - 1])
    expect(await continueEndings(db, startMs + 4000)).toBeGreaterThanOrEqual(left - 1)
    expect([await pending(), (await scene.config())?.endedUntil]).toEqual([0, null])
  })
})

describe('the answers of attempts', () => {
  const dayMs = 24 * 3600_000
  const numbers = [-4, -3, -2, -1]
  const passTo = async (position: number, endSeconds: number) => {
    for (const [name, value] of Object.entries({ '': position, ', end': endSeconds }))
      await db
        .insert(sweepPositions)
        .values({ name: `attempts of deliveries${name}`, position: value })
        .onConflictDoUpdate({ target: sweepPositions.name, set: { position: value } })
  }
  const bodies = async () => {
    const rows = await db.select().from(deliveryAttempts).where(inArray(deliveryAttempts.deliveryNumber, numbers))
    const found = new Map(rows.map(({ deliveryNumber, responseBody }) => [deliveryNumber, responseBody]))
    return numbers.map((number) => found.get(number))
  }

  it('are erased once they are old, in a pass that is made once a day, and attempts of no delivery go', async () => {
    for (const number of numbers.slice(1))
      await db.insert(deliveries).values({
        number,
        id: `${number}`,
        tenantId: 'answers',
        garmentUuid: `${number}`,
        status: 'delivered',
        createdAt: limitMs,
        updatedAt: limitMs,
      })
    for (const deliveryNumber of numbers)
      await db.insert(deliveryAttempts).values({
        deliveryNumber,
        attempt: 1,
        tenantId: 'answers',
        at: deliveryNumber === -1 ? limitMs : longAgo,
        durationMs: 1,
        responseStatus: 200,
        error: '',
        responseBody: 'an answer',
        trigger: 'automatic',
      })
    // The numbers of this test's deliveries are below all others, so that the pass comes to them first.
    await passTo(-5, -1e6)
    const nowMs = limitMs + 7 * dayMs
    expect(await eraseOldAnswers(db, nowMs, 2)).toEqual({ erased: 2, hasMore: true })
    expect(await bodies()).toEqual([undefined, '', 'an answer', 'an answer'])
    expect((await eraseOldAnswers(db, nowMs, 2)).erased).toBe(1)
    expect(await bodies()).toEqual([undefined, '', '', 'an answer'])

    while ((await eraseOldAnswers(db, nowMs, 1000)).hasMore);
    await passTo(-5, Math.floor(nowMs / 1000))
    expect(await eraseOldAnswers(db, nowMs + dayMs / 2, 2)).toEqual({ erased: 0, hasMore: false })
    expect((await eraseOldAnswers(db, nowMs + dayMs, 1000)).erased).toBeGreaterThanOrEqual(1)
    expect(await bodies()).toEqual([undefined, '', '', ''])
    await db.delete(deliveries).where(eq(deliveries.tenantId, 'answers'))
    await db.delete(deliveryAttempts).where(inArray(deliveryAttempts.deliveryNumber, numbers))
  })

  it('are erased in the same pass where the row of the delivery keeps its first attempt', async () => {
    const tenantId = 'answers of first attempts'
    const lowest = -9
    const ages = [longAgo, limitMs, longAgo]
    for (const [i, at] of ages.entries())
      await db.insert(deliveries).values({
        number: lowest + i,
        id: `first ${i}`,
        tenantId,
        garmentUuid: `${i}`,
        status: 'delivered',
        firstAttempt: [at, 1, 200, 'an answer'],
        createdAt: longAgo,
        updatedAt: longAgo,
      })
    await passTo(lowest - 1, -1e6)
    const nowMs = limitMs + 7 * dayMs
    expect(await eraseOldAnswers(db, nowMs, 2)).toEqual({ erased: 1, hasMore: true })
    expect((await eraseOldAnswers(db, nowMs, 1)).erased).toBe(1)
    const rows = await db.select().from(deliveries).where(eq(deliveries.tenantId, tenantId)).orderBy(deliveries.number)
    expect(rows.map(({ firstAttempt }) => firstAttempt)).toEqual([
      [longAgo, 1, 200, ''],
      [limitMs, 1, 200, 'an answer'],
      [longAgo, 1, 200, ''],
    ])
    await db.delete(deliveries).where(eq(deliveries.tenantId, tenantId))
  })
})
