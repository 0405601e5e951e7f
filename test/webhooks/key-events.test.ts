import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { verifyWebhook } from '../../src/client/verify-webhook.ts'
import { storeAccountEvent } from '../../src/events/account-events.ts'
import { apiKeys, waitingEvents } from '../../src/platform/db/schema.ts'
import { call, databaseOf, newTenant } from '../service.ts'
import { deliverWaitingEvents } from '../../src/webhooks/report-account-events.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { replaceMethods } from '../support/wrap-database.ts'
import { accounts, newAccountScene, nowMs } from './account-scene.ts'
import { secret } from './webhook-scene.ts'

describe('an API key', () => {
  it('that is created or revoked is reported to the endpoint that asks for it, signed with its secret', async () => {
    const scene = await newAccountScene()
    const created = await scene.createKey('Warehouse')
    const { id, prefix } = created.body.data as { id: string; prefix: string }
    await scene.revokeKey(id)
    await scene.carry()
    await scene.attemptAll()
    const about = { domain: scene.domain, api_key: { id, name: 'Warehouse', prefix }, by: 'Ann' }
    const sent = await scene.received()
    const events = await Promise.all(
      // Signed when the attempt was made, at the time of the test.
      sent.map(async ({ body, headers }) => await verifyWebhook(body, headers, secret, { nowMs })),
    )
    expect(events.sort((a, b) => (a.event < b.event ? -1 : 1))).toEqual([
      { event: 'api_key.created', timestamp: expect.any(String), ...about },
      { event: 'api_key.revoked', timestamp: expect.any(String), ...about },
    ])
    const ids = (await scene.rows()).map((row) => row.id)
    expect(sent.map(({ headers }) => headers['webhook-id']).sort()).toEqual(ids.sort())
    expect((await scene.rows()).map(({ status }) => status)).toEqual(['delivered', 'delivered'])
  })

  it('is not reported where no endpoint asks for it, or where that is switched off', async () => {
    const without = await newTenant()
    await call('POST', '/merchant/tenant/api-key', without.merchant.bearer, { name: 'x' })
    const off = await newAccountScene()
    await off.update({ enabled: false })
    await off.createKey('x')
    await off.carry()
    await off.update({ enabled: true })
    await off.carry()
    expect(await off.rows()).toEqual([])
    for (const { tenantId } of [without, off])
      expect(await accounts.select().from(waitingEvents).where(eq(waitingEvents.tenantId, tenantId))).toEqual([])
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
    await scene.carry()
    expect(await scene.rows()).toEqual([])
    await scene.revokeKey(scene.keyId)
    await scene.revokeKey(scene.keyId)
    await scene.carry()
    expect((await scene.events()).map(({ event }) => event)).toEqual(['api_key.revoked'])
  })
})

describe('an event of a key', () => {
  it('is delivered once to each endpoint, however often it is stored and carried', async () => {
    const scene = await newAccountScene()
    const happened = { tenantId: scene.tenantId, event: 'api_key.created', subject: 'k', data: {} } as const
    for (let time = 0; time < 2; time++) {
      for (let again = 0; again < 2; again++) await storeAccountEvent(accounts, happened, sql`1`, nowMs)
      await scene.carry()
    }
    expect(await scene.rows()).toHaveLength(1)
  })

  it('is not lost if the sweep breaks off before it or after it is delivered', async () => {
    const scene = await newAccountScene()
    await scene.createKey('x')
    const broken = (sqlStart: string) =>
      openDatabase(
        replaceMethods(accounts.$client, {
          prepare: (query: string) => {
            if (query.startsWith(sqlStart)) throw new Error('broken off')
            return accounts.$client.prepare(query)
          },
        }),
      )
    const unreachable = () => {
      throw new Error('broken off')
    }
    await expect(deliverWaitingEvents(accounts, unreachable, nowMs)).rejects.toThrow('broken off')
    await expect(deliverWaitingEvents(broken('delete'), databaseOf, nowMs)).rejects.toThrow('broken off')
    await scene.carry()
    expect((await scene.events()).map(({ event }) => event)).toEqual(['api_key.created'])
  })

  it('waits for no tenant whose database is down', async () => {
    const [down, ...others] = [await newAccountScene(), await newAccountScene(), await newAccountScene()]
    for (const scene of [down, ...others]) await scene.createKey('x')
    const find = (tenantId: string) => {
      if (tenantId === down.tenantId) throw new Error('down')
      return databaseOf(tenantId)
    }
    await expect(deliverWaitingEvents(accounts, find, nowMs)).rejects.toThrow('down')
    for (const scene of others) expect(await scene.rows()).toHaveLength(1)
    expect(await down.rows()).toEqual([])
    await down.carry()
    expect(await down.rows()).toHaveLength(1)
  })

  it('is tried again after a failure under the same id', async () => {
    const scene = await newAccountScene('status=500,200')
    await scene.createKey('x')
    await scene.carry()
    await scene.attemptAll()
    expect(await scene.rows()).toMatchObject([{ status: 'delivered', attemptCount: 2 }])
    const [first, second, ...others] = await scene.received()
    expect([first?.responseStatus, second?.responseStatus, others.length]).toEqual([500, 200, 0])
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(second?.body).toBe(first?.body)
  })
})
