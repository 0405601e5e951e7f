import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import { tenantCounters } from '../../src/platform/db/schema.ts'
import { countGarment } from '../../src/garments/transitions.ts'
import { dailyCountsQuery, fillDays } from '../../src/platform/db/daily-counts.ts'
import { bindings } from '../service.ts'

it('garments are counted on the day on which they ended, on a machine whose clock is behind too', async () => {
  const db = openDatabase(bindings.DB)
  const tenantId = crypto.randomUUID()
  await db.insert(tenantCounters).values({ tenantId, waiting: 6, maxWaiting: 10 })
  const [friday, saturday] = [Date.UTC(2026, 10, 20, 23, 59), Date.UTC(2026, 10, 21, 0, 1)]
  const endings = [
    ['complete', friday],
    ['failed', friday],
    ['complete', saturday],
    ['complete', friday],
    ['complete', saturday],
  ] as const
  for (const [status, nowMs] of endings)
    await db.batch(countGarment(db, { tenantId, status, condition: sql`1` }, nowMs))
  await db.batch(countGarment(db, { tenantId, status: 'failed', condition: sql`0` }, saturday))
  expect(fillDays(await dailyCountsQuery(db, tenantId, 2, saturday), 2, saturday)).toMatchObject([
    { day: '2026-11-20', complete: 2, failed: 1, delivered: 0 },
    { day: '2026-11-21', complete: 2, failed: 0, delivered: 0 },
  ])
  expect(
    (
      await db
        .select()
        .from(tenantCounters)
        .where(sql`tenant_id = ${tenantId}`)
    )[0]?.waiting,
  ).toBe(1)
})
