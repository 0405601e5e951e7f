import { expect, it } from 'vitest'
import { openDatabase } from '../../../src/platform/db/database.ts'
import { dailyCounts } from '../../../src/platform/db/schema.ts'
import { dailyCountsQuery, fillDays } from '../../../src/platform/db/daily-counts.ts'
import { bindings } from '../../service.ts'

const db = openDatabase(bindings.DB)
const none = { complete: 0, failed: 0, delivered: 0, permanently_failed: 0 }

it('the daily counts have a row for each of the last days, today last, also for empty days', async () => {
  const count = async (tenantId: string, day: string, kind: keyof typeof none, number: number) =>
    await db.insert(dailyCounts).values({ tenantId, day, kind, count: number })
  await count('t', '2026-11-18', 'complete', 9)
  await count('t', '2026-11-19', 'complete', 5)
  await count('t', '2026-11-21', 'failed', 1)
  await count('t', '2026-11-21', 'delivered', 4)
  await count('another', '2026-11-21', 'complete', 7)
  const now = Date.UTC(2026, 10, 21, 23, 59)
  expect(fillDays(await dailyCountsQuery(db, 't', 3, now), 3, now)).toEqual([
    { day: '2026-11-19', ...none, complete: 5 },
    { day: '2026-11-20', ...none },
    { day: '2026-11-21', ...none, failed: 1, delivered: 4 },
  ])
})
