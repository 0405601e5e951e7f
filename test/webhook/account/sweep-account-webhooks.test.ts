import { eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { openDatabase } from '../../../src/db/client.ts'
import { accountEvents, deliveryAttempts, waitingGarments, webhookConfigs } from '../../../src/db/schema.ts'
import { storeDeliveryError } from '../../../src/webhook/delivery-error.ts'
import { addStored } from '../../../src/quota/statements.ts'
import { changeEndpoint } from '../../../src/webhook/endpoint/change-endpoint.ts'
import { sweepAccountWebhooks } from '../../../src/webhook/account/sweep-account-webhooks.ts'
import { removeOldEvents } from '../../../src/webhook/account/remove-old-events.ts'
import { recordEvents } from '../../../src/account-event/record-events.ts'
import { createEndpoint } from '../../../src/webhook/endpoint/create-endpoint.ts'
import { endpointRequest } from '../../../src/webhook/endpoint/endpoint-request.ts'
import { bindings, databaseOf, uploadLimits } from '../../service.ts'
import { countDatabase } from '../../support/count-database.ts'
import { removalMs } from '../../sweep/removal-time.ts'
import { keys, localPolicy } from '../scene.ts'
import { accounts, newAccountScene } from './scene.ts'

const hour = 3600_000
const never = Number.MIN_SAFE_INTEGER

/** Far from now, so that no sweep of another test tells what these tests make. */
const nowMs = Date.UTC(2100, 0, 1)

type Scene = Awaited<ReturnType<typeof newAccountScene>>

/** More than once, because endpoints of other tests may come first. */
async function sweepOf({ tenantId }: Scene, atMs = nowMs) {
  const sweep = async () => await sweepAccountWebhooks({ accounts, db: databaseOf(tenantId) }, never, atMs)
  for (let times = 0; times < 5; times++) await sweep()
}

const eventsOf = async ({ merchantId }: Scene) =>
  (await accounts.select().from(accountEvents).where(eq(accountEvents.merchantId, merchantId))).map(
    ({ event, data, at }) => ({ event, at, ...(JSON.parse(data) as object) }),
  )

/** Adds the tenant's first endpoint, with this state. */
async function addFailing(scene: Scene, state: Partial<typeof webhookConfigs.$inferInsert>) {
  const db = databaseOf(scene.tenantId)
  const endpoint = endpointRequest.parse({ url: 'https://shop.example.com/hooks?token=secret', description: 'Shop' })
  await createEndpoint({ db, keys, policy: localPolicy }, scene.tenantId, endpoint, nowMs)
  const update = async (changes: typeof state) =>
    await db.update(webhookConfigs).set(changes).where(eq(webhookConfigs.tenantId, scene.tenantId))
  await update(state)
  return update
}

describe('an endpoint', () => {
  it('that has been failing for an hour is told once, and again when it fails another time', async () => {
    const scene = await newAccountScene()
    const update = await addFailing(scene, { failingSince: nowMs - hour + 1 })
    await sweepOf(scene)
    expect(await eventsOf(scene)).toEqual([])
    await sweepOf(scene, nowMs + 1)
    await sweepOf(scene, nowMs + 60_000)
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
    await sweepOf(scene, nowMs + hour)
    await update({ failingSince: nowMs + 2 * hour })
    await sweepOf(scene, nowMs + 3 * hour)
    expect((await eventsOf(scene)).map(({ at }) => at).sort((a, b) => a - b)).toEqual([nowMs + 1, nowMs + 3 * hour])
  })

  it('that the service has switched off is told once, with the reason', async () => {
    const scene = await newAccountScene()
    const since = new Date(nowMs - 121 * hour).toISOString()
    const disabledReason = storeDeliveryError('always_failing', { since })
    await addFailing(scene, { failingSince: nowMs - 121 * hour, enabled: false, disabledReason })
    await sweepOf(scene)
    await sweepOf(scene, nowMs + 60_000)
    expect(await eventsOf(scene)).toMatchObject([
      { event: 'endpoint.disabled', reason: expect.stringContaining(since), failing_since: since },
    ])
  })

  it('is told again if the sweep broke off before it was marked, without a second event', async () => {
    const scene = await newAccountScene()
    const update = await addFailing(scene, { failingSince: nowMs - hour })
    await sweepOf(scene)
    await update({ toldFailing: null })
    await sweepOf(scene, nowMs + 60_000)
    expect(await eventsOf(scene)).toHaveLength(1)
    expect(await scene.rows()).toHaveLength(1)
  })

  it('of an account whose webhook is not there when it fails is not told later', async () => {
    const scene = await newAccountScene()
    const deps = { db: accounts, keys, policy: localPolicy }
    await changeEndpoint(deps, scene.merchantId, 'account', { enabled: false }, nowMs)
    await addFailing(scene, { failingSince: nowMs - hour })
    await sweepOf(scene)
    await changeEndpoint(deps, scene.merchantId, 'account', { enabled: true }, nowMs)
    await sweepOf(scene, nowMs + 60_000)
    expect(await eventsOf(scene)).toEqual([])
  })
})

describe('a quota', () => {
  async function store({ tenantId }: Scene, garments: number, files = 0) {
    const quotas = { ...uploadLimits.quotas, garments: 100, files: 10 }
    await databaseOf(tenantId).run(addStored(tenantId, { garments, files }, quotas))
  }

  it('of which nine tenths are used is told once, and again after it fell below eight tenths', async () => {
    const scene = await newAccountScene()
    await store(scene, 89)
    await sweepOf(scene)
    expect(await eventsOf(scene)).toEqual([])
    await store(scene, 1)
    await sweepOf(scene, nowMs + 1)
    await sweepOf(scene, nowMs + 2)
    // Another test's sweep may have told it.
    const told = { event: 'quota.nearly_reached', at: expect.any(Number), domain: scene.domain }
    expect(await eventsOf(scene)).toEqual([{ ...told, quotas: [{ name: 'garments', used: 90, limit: 100 }] }])
    // Up and down around the mark.
    await store(scene, -5)
    await sweepOf(scene, nowMs + 24 * hour)
    await store(scene, 6)
    await sweepOf(scene, nowMs + 24 * hour)
    expect(await eventsOf(scene)).toHaveLength(1)
    await store(scene, -30)
    await sweepOf(scene, nowMs + 48 * hour)
    await store(scene, 35)
    await sweepOf(scene, nowMs + 48 * hour)
    expect(await eventsOf(scene)).toHaveLength(2)
  })

  it('is told beside another one that was told before', async () => {
    const scene = await newAccountScene()
    await store(scene, 95)
    await sweepOf(scene)
    await store(scene, 0, 9)
    await sweepOf(scene, nowMs + 1)
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
    await sweepOf(scene)
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
      { timeout: 25_000, interval: 10 },
    )
  })

  it('removes old events with their deliveries and attempts, and no younger ones', async () => {
    const scene = await newAccountScene()
    const oldMs = removalMs - 9000 * hour
    const event = (subject: string) =>
      ({ tenantId: scene.tenantId, event: 'api_key.created', subject, data: {} }) as const
    await accounts.batch(recordEvents(accounts, [event('old')], oldMs))
    await accounts.batch(recordEvents(accounts, [event('young')], oldMs + 48 * hour))
    await scene.attemptAll()
    const [old, young] = (await scene.rows()).map(({ number }) => number)
    const attemptsOf = async (number = 0) =>
      await accounts.$count(deliveryAttempts, eq(deliveryAttempts.deliveryNumber, number))
    expect([await attemptsOf(old), await attemptsOf(young)]).toEqual([1, 1])
    await removeOldEvents(accounts, oldMs + 24 * hour, 500)
    expect((await scene.rows()).map(({ number }) => number)).toEqual([young])
    expect([await attemptsOf(old), await attemptsOf(young)]).toEqual([0, 1])
    expect(await eventsOf(scene)).toHaveLength(1)
  })
})
