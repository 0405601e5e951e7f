import { createHmac } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { deliveries, garments, tenants, tenantState, webhookEndpoints } from '../../../src/platform/db/schema.ts'
import { redeliverDeliveries } from '../../../src/events/delivery-transitions.ts'
import { purgeWebhook } from '../../../src/webhooks/maintain-webhooks.ts'
import { storedResult } from '../../support/stored-result.ts'
import { db, newScene, receiver, secret, startMs } from '../webhook-scene.ts'

const hourMs = 3_600_000

describe('the configuration', () => {
  it('that is switched off between attempts ends the delivery without another attempt', async () => {
    const scene = await newScene({ query: 'status=500' })
    await scene.attempt(1)
    // Not by the verb, which would end what is pending itself: this is what slips through.
    await db.update(webhookEndpoints).set({ enabled: false }).where(eq(webhookEndpoints.tenantId, scene.tenantId))
    scene.clock.now += 5000
    await scene.attempt(2)
    expect(await scene.received()).toHaveLength(1)
    expect(await scene.row()).toMatchObject({
      status: 'permanently_failed',
      attemptCount: 1,
      nextAttemptAt: null,
      dueAt: null,
      lastError: 'The webhook was switched off',
    })
    expect(await scene.counts()).toEqual({ permanently_failed: 1 })
  })

  it('that is switched off during an attempt ends the delivery when the attempt is recorded', async () => {
    const scene = await newScene({ query: 'status=500' })
    await scene.attempt(1, {
      call: async (call, origin) => {
        await scene.configure({ enabled: false })
        expect((await scene.row())?.status).toBe('pending')
        return await scene.deps.call(call, origin)
      },
    })
    expect(await scene.row()).toMatchObject({ status: 'permanently_failed', attemptCount: 1, nextAttemptAt: null })
    expect(scene.sent).toEqual([])
    expect(await scene.counts()).toEqual({ permanently_failed: 1 })
  })

  it('whose URL changes between attempts sends to the new URL', async () => {
    const scene = await newScene({ query: 'status=500' })
    await scene.attempt(1)
    await scene.configure({ url: receiver.url(`${scene.name}-moved`) })
    scene.clock.now += 5000
    await scene.attempt(2)
    expect(await scene.received()).toHaveLength(1)
    expect(await receiver.received(`${scene.name}-moved`)).toHaveLength(1)
  })

  it('whose secret changes signs with the former one too for a day', async () => {
    const scene = await newScene({ query: 'status=500' })
    await scene.configure({ secret: 'the new one' }, startMs)
    const signaturesAt = async (attempt: number, at: number) => {
      scene.clock.now = at
      await db
        .update(deliveries)
        .set({ nextAttemptAt: at })
        .where(and(eq(deliveries.tenantId, scene.tenantId), eq(deliveries.id, scene.deliveryId)))
      await scene.attempt(attempt)
      const request = (await scene.received())[attempt - 1]
      if (request === undefined) throw new Error('nothing was sent')
      const { headers, body } = request
      expect(headers['x-webhook-signature']).toBe(
        `sha256=${createHmac('sha256', 'the new one').update(body).digest('hex')}`,
      )
      const signed = `${scene.deliveryId}.${Math.floor(at / 1000)}.${body}`
      const by = (key: string | Uint8Array) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
      return { signatures: headers['webhook-signature']?.split(' '), by }
    }
    const former = Uint8Array.from(atob(secret.slice(6)), (character) => character.charCodeAt(0))
    const during = await signaturesAt(1, startMs + 24 * hourMs - 1)
    expect(during.signatures).toEqual([during.by('the new one'), during.by(former)])
    const after = await signaturesAt(2, startMs + 24 * hourMs)
    expect(after.signatures).toEqual([after.by('the new one')])
  })

  it('that does not ask for what the garment has become since ends the delivery, which can still be redelivered', async () => {
    const scene = await newScene({ query: 'status=500', garment: { status: 'failed', result: null } })
    await db
      .update(webhookEndpoints)
      .set({ events: ['tagging.failed'] })
      .where(eq(webhookEndpoints.tenantId, scene.tenantId))
    await scene.attempt(1)
    const complete = { status: 'complete', result: storedResult() } as const
    await db.update(garments).set(complete).where(eq(garments.tenantId, scene.tenantId))
    scene.clock.now += 5000
    await scene.attempt(2)
    const lastError = 'The endpoint does not receive this event'
    expect(await scene.row()).toMatchObject({ status: 'permanently_failed', attemptCount: 1, lastError })
    expect((await scene.received()).map(({ body }) => JSON.parse(body).event)).toEqual(['tagging.failed'])
    await db.batch([redeliverDeliveries(db, scene.tenantId, eq(deliveries.id, scene.deliveryId), scene.clock.now)])
    await scene.attempt(2)
    expect(await scene.received()).toHaveLength(2)
  })

  it('of a tenant that was deleted between attempts sends nothing', async () => {
    const scene = await newScene({ query: 'status=500' })
    await scene.attempt(1)
    scene.clock.now += 5000
    await db.delete(tenants).where(eq(tenants.id, scene.tenantId))
    await db.delete(tenantState).where(eq(tenantState.tenantId, scene.tenantId))
    await db.delete(webhookEndpoints).where(eq(webhookEndpoints.tenantId, scene.tenantId))
    await scene.attempt(2)
    expect((await scene.row())?.status).toBe('permanently_failed')
    await purgeWebhook(db, scene.tenantId, 10)
    await db.delete(garments).where(eq(garments.tenantId, scene.tenantId))
    await scene.attempt(2)
    expect(await scene.received()).toHaveLength(1)
    expect(await scene.row()).toBeUndefined()
  })
})
