import { eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import { accountEvents, deliveryAttempts } from '../../src/platform/db/schema.ts'
import { storeDeliveryError } from '../../src/events/delivery-error.ts'
import { addStored } from '../../src/accounts/quotas.ts'
import { changeEndpoint } from '../../src/webhooks/endpoints/change-endpoint.ts'
import { removeOldEvents, sweepAccountWebhooks } from '../../src/webhooks/report-account-events.ts'
import { recordEvents } from '../../src/events/record-events.ts'
import { databaseOf, someone, uploadLimits } from '../service.ts'
import { countDatabase } from '../support/count-database.ts'
import { removalMs } from '../operations/removal-time.ts'
import { keys, localPolicy } from './webhook-scene.ts'
import { accounts, hour, never, newAccountScene, nowMs } from './scene.ts'

type Scene = Awaited<ReturnType<typeof newAccountScene>>

const eventsOf = async ({ merchantId }: Scene) =>
  (await accounts.select().from(accountEvents).where(eq(accountEvents.merchantId, merchantId))).map(
    ({ event, data, at }) => ({ event, at, ...(JSON.parse(data) as object) }),
  )

describe('an endpoint', () => {
  it('that has been failing for an hour is reported once, and again when it fails another time', async () => {
    const scene = await newAccountScene()
    const update = await scene.addFailing({ failingSince: nowMs - hour + 1 })
    await scene.sweep()
    expect(await eventsOf(scene)).toEqual([])
    await scene.sweep(nowMs + 1)
    await scene.sweep(nowMs + 60_000)
    const first = {
      event: 'endpoint.failing',
      at: nowMs + 1,
      domain: scene.domain,
      endpoint: { id: 'first', host: 'shop.example.com', description: 'Shop' },
      failing_since: new Date(nowMs - hour + 1).toISOString(),
    }
    expect(await eventsOf(scene)).toEqual([first])
    expect(await scene.rows()).toMatchObject([{ status: 'pending', dueAt: nowMs + 1 }])
    await update({ failingSince: null })
    await scene.sweep(nowMs + hour)
    await update({ failingSince: nowMs + 2 * hour })
    await scene.sweep(nowMs + 3 * hour)
    expect((await eventsOf(scene)).map(({ at }) => at).sort((a, b) => a - b)).toEqual([nowMs + 1, nowMs + 3 * hour])
  })

  it('that the service has switched off is reported once, with the reason', async () => {
    const scene = await newAccountScene()
    const since = new Date(nowMs - 121 * hour).toISOString()
    const disabledReason = storeDeliveryError('always_failing', { since })
    await scene.addFailing({ failingSince: nowMs - 121 * hour, enabled: false, disabledReason })
    await scene.sweep()
    await scene.sweep(nowMs + 60_000)
    expect(await eventsOf(scene)).toMatchObject([
      { event: 'endpoint.disabled', reason: expect.stringContaining(since), failing_since: since },
    ])
  })

  it('is reported again if the sweep broke off before it was marked, without a second event', async () => {
    const scene = await newAccountScene()
    const update = await scene.addFailing({ failingSince: nowMs - hour })
    await scene.sweep()
    await update({ reportedFailing: null })
    await scene.sweep(nowMs + 60_000)
    expect(await eventsOf(scene)).toHaveLength(1)
    expect(await scene.rows()).toHaveLength(1)
  })

  it('of an account that has no webhook when it fails is not reported later', async () => {
    const scene = await newAccountScene()
    const deps = { db: accounts, keys, policy: localPolicy }
    await changeEndpoint(deps, scene.merchantId, 'account', { enabled: false }, nowMs, someone)
    await scene.addFailing({ failingSince: nowMs - hour })
    await scene.sweep()
    await changeEndpoint(deps, scene.merchantId, 'account', { enabled: true }, nowMs, someone)
    await scene.sweep(nowMs + 60_000)
    expect(await eventsOf(scene)).toEqual([])
  })
})

describe('a quota', () => {
  it('of which nine tenths are used is reported once, and again after it fell below eight tenths', async () => {
    const scene = await newAccountScene()
    await scene.store(89)
    await scene.sweep()
    expect(await eventsOf(scene)).toEqual([])
    await scene.store(1)
    await scene.sweep(nowMs + 1)
    await scene.sweep(nowMs + 2)
    // Another test's sweep may have told it.
    const told = { event: 'quota.nearly_reached', at: expect.any(Number), domain: scene.domain }
    expect(await eventsOf(scene)).toEqual([{ ...told, quotas: [{ name: 'garments', used: 90, limit: 100 }] }])
    // Up and down around the mark.
    await scene.store(-5)
    await scene.sweep(nowMs + 24 * hour)
    await scene.store(6)
    await scene.sweep(nowMs + 24 * hour)
    expect(await eventsOf(scene)).toHaveLength(1)
    await scene.store(-30)
    await scene.sweep(nowMs + 48 * hour)
    await scene.store(35)
    await scene.sweep(nowMs + 48 * hour)
    expect(await eventsOf(scene)).toHaveLength(2)
  })

  it('is reported beside another one that was reported before', async () => {
    const scene = await newAccountScene()
    await scene.store(95)
    await scene.sweep()
    await scene.store(0, 9)
    await scene.sweep(nowMs + 1)
    expect((await eventsOf(scene)).map((event) => (event as { quotas?: unknown }).quotas)).toEqual(
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

describe('the sweep of the accounts webhooks', () => {
  it('with nothing due makes one statement', async () => {
    const scene = await newAccountScene()
    const { DB, counts } = countDatabase(databaseOf(scene.tenantId).$client)
    // Test files share databases: a quota of another test may be due at first.
    await vi.waitFor(
      async () => {
        counts.statements = 0
        await sweepAccountWebhooks({ accounts, db: openDatabase(DB) }, never, removalMs)
        expect(counts.statements).toBe(1)
      },
      { timeout: 300_000, interval: 10 },
    )
  })

  it('removes old events with their deliveries and attempts, and no younger ones', async () => {
    // An attempt that succeeds at once has no row of its own.
    const scene = await newAccountScene('status=500,500,200')
    const oldMs = removalMs - 9000 * hour
    const event = (subject: string) =>
      ({ tenantId: scene.tenantId, event: 'api_key.created', subject, data: {} }) as const
    await accounts.batch(recordEvents(accounts, [event('old')], oldMs))
    await accounts.batch(recordEvents(accounts, [event('young')], oldMs + 48 * hour))
    await scene.attemptAll()
    const [old, young] = (await scene.rows()).map(({ id }) => id)
    const attemptsOf = async (id = '') => await accounts.$count(deliveryAttempts, eq(deliveryAttempts.deliveryId, id))
    expect([await attemptsOf(old), await attemptsOf(young)]).toEqual([2, 2])
    await removeOldEvents(accounts, oldMs + 24 * hour, 500)
    expect((await scene.rows()).map(({ id }) => id)).toEqual([young])
    expect([await attemptsOf(old), await attemptsOf(young)]).toEqual([0, 2])
    expect(await eventsOf(scene)).toHaveLength(1)
  })
})
