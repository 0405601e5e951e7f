import { describe, expect, it, vi } from 'vitest'
import { addStored } from '../../src/accounts/quotas.ts'
import { storeDeliveryError } from '../../src/events/delivery-error.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { toIso } from '../../src/time.ts'
import { reportStates } from '../../src/webhooks/report-account-events.ts'
import { removalMs } from '../operations/removal-time.ts'
import { databaseOf, uploadLimits } from '../service.ts'
import { countDatabase } from '../support/count-database.ts'
import { accounts, hour, newAccountScene, nowMs } from './account-scene.ts'

describe('an endpoint', () => {
  it('that has been failing for an hour is reported once, and again when it fails another time', async () => {
    const scene = await newAccountScene()
    await scene.updateFirst({ failingSince: nowMs - hour + 1 })
    await scene.sweep()
    expect(await scene.events()).toEqual([])
    await scene.sweep(nowMs + 1)
    await scene.sweep(nowMs + 60_000)
    const first = {
      event: 'endpoint.failing',
      timestamp: toIso(nowMs + 1),
      domain: scene.domain,
      endpoint: { id: 'first', host: 'shop.example.com', description: 'Shop' },
      failing_since: new Date(nowMs - hour + 1).toISOString(),
    }
    expect(await scene.events()).toEqual([first])
    expect(await scene.rows()).toMatchObject([{ status: 'pending', dueAt: nowMs + 1 }])
    await scene.updateFirst({ failingSince: null })
    await scene.sweep(nowMs + hour)
    await scene.updateFirst({ failingSince: nowMs + 2 * hour })
    await scene.sweep(nowMs + 3 * hour)
    expect((await scene.events()).map(({ timestamp }) => timestamp)).toEqual([
      toIso(nowMs + 1),
      toIso(nowMs + 3 * hour),
    ])
  })

  it('that the service has switched off is reported once, with the reason', async () => {
    const scene = await newAccountScene()
    const since = new Date(nowMs - 121 * hour).toISOString()
    const disabledReason = storeDeliveryError('always_failing', { since })
    await scene.updateFirst({ failingSince: nowMs - 121 * hour, enabled: false, disabledReason })
    await scene.sweep()
    await scene.sweep(nowMs + 60_000)
    expect(await scene.events()).toMatchObject([
      { event: 'endpoint.disabled', reason: expect.stringContaining(since), failing_since: since },
    ])
  })

  it('is reported again if the sweep broke off before it was marked, without a second event', async () => {
    const scene = await newAccountScene()
    await scene.updateFirst({ failingSince: nowMs - hour })
    await scene.sweep()
    await scene.updateFirst({ reportedFailing: null })
    await scene.sweep(nowMs + 60_000)
    expect(await scene.events()).toHaveLength(1)
    expect(await scene.rows()).toHaveLength(1)
  })

  it('that fails while no enabled endpoint asks for it is not reported later', async () => {
    const scene = await newAccountScene()
    await scene.update({ enabled: false })
    await scene.updateFirst({ failingSince: nowMs - hour })
    await scene.sweep()
    await scene.update({ enabled: true })
    await scene.sweep(nowMs + 60_000)
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

describe('the report of endpoints and quotas', () => {
  it('with nothing due makes one statement', async () => {
    const scene = await newAccountScene()
    const { DB, counts } = countDatabase(databaseOf(scene.tenantId).$client)
    // Test files share databases: a quota of another test may be due at first.
    await vi.waitFor(
      async () => {
        counts.statements = 0
        await reportStates({ accounts, db: openDatabase(DB) }, removalMs)
        expect(counts.statements).toBe(1)
      },
      { timeout: 300_000, interval: 10 },
    )
  })
})
