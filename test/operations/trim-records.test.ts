import { eq, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { recordEntry } from '../../src/accounts/audit.ts'
import { addStored, findStored, quotasOf } from '../../src/accounts/quotas.ts'
import { trimRecords } from '../../src/operations/trim-records.ts'
import { runBatch } from '../../src/platform/db/database.ts'
import { auditEntries, deliveries, deliveryAttempts, garments } from '../../src/platform/db/schema.ts'
import { parseSettings } from '../../src/settings.ts'
import { attemptDelivery } from '../../src/webhooks/deliveries/attempt-delivery.ts'
import { bindings, someone } from '../service.ts'
import { countRowBytes } from '../support/count-row-bytes.ts'
import { db, newScene, startMs } from '../webhooks/webhook-scene.ts'

const laterMs = startMs + 60_000

/** A tenant with a garment, its delivery that was answered with 1 KiB, and an audit entry. */
async function newAnswered() {
  const scene = await newScene()
  const { tenantId } = scene
  const answer = { ok: true, status: 200, error: null, body: 'x'.repeat(1024), retryAfter: null, durationMs: 1 }
  await attemptDelivery(scene.message(1), { ...scene.deps, call: () => Promise.resolve(answer) })
  const entry = { holderId: tenantId, action: 'studio.saved', subject: 's' } as const
  await runBatch(db, { entry: recordEntry(db, entry, { by: someone, at: startMs }, sql`1`) })
  const count = async () => {
    const attempts = await db.select().from(deliveryAttempts).where(eq(deliveryAttempts.tenantId, tenantId))
    return {
      garments: await db.$count(garments, eq(garments.tenantId, tenantId)),
      deliveries: await db.$count(deliveries, eq(deliveries.tenantId, tenantId)),
      attempts: attempts.length,
      answers: attempts.filter(({ responseBody }) => responseBody !== null).length,
      entries: await db.$count(auditEntries, eq(auditEntries.holderId, tenantId)),
    }
  }
  const used = async () => (await findStored(db, tenantId)).row_bytes
  return { tenantId, count, used }
}

it('attempts, answers and audit entries count against the byte quota', async () => {
  const { tenantId, used } = await newAnswered()
  expect(await used()).toBe(await countRowBytes(db, tenantId))
  expect(await used()).toBeGreaterThan(1024 + 2 * 250)
})

it('above the byte quota the oldest answers go first, then deliveries with their attempts, then audit entries', async () => {
  const { tenantId, count, used } = await newAnswered()
  const quotas = quotasOf(parseSettings({ ...bindings, MAX_ROW_MEGABYTES: '1' }), startMs)
  const settings = parseSettings({ ...bindings, MAX_ROW_MEGABYTES: '1' })
  const states: unknown[] = [await count()]
  // As if garments had used up the quota.
  await runBatch(db, { filled: addStored(tenantId, { row_bytes: quotas.row_bytes - (await used()) }, quotas) })
  const entry = { holderId: tenantId, action: 'studio.removed', subject: 's' } as const
  for (let i = 0; i < 3; i++) {
    await runBatch(db, { entry: recordEntry(db, entry, { by: { ...someone, id: `m${i}` }, at: startMs + i }, sql`1`) })
    for (let step = 0; step < 2; step++) await trimRecords(db, settings, laterMs)
    states.push(await count())
    expect(await used()).toBeLessThanOrEqual(quotas.row_bytes)
  }
  expect(states).toMatchObject([
    { garments: 1, deliveries: 1, attempts: 1, answers: 1 },
    { garments: 1, deliveries: 1, attempts: 1, answers: 0 },
    { garments: 1, deliveries: 1, attempts: 1, answers: 0 },
    { garments: 1, deliveries: 0, attempts: 0, answers: 0 },
  ])
})

it('nothing is removed from a tenant below its quota', async () => {
  const { count } = await newAnswered()
  const before = await count()
  await trimRecords(db, parseSettings(bindings), laterMs)
  expect(await count()).toEqual(before)
})
