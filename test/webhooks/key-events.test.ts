import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { verifyAccountWebhook } from '../../src/client/verify-webhook.ts'
import { accountEvents, apiKeys, dailyCounts } from '../../src/platform/db/schema.ts'
import { maxEventsInDay, recordEvents } from '../../src/events/record-events.ts'
import { call, newTenant } from '../service.ts'
import { accounts, newAccountScene, webhookPath } from './scene.ts'

const eventsOf = async (merchantId: string) =>
  await accounts.select().from(accountEvents).where(eq(accountEvents.merchantId, merchantId))

describe('an API key', () => {
  it('that is created or revoked is reported to the webhook of the account, signed with its secret', async () => {
    const scene = await newAccountScene()
    const created = await scene.createKey('Warehouse')
    const { id, prefix } = created.body.data as { id: string; prefix: string }
    await scene.revokeKey(id)
    await scene.attemptAll()
    const about = { domain: scene.domain, api_key: { id, name: 'Warehouse', prefix }, by: 'Ann' }
    const sent = await scene.received()
    const events = await Promise.all(
      sent.map(async ({ body, headers }) => await verifyAccountWebhook(body, headers, scene.secret)),
    )
    expect(events.sort((a, b) => (a.event < b.event ? -1 : 1))).toEqual([
      { event: 'api_key.created', timestamp: expect.any(String), ...about },
      { event: 'api_key.revoked', timestamp: expect.any(String), ...about },
    ])
    const ids = (await scene.rows()).map((row) => row.id)
    expect(sent.map(({ headers }) => headers['webhook-id']).sort()).toEqual(ids.sort())
    expect((await scene.rows()).map(({ status }) => status)).toEqual(['delivered', 'delivered'])
  })

  it('stores no event where the account has no webhook, or has switched it off', async () => {
    const without = await newTenant()
    await call('POST', '/merchant/tenant/api-key', without.merchant.bearer, { name: 'x' })
    expect(await eventsOf(without.merchant.id)).toEqual([])
    const off = await newAccountScene()
    await call('PUT', webhookPath, off.bearer, { url: off.url, enabled: false })
    await off.createKey('x')
    expect(await eventsOf(off.merchantId)).toEqual([])
    expect(await off.rows()).toEqual([])
  })

  it('that is refused, or was revoked before, is not reported', async () => {
    const scene = await newAccountScene()
    for (let more = 0; more < 19; more++)
      await accounts.insert(apiKeys).values({
        id: crypto.randomUUID(),
        tenantId: scene.tenantId,
        name: 'x',
        prefix: 'x',
        hash: crypto.randomUUID(),
        createdAt: 1,
      })
    expect((await scene.createKey('one too many')).status).toBe(409)
    expect((await scene.revokeKey('unknown')).status).toBe(404)
    expect(await eventsOf(scene.merchantId)).toEqual([])
    await scene.revokeKey(scene.keyId)
    await scene.revokeKey(scene.keyId)
    expect((await eventsOf(scene.merchantId)).map(({ event }) => event)).toEqual(['api_key.revoked'])
  })
})

describe('an event of an account', () => {
  it('is stored once, with one delivery, however often it is recorded', async () => {
    const scene = await newAccountScene()
    const event = { tenantId: scene.tenantId, event: 'api_key.created', subject: 'k', data: { by: 'Ann' } } as const
    for (let time = 0; time < 2; time++) await accounts.batch(recordEvents(accounts, [event, event], Date.now()))
    expect(await eventsOf(scene.merchantId)).toHaveLength(1)
    expect(await scene.rows()).toHaveLength(1)
  })

  it('is not stored above the most in a day', async () => {
    const scene = await newAccountScene()
    const event = (subject: string) =>
      ({ tenantId: scene.tenantId, event: 'api_key.created', subject, data: {} }) as const
    const nowMs = Date.now()
    for (let number = 0; number < maxEventsInDay + 2; number++)
      await accounts.batch(recordEvents(accounts, [event(String(number))], nowMs))
    expect(await eventsOf(scene.merchantId)).toHaveLength(maxEventsInDay)
    await accounts.batch(recordEvents(accounts, [event('next day')], nowMs + 25 * 3600_000))
    expect(await eventsOf(scene.merchantId)).toHaveLength(maxEventsInDay + 1)
  })

  it('is tried again after a failure under the same id, and counts as no delivery of a tenant', async () => {
    const scene = await newAccountScene('status=500,200')
    await scene.createKey('x')
    await scene.attemptAll()
    expect(await scene.rows()).toMatchObject([{ status: 'delivered', attemptCount: 2 }])
    const [first, second, ...others] = await scene.received()
    expect([first?.responseStatus, second?.responseStatus, others.length]).toEqual([500, 200, 0])
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(second?.body).toBe(first?.body)
    expect(await accounts.select().from(dailyCounts).where(eq(dailyCounts.tenantId, scene.merchantId))).toEqual([])
  })
})
