import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { deliveries, deliveryAttempts, sweepPositions } from '../../src/platform/db/schema.ts'
import { eraseOldAnswers } from '../../src/webhooks/maintain-webhooks.ts'
import { db } from './webhook-scene.ts'

// All times here are before 1970, so that no row of another test is old enough to be erased.
const longAgo = -2000
const limitMs = -1000

const dayMs = 24 * 3600_000

async function passTo(position: number, endSeconds: number) {
  for (const [name, value] of Object.entries({ '': position, ', end': endSeconds }))
    await db
      .insert(sweepPositions)
      .values({ name: `attempts of deliveries${name}`, position: value })
      .onConflictDoUpdate({ target: sweepPositions.name, set: { position: value } })
}

describe('the answers of attempts', () => {
  const numbers = [-3, -2, -1]
  const bodies = async () => {
    const rows = await db.select().from(deliveryAttempts).where(eq(deliveryAttempts.tenantId, 'answers'))
    const found = new Map(rows.map(({ deliveryId, responseBody }) => [deliveryId, responseBody]))
    return numbers.map((number) => found.get(`${number}`))
  }

  it('are erased once they are old, in a pass once a day', async () => {
    for (const number of numbers)
      await db.insert(deliveries).values({
        number,
        id: `${number}`,
        tenantId: 'answers',
        garmentUuid: `${number}`,
        status: 'delivered',
        createdAt: limitMs,
        updatedAt: limitMs,
      })
    for (const number of numbers)
      await db.insert(deliveryAttempts).values({
        deliveryId: `${number}`,
        attempt: 1,
        tenantId: 'answers',
        at: number === -1 ? limitMs : longAgo,
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
    expect(await bodies()).toEqual(['', '', 'an answer'])
    while ((await eraseOldAnswers(db, nowMs, 1000)).hasMore);
    await passTo(-5, Math.floor(nowMs / 1000))
    expect(await eraseOldAnswers(db, nowMs + dayMs / 2, 2)).toEqual({ erased: 0, hasMore: false })
    expect((await eraseOldAnswers(db, nowMs + dayMs, 1000)).erased).toBeGreaterThanOrEqual(1)
    expect(await bodies()).toEqual(['', '', ''])
    await db.delete(deliveries).where(eq(deliveries.tenantId, 'answers'))
    await db.delete(deliveryAttempts).where(eq(deliveryAttempts.tenantId, 'answers'))
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

it('ended deliveries of deletions and of events of the account are removed with their attempts in the same pass once they are old', async () => {
  const tenantId = 'deletions'
  const lowest = -29
  const ended = { deliveryKey: 'deletion', status: 'delivered', createdAt: longAgo } as const
  const rows: Partial<typeof deliveries.$inferInsert>[] = [
    { ...ended, firstAttempt: [longAgo, 1, 200, 'an answer'] },
    { ...ended, deliveryKey: 'deletion 0b1c', status: 'permanently_failed' },
    // Ended without an attempt.
    { ...ended, status: 'permanently_failed' },
    { ...ended, createdAt: limitMs },
    { ...ended, status: 'pending', dueAt: 9e15 },
    { ...ended, deliveryKey: 'tagging' },
    { ...ended, deliveryKey: 'account 0b1c', body: '{}' },
    { ...ended, deliveryKey: 'account 0b1c', body: '{}', createdAt: limitMs },
  ]
  for (const [i, row] of rows.entries())
    await db.insert(deliveries).values({
      number: lowest + i,
      id: `${i}`,
      tenantId,
      garmentUuid: `${i}`,
      status: 'delivered' as const,
      createdAt: longAgo,
      updatedAt: longAgo,
      ...row,
    })
  for (const [i, error] of ['', 'failed', '', 'young'].entries())
    if (error !== '')
      await db.insert(deliveryAttempts).values({
        deliveryId: `${i}`,
        attempt: 1,
        tenantId,
        at: longAgo,
        durationMs: 1,
        responseStatus: 500,
        error,
        responseBody: '',
        trigger: 'automatic' as const,
      })
  const left = async () => [
    (await db.select().from(deliveries).where(eq(deliveries.tenantId, tenantId))).map(({ id }) => id).toSorted(),
    (await db.select().from(deliveryAttempts).where(eq(deliveryAttempts.tenantId, tenantId))).map(({ error }) => error),
  ]
  await passTo(lowest - 1, -1e6)
  const nowMs = limitMs + 7 * dayMs
  // A step takes no more of them than of attempts.
  expect(await eraseOldAnswers(db, nowMs, 1)).toEqual({ erased: 1, hasMore: true })
  expect(await left()).toEqual([
    ['1', '2', '3', '4', '5', '6', '7'],
    ['failed', 'young'],
  ])
  for (let step = 0; step < 3; step++) await eraseOldAnswers(db, nowMs, 2)
  expect(await left()).toEqual([['3', '4', '5', '7'], ['young']])
  await db.delete(deliveries).where(eq(deliveries.tenantId, tenantId))
  await db.delete(deliveryAttempts).where(eq(deliveryAttempts.tenantId, tenantId))
})
