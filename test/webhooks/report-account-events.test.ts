import { describe, expect, it, vi } from 'vitest'
import { addStored } from '../../src/accounts/quotas.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { reportQuotas } from '../../src/webhooks/report-account-events.ts'
import { toIso } from '../../src/time.ts'
import { removalMs } from '../operations/removal-time.ts'
import { databaseOf, uploadLimits } from '../service.ts'
import { countDatabase } from '../support/count-database.ts'
import { hour, newAccountScene, newFailingScene, nowMs } from './account-scene.ts'

describe('an endpoint', () => {
  it('that has been failing for an hour is reported once, and again when it fails another time', async () => {
    const scene = await newFailingScene()
    await scene.answer(1, 500, nowMs)
    await scene.answer(2, 500, nowMs + hour - 1)
    expect(await scene.events()).toEqual([])
    await scene.answer(3, 500, nowMs + hour)
    await scene.answer(4, 500, nowMs + hour + 1)
    const first = {
      event: 'endpoint.failing',
      timestamp: toIso(nowMs + hour),
      domain: scene.domain,
      endpoint: { id: 'first', host: 'shop.example.com', description: 'Shop' },
      failing_since: toIso(nowMs),
    }
    expect(await scene.events()).toEqual([first])
    expect(await scene.rows()).toMatchObject([{ status: 'pending', dueAt: nowMs + hour }])
    await scene.answer(5, 200, nowMs + 2 * hour)
    await scene.answer(6, 500, nowMs + 3 * hour)
    await scene.answer(7, 500, nowMs + 4 * hour)
    expect((await scene.events()).map(({ timestamp }) => timestamp)).toEqual([
      toIso(nowMs + hour),
      toIso(nowMs + 4 * hour),
    ])
  })

  it('that the service has switched off is reported once, with the reason', async () => {
    const scene = await newFailingScene()
    await scene.updateFirst({ failingSince: nowMs - 121 * hour })
    await scene.answer(1, 500, nowMs)
    const since = toIso(nowMs - 121 * hour)
    expect(await scene.events()).toMatchObject([
      { event: 'endpoint.failing', failing_since: since },
      { event: 'endpoint.disabled', reason: expect.stringContaining(since), failing_since: since },
    ])
  })

  it('that fails while no enabled endpoint receives it is not reported later', async () => {
    const scene = await newFailingScene()
    await scene.update({ enabled: false })
    await scene.answer(1, 500, nowMs)
    await scene.answer(2, 500, nowMs + hour)
    await scene.update({ enabled: true })
    await scene.sweep(nowMs + 2 * hour)
    expect(await scene.events()).toEqual([])
  })
})

describe('a quota', () => {
  it('of which nine tenths are used is reported once, and again after it fell below eight tenths', async () => {
    const scene = await newAccountScene()
    await scene.store(89)
    await scene.sweep()
    expect(await scene.events()).toEqual([])
    await scene.store(1)
    await scene.sweep(nowMs + 1)
    await scene.sweep(nowMs + 2)
    // Another test's sweep may have reported it.
    const reported = { event: 'quota.nearly_reached', timestamp: expect.any(String), domain: scene.domain }
    expect(await scene.events()).toEqual([{ ...reported, quotas: [{ name: 'garments', used: 90, limit: 100 }] }])
    // Up and down around the mark.
    await scene.store(-5)
    await scene.sweep(nowMs + 24 * hour)
    await scene.store(6)
    await scene.sweep(nowMs + 24 * hour)
    expect(await scene.events()).toHaveLength(1)
    await scene.store(-30)
    await scene.sweep(nowMs + 48 * hour)
    await scene.store(35)
    await scene.sweep(nowMs + 48 * hour)
    expect(await scene.events()).toHaveLength(2)
  })

  it('is reported beside another one that was reported before', async () => {
    const scene = await newAccountScene()
    await scene.store(95)
    await scene.sweep()
    await scene.store(0, 9)
    await scene.sweep(nowMs + 1)
    expect((await scene.events()).map(({ quotas }) => quotas)).toEqual(
      expect.arrayContaining([[{ name: 'garments', used: 95, limit: 100 }], [{ name: 'files', used: 9, limit: 10 }]]),
    )
  })

  it('costs an upload no row, but for the one that reaches it', async () => {
    const scene = await newAccountScene()
    const { DB, counts } = countDatabase(databaseOf(scene.tenantId).$client)
    const db = openDatabase(DB)
    const rowsOf = async (garments: number) => {
      counts.rowsWritten = 0
      await db.run(addStored(scene.tenantId, { garments }, { ...uploadLimits.quotas, garments: 100 }))
      return counts.rowsWritten
    }
    await rowsOf(1)
    const usual = await rowsOf(1)
    expect(await rowsOf(90)).toBe(usual + 1)
    await scene.sweep()
    expect(await rowsOf(1)).toBe(usual)
  })
})

describe('the report of quotas', () => {
  it('with nothing due makes one statement', async () => {
    const scene = await newAccountScene()
    const { DB, counts } = countDatabase(databaseOf(scene.tenantId).$client)
    // Test files share databases: a quota of another test may be due at first.
    await vi.waitFor(
      async () => {
        counts.statements = 0
        await reportQuotas(openDatabase(DB), removalMs)
        expect(counts.statements).toBe(1)
      },
      { timeout: 300_000, interval: 10 },
    )
  })
})
